# SPDX-License-Identifier: MIT
"""Writes tests/data/sorting.txt: NumPy's stable argsort, and what searchsorted and digitize find.

A line of sorting is: argsort;dtype;shape;axis (or none);places. Element j of an array is computed by element() below
and by the test alike, among them NaN, infinities and zeros of both signs. bfloat16 is not NumPy's.
A line of searching is: searchsorted;dtype;sizes of the table and the queries;side;places - the queries are elements of
another seed, the table is sorted - or digitize;bins;right;places. And one of lexsort;axis;places of the keys
(element of seed 2, int16; of seed 1, float32; of seed 0, bool) of shape (4, 60).
"""
import pathlib

import numpy as np


def element(j, seed, dtype):
    k = (j * 7919 + seed * 104729 + j * j % 13) % 23
    if dtype == "bool":
        return k > 11
    if dtype.startswith("complex"):
        return complex(real(k % 5 + 14 * (k % 3)), real(k % 7 + 12))
    if dtype.startswith("float"):
        return real(k)
    if dtype.startswith("uint"):
        return k if k < 12 else 2 ** (8 * np.dtype(dtype).itemsize) - k
    return (k - 11) * 2 ** (8 * np.dtype(dtype).itemsize - 5)


def real(k):
    special = {18: np.nan, 19: np.inf, 20: -np.inf, 21: -0.0, 22: 0.0}
    return special.get(k, (k - 9) / 4)


def made(shape, seed, dtype):
    count = int(np.prod(shape))
    return np.array([element(j, seed, dtype) for j in range(count)], dtype).reshape(shape)


def words(values):
    return " ".join(str(v) for v in np.ravel(values))


dtypes = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128"]  # fmt: skip
lines = []
for dtype in dtypes:
    for shape, axis in [
        ((1,), 0), ((0,), -1), ((9,), 0), ((70,), -1), ((300,), -1), ((3, 5), 1), ((3, 5), 0), ((3, 5), None),
        ((2, 67, 3), 1), ((2, 3, 4), -3), ((0, 3), 1), ((2, 0), 1), ((4, 1), 1), ((), None),
    ]:  # fmt: skip
        a = made(shape, len(shape), dtype)
        places = np.argsort(a, axis=axis, kind="stable")
        lines.append(f"argsort;{dtype};{','.join(map(str, shape))};{'none' if axis is None else axis};{words(places)}")
for dtype in dtypes:
    for table, queries in [(0, 5), (1, 23), (23, 46), (60, 40), (40, 0)]:
        a = np.sort(made((table,), 1, dtype))
        v = made((queries,), 2, dtype)
        for side in ("left", "right"):
            lines.append(f"searchsorted;{dtype};{table},{queries};{side};{words(np.searchsorted(a, v, side))}")
x = np.array([-1, 0.2, 0, 1, 6.4, 3, 2.5, 4, 10, 11, np.nan, np.inf])
for name, bins in [("up", [0, 1, 2.5, 4, 10]), ("down", [10, 4, 2.5, 1, 0]), ("flat", [1, 1, 1]), ("one", [2.5])]:
    for right in (0, 1):
        lines.append(f"digitize;{name};{right};{words(np.digitize(x, bins, bool(right)))}")
for axis in (0, 1):
    keys = [made((4, 60), seed, dtype) for seed, dtype in ((2, "int16"), (1, "float32"), (0, "bool"))]
    lines.append(f"lexsort;{axis};{words(np.lexsort(keys, axis))}")
path = pathlib.Path(__file__).parent.parent / "data" / "sorting.txt"
path.write_text("\n".join(lines) + "\n")
