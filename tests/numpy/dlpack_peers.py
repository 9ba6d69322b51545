# SPDX-License-Identifier: MIT
"""dlpack_peers.py <the library of dlpack.cpp>: arrays of PyTorch, CuPy and JAX, those that are installed, become gnp's
and theirs again. They share their memory; on a GPU also the order of their work. Where there is no GPU, those of the
libraries that work on a CPU do the same there."""
import ctypes
import importlib
import os
import sys

import numpy as np

NAMES = {0: b"dltensor", 1: b"dltensor_versioned"}
USED = {0: b"used_dltensor", 1: b"used_dltensor_versioned"}
DEFAULT_STREAM = 1  # CUDA's legacy one, in the words of the protocol

gnp = ctypes.CDLL(sys.argv[1])
gnp.through_gnp.argtypes = gnp.through_any.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p]
gnp.computed_by_gnp.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p]
for function in (gnp.through_gnp, gnp.through_any, gnp.computed_by_gnp):
    function.restype = ctypes.c_void_p
new = ctypes.pythonapi.PyCapsule_New
new.restype = ctypes.py_object
new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
is_valid = ctypes.pythonapi.PyCapsule_IsValid
is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Tensor:
    """A tensor that gnp gave, as the libraries take it."""

    def __init__(self, address, versioned, device):
        self.capsule, self.device = new(address, NAMES[versioned], None), device

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return self.device


class Torch:
    def __init__(self):
        import torch
        self.torch = torch
        self.gpu = torch.cuda.is_available()
        self.types = ["bool", "int8", "int16", "int32", "int64", "uint8", "bfloat16", "float16", "float32", "float64",
                      "complex64", "complex128"]
        self.steps_back = False
        self.from_dlpack = torch.from_dlpack

    def array(self, x, dtype):
        return self.torch.from_numpy(x).to("cuda" if self.gpu else "cpu", getattr(self.torch, dtype))

    def host(self, x):
        return (x.float() if x.dtype == self.torch.bfloat16 else x).cpu().numpy()

    def address(self, x):
        return x.data_ptr()

    def swapped(self, x):
        return x.permute(0, 2, 1)

    def on_a_stream(self, work):
        stream = self.torch.cuda.Stream()
        with self.torch.cuda.stream(stream):
            return work(stream.cuda_stream)


class Cupy:
    def __init__(self):
        import cupy
        self.cupy = cupy
        self.gpu = True
        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise RuntimeError("no GPU")
        self.types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                      "float32", "float64", "complex64", "complex128"]
        self.steps_back = False  # CuPy 13 tells a stride of -1 as 2^63 - 1 where elements have 2 bytes
        self.from_dlpack = cupy.from_dlpack

    def array(self, x, dtype):
        return self.cupy.asarray(x.astype(dtype))

    def host(self, x):
        return self.cupy.asnumpy(x)

    def address(self, x):
        return x.data.ptr

    def swapped(self, x):
        return x.transpose(0, 2, 1)

    def on_a_stream(self, work):
        stream = self.cupy.cuda.Stream(non_blocking=True)
        with stream:
            return work(stream.ptr)


class Jax:
    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        jax.config.update("jax_enable_x64", True)
        self.jax = jax
        self.gpu = jax.default_backend() == "gpu"
        self.types = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bfloat16", "float16",
                      "float32", "float64", "complex64", "complex128"]
        self.steps_back = True
        self.from_dlpack = jax.dlpack.from_dlpack

    def array(self, x, dtype):
        return self.jax.numpy.asarray(x).astype(dtype)

    def host(self, x):
        return np.asarray(x.astype("float32") if x.dtype.name == "bfloat16" else x)

    def address(self, x):
        return x.unsafe_buffer_pointer()

    def swapped(self, x):
        return x.transpose(0, 2, 1)

    on_a_stream = None  # it has its own and tells nobody


def export(library, x, stream):
    wanted = {"stream": stream} if library.gpu else {}
    try:
        return x.__dlpack__(max_version=(1, 0), **wanted)
    except TypeError:  # of a library that knows no versions
        return x.__dlpack__(**wanted)


def through(library, x, function, *arguments, stream=DEFAULT_STREAM):
    capsule = export(library, x, stream)
    versioned = int(is_valid(capsule, NAMES[1]))
    message = ctypes.create_string_buffer(300)
    given = function(pointer_of(capsule, NAMES[versioned]), versioned, *arguments, message)
    assert given is not None, message.value.decode()
    rename(capsule, USED[versioned])
    return library.from_dlpack(Tensor(given, versioned, (2, 0) if library.gpu else (1, 0)))


def layouts(library, x):
    yield from [x, library.swapped(x), x[1:3, 4, 3:11:2], x[2], x[:, 1:2], x[3, 4, 5], x[:0]]
    if library.steps_back:
        yield x[::-1, :, ::3]


def check_all(name, library):
    count = shared = 0
    for dtype in library.types:
        values = np.random.default_rng(7).integers(0, 2 if dtype == "bool" else 100, (4, 5, 12))
        for x in layouts(library, library.array(values, dtype)):
            for function in (gnp.through_gnp, gnp.through_any):
                y = through(library, x, function, dtype.encode())
                assert y.dtype == x.dtype and tuple(y.shape) == tuple(x.shape), (name, y, x)
                assert (library.host(y) == library.host(x)).all(), (name, y, x)
                count += 1
                shared += library.address(y) == library.address(x)

    # gnp's work comes after the library's that makes x, and before what it does with y.
    def compute(stream):
        x = library.array(np.zeros(1 << 24, np.float32), "float32")
        for _ in range(20):
            x = x + 1
        y = through(library, x, gnp.computed_by_gnp, stream, stream=stream or DEFAULT_STREAM)
        return float(abs(y - 41).max())  # queued at once behind gnp's work
    for _ in range(10 if library.gpu else 1):
        results = [compute(None)] + ([library.on_a_stream(compute)] if library.gpu and library.on_a_stream else [])
        assert all(result == 0 for result in results), (name, results)
    print(f"{name} {'on a GPU' if library.gpu else 'on the CPU'}: {count} arrays went through gnp, {shared} of them "
          f"without a copy; work in order")


for name, kind in (("PyTorch", Torch), ("CuPy", Cupy), ("JAX", Jax)):
    try:
        importlib.import_module({"PyTorch": "torch", "CuPy": "cupy", "JAX": "jax"}[name])
        library = kind()
    except Exception as error:  # noqa: BLE001: a library that does not work here is not what is tested
        print(f"skipped: no {name} ({type(error).__name__})")
        continue
    os.environ["GNP_DEVICE"] = "cuda" if library.gpu else "cpu"
    check_all(name, library)
