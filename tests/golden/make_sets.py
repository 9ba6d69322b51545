# SPDX-License-Identifier: MIT
"""Writes tests/data/sets.txt: NumPy's unique and set functions.

A line is: function;dtype;shape;axis;equal_nan;results, divided by '|', each its shape, ':' and its elements. Elements
are computed by values() below and by the test alike; the second array of a set function is that of seed 1.
"""
import pathlib

import numpy as np


def values(dtype, shape, seed=0):
    j = np.arange(int(np.prod(shape)), dtype=np.int64)
    k = (j * 7919 + seed * 13 + j // 5) % 11
    if dtype == "bool":
        return (k > 5).reshape(shape)
    if dtype.startswith("complex"):
        return (k % 3 + 1j * (k % 2)).astype(dtype).reshape(shape)
    if dtype.startswith("float"):
        x = (k / 4 - 1).astype(dtype)
        x[j % 4 == 2] = np.nan
        return x.reshape(shape)
    return (k * 3 - (0 if dtype.startswith("u") else 9)).astype(dtype).reshape(shape)


def number(value):
    if isinstance(value, complex):
        return f"{value.real:.17g},{value.imag:.17g}"
    return f"{value:.17g}" if isinstance(value, float) else str(int(value))


def text(a):
    a = np.asarray(a)
    return ",".join(map(str, a.shape)) + ":" + " ".join(number(v) for v in a.ravel().tolist())


lines = []
for dtype in ("bool", "int8", "uint32", "int64", "float16", "float64", "complex64"):
    for shape in ((0,), (1,), (23,), (4, 6), (2, 3, 2), (3000,)):
        x = values(dtype, shape)
        for axis in (None, 0, -1):
            if axis is not None and (dtype.startswith("float") or len(shape) == 1):
                continue
            for equal_nan in (True, False):
                if not equal_nan and not dtype.startswith("float"):
                    continue
                parts = np.unique(x, True, True, True, axis=axis, equal_nan=equal_nan)
                where = "" if axis is None else str(axis)
                lines.append(f"unique;{dtype};{','.join(map(str, shape))};{where};{int(equal_nan)};" + "|".join(map(text, parts)))
    for shape in ((0,), (5,), (3, 4)):
        x, y = values(dtype, shape), values(dtype, (9,), 1)
        head = f";{dtype};{','.join(map(str, shape))};;;"
        lines.append("isin" + head + text(np.isin(x, y)) + "|" + text(np.isin(x, y, invert=True)))
        if dtype.startswith("float"):
            continue
        lines.append("intersect1d" + head + "|".join(map(text, np.intersect1d(x, y, return_indices=True))))
        lines.append("union1d" + head + text(np.union1d(x, y)))
        lines.append("setdiff1d" + head + text(np.setdiff1d(x, y)))
        lines.append("setxor1d" + head + text(np.setxor1d(x, y)))
path = pathlib.Path(__file__).resolve().parent.parent / "data" / "sets.txt"
path.write_text("\n".join(lines) + "\n")
print(len(lines), "records,", path.stat().st_size, "bytes")
