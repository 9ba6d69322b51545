# SPDX-License-Identifier: MIT
"""dlpack.py <the library of dlpack.cpp>: NumPy's arrays become gnp's and NumPy's again, and share their memory."""
import ctypes
import gc
import sys
import weakref

import numpy as np

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
NAMES = {0: b"dltensor", 1: b"dltensor_versioned"}
USED = {0: b"used_dltensor", 1: b"used_dltensor_versioned"}  # capsules keep the addresses of their names

gnp = ctypes.CDLL(sys.argv[1])
for function in (gnp.through_gnp, gnp.through_any):
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p]
gnp.made_by_gnp.restype = ctypes.c_void_p
new = ctypes.pythonapi.PyCapsule_New
new.restype = ctypes.py_object
new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Tensor:
    """A tensor that gnp gave, as np.from_dlpack takes it."""

    def __init__(self, address, versioned):
        self.capsule = new(address, NAMES[versioned], None)

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


def gives_versions():
    try:
        np.zeros(1).__dlpack__(max_version=(1, 0))
        return True
    except TypeError:  # before NumPy 2.1
        return False


def export(x, versioned):
    return x.__dlpack__(max_version=(1, 0)) if versioned else x.__dlpack__()


def through(x, versioned, function=gnp.through_gnp, dtype=None):
    """The array that comes back, or gnp's message."""
    capsule = export(x, versioned)
    message = ctypes.create_string_buffer(300)
    address = pointer_of(capsule, NAMES[versioned])
    given = function(address, versioned, (dtype or x.dtype.name).encode(), message)
    if given is None:
        return message.value.decode()
    rename(capsule, USED[versioned])
    return np.from_dlpack(Tensor(given, versioned))


def arrays(code):
    bits = np.random.default_rng(7).integers(0, 256, 240 * np.dtype(code).itemsize, np.uint8)
    x = ((bits & 1).view(bool) if code == "?" else bits.view(code)).reshape(4, 5, 12)
    yield from [x, x.T, x[::-1, :, ::3], x[1:3, 4, 11:2:-2], x[2], x[:, 1:2], x[3, 4, 5:6].reshape(()), x[:0]]
    yield np.asfortranarray(x)


count = 0
for versioned in range(2 if gives_versions() else 1):
    for code in TYPES:
        if code == "?" and not gives_versions():
            continue  # there is none in early DLPack
        for x in arrays(code):
            y = through(x, versioned)
            assert not isinstance(y, str), y
            assert y.dtype == x.dtype and y.shape == x.shape, f"{y!r} of {x!r}"
            assert y.tobytes() == x.tobytes(), f"{y!r} of {x!r}"
            if x.size > 0:
                assert y.__array_interface__["data"][0] == x.__array_interface__["data"][0], "a copy"
            z = through(x, versioned, gnp.through_any)
            assert z.dtype == x.dtype and z.shape == x.shape and z.tobytes() == x.tobytes(), f"{z!r} of {x!r}"
            count += 2

    # What was shared lives as long as somebody has it, and no longer.
    x = np.arange(6.0)
    alive = weakref.ref(x)
    y = through(x, versioned)
    del x
    gc.collect()
    assert alive() is not None and (y == np.arange(6)).all()
    del y
    gc.collect()
    assert alive() is None, "the tensor was not given back"

    # What is refused stays NumPy's.
    x = np.arange(6.0)
    alive = weakref.ref(x)
    message = through(x, versioned, dtype="float32")
    assert message.startswith("from_dlpack: the elements are float64, and float32 was asked for"), message
    del x
    gc.collect()
    assert alive() is None, "the tensor was kept"

    made = np.from_dlpack(Tensor(gnp.made_by_gnp(versioned), versioned))
    assert made.dtype == np.float32 and (made == np.arange(24).reshape(2, 3, 4)[..., ::-1]).all(), made

    if versioned:
        x = np.arange(6)
        x.flags.writeable = False
        y = through(x, versioned)
        assert (y == x).all() and not np.shares_memory(x, y) and y.flags.writeable
        repeated = through(np.broadcast_to(np.arange(3), (2, 3)), versioned)
        assert (repeated == np.arange(3)).all()

print(count, "arrays went through gnp and are what they were")
