# SPDX-License-Identifier: MIT
"""arrow.py <the library of arrow.cpp>: pyarrow's columns become gnp's arrays and columns again, sharing memory."""
import ctypes
import sys

import pyarrow as pa

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]

gnp = ctypes.CDLL(sys.argv[1])
gnp.through_gnp.restype = ctypes.c_bool
gnp.through_gnp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_bool, ctypes.c_char_p]


def through(x, type_name, masked=False):
    """The column that comes back, or gnp's message."""
    schema = ctypes.create_string_buffer(72)
    column = ctypes.create_string_buffer(80)
    message = ctypes.create_string_buffer(300)
    places = ctypes.addressof(column), ctypes.addressof(schema)
    x._export_to_c(*places)
    taken = gnp.through_gnp(places[1], places[0], type_name.encode(), masked, message)
    back = pa.Array._import_from_c(*places)  # what was refused is still pyarrow's
    if taken:
        return back
    assert back.equals(x)
    return message.value.decode()


def check(x, type_name, masked=False):
    back = through(x, type_name, masked)
    assert not isinstance(back, str), back
    back.validate(full=True)
    assert back.equals(x), (type_name, x, back)
    return back


before = pa.total_allocated_bytes()
for name in TYPES:
    numbers = pa.array(range(100), type=getattr(pa, name)())
    back = check(numbers, name)
    assert back.buffers()[1].address == numbers.buffers()[1].address, "a copy was made"
    check(numbers[13:57], name)
    with_nulls = pa.array([None if i % 7 == 3 else i for i in range(100)], type=getattr(pa, name)())
    check(with_nulls, name, masked=True)
    check(with_nulls[11:70], name, masked=True)
    check(with_nulls[4:10], name)  # no null among them
    assert "of the 100 values are null" in through(with_nulls, name)
    check(pa.array([], type=getattr(pa, name)()), name)
halves = pa.array([0.5, -2.0, float("inf")], type=pa.float32()).cast(pa.float16())
check(halves, "float16")
truths = pa.array([i % 3 == 0 for i in range(77)])
check(truths, "bool")
check(truths[5:40], "bool")
check(pa.array([True, None, False]), "bool", masked=True)

assert "float32 was asked for" in through(pa.array([1.0]), "float32")
for other in (pa.array(["a"]), pa.array([[1]]), pa.array([None]), pa.array([0], type=pa.timestamp("s"))):
    assert "does not hold numbers" in through(other, "float32")
assert "dictionary" in through(pa.array(["a", "b"]).dictionary_encode(), "int32")
del numbers, back, with_nulls, halves, truths, other
assert pa.total_allocated_bytes() == before, "memory was not given back"
print("columns of", len(TYPES) + 2, "types went through gnp and back")
