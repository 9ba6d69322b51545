# SPDX-License-Identifier: MIT
"""Writes tests/data/ufunc_methods.txt: what NumPy's reduce, accumulate, reduceat, outer and at make of arrays."""

import sys

import numpy as np

sys.dont_write_bytecode = True
from named import Lines, numbers

f4, f8, i1, i4, i8, u1, u2, f2, c16 = (
    np.float32, np.float64, np.int8, np.int32, np.int64, np.uint8, np.uint16, np.float16, np.complex128)
t = Lines()

ufuncs = {
    "floats": (f8, "add subtract multiply divide floor_divide remainder fmod power float_power maximum minimum fmax fmin "
                   "hypot logaddexp logaddexp2 arctan2 copysign heaviside logical_and logical_or logical_xor"),
    "floats32": (f4, "add subtract multiply divide maximum minimum fmax fmin hypot logaddexp arctan2 copysign logical_or"),
    "halves": (f2, "add subtract multiply maximum fmin"),
    "ints": (i4, "add subtract multiply divide maximum minimum fmax fmin gcd lcm bitwise_and bitwise_or bitwise_xor "
                 "logical_and logical_or logical_xor left_shift hypot"),
    "bytes": (i1, "add subtract multiply maximum bitwise_or bitwise_xor gcd"),
    "words": (u2, "add subtract multiply minimum bitwise_and"),
    "longs": (i8, "add subtract multiply maximum bitwise_and gcd"),
    "bools": (bool, "add multiply maximum minimum bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor"),
    "complex": (c16, "add subtract multiply divide maximum logical_or"),
}
with np.errstate(all="ignore"):
    for kind, (dtype, names) in ufuncs.items():
        x = numbers((3, 4, 5), dtype)
        if kind == "ints":
            x = x % 7
        for name in names.split():
            u = getattr(np, name)
            reduces = u
            if name in ("power", "arctan2"):  # NumPy 2.4's own are not what their accumulate ends with
                reduces = np.frompyfunc(u, 2, 1)
            for axis in (0, 1, -1):
                t.add(f"{name} {kind} reduce {axis}", reduces.reduce(x, axis=axis).astype(u.reduce(x, axis=axis).dtype))
                t.add(f"{name} {kind} accumulate {axis}", u.accumulate(x, axis=axis))
            t.add(f"{name} {kind} reduceat", reduces.reduceat(x.astype(object) if reduces is not u else x, [0, 3, 1, 1], axis=1).astype(u.reduce(x).dtype))
            t.add(f"{name} {kind} keepdims", reduces.reduce(x[:, ::-2], axis=1, keepdims=True).astype(u.reduce(x).dtype))
            t.add(f"{name} {kind} outer", u.outer(x[0, :2, :2], x[1, 1]))

x = numbers((3, 4), f8)
t.add("all axes", np.add.reduce(x, axis=None))
t.add("two axes", np.multiply.reduce(x, axis=(0, 1)))
t.add("number", np.subtract.reduce(np.float64(3.5)))
t.add("no elements", np.logaddexp.reduce(np.zeros((0, 3))))
t.add("no elements and", np.bitwise_and.reduce(np.zeros((2, 0), i4), axis=1))
t.add("no elements hypot", np.hypot.reduce(np.zeros((0,))))
t.add("no results", np.subtract.reduce(np.zeros((0, 3)), axis=1))
t.add("no accumulate", np.subtract.accumulate(np.zeros((0, 3))))
t.add("no segments", np.subtract.reduceat(x, np.zeros(0, i8)))
t.add("one", np.subtract.reduce(x[:1]))
t.add("nan", np.fmax.reduce(np.array([[np.nan, 1, np.nan], [np.nan, np.nan, 3]])))
t.add("nan accumulate", np.fmin.accumulate(np.array([np.nan, 2, np.nan, 1, 5])))
t.add("as double", np.add.reduce(numbers(9, f4), dtype=f8))
t.add("bytes as ints", np.subtract.accumulate(numbers(9, u1), dtype=i4))
t.add("two axes in order", lambda: np.subtract.reduce(x, axis=None))
t.add("no identity", lambda: np.subtract.reduce(np.zeros((0, 3))))
t.add("number accumulate", lambda: np.add.accumulate(np.float64(1)))
t.add("number reduceat", lambda: np.add.reduceat(np.float64(1), [0]))
t.add("index too large", lambda: np.add.reduceat(x, [0, 3]))
t.add("index negative", lambda: np.add.reduceat(x, [-1]))
t.add("axis too large", lambda: np.subtract.reduce(x, axis=2))

mean = np.frompyfunc(lambda a, b: (a + b) / 2, 2, 1)
t.add("user reduce", mean.reduce(x, axis=1).astype(f8))
t.add("user accumulate", mean.accumulate(x.astype(object), axis=0).astype(f8))
t.add("user reduceat", mean.reduceat(x.astype(object), [0, 2, 1], axis=1).astype(f8))
t.add("user outer", mean.outer(x[0], x[:2]).astype(f8))
y = x[0].astype(object)
mean.at(y, [0, 0, 2, -1], 8.0)
t.add("user at", y.astype(f8))
z = x.copy()
np.hypot.at(z, ([0, 0, 2], [1, 1, 3]), [3.0, 4.0, 5.0])
t.add("hypot at", z)
t.write("ufunc_methods.txt")
