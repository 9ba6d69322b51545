# SPDX-License-Identifier: MIT
"""Writes tests/data/accuracy.txt: sums, means and variances that are hard to get right in floats.

    <function> <set> <dtype> <rows> <columns> <axis> <truth> <NumPy's error>

The sets are made by one formula of the index each, here and in accuracy_test.cpp. The truth is computed exactly and
rounded to double; along an axis, the outputs are all the same set, so that one number serves.
"""

import math
import sys
from fractions import Fraction

import numpy as np

sys.dont_write_bytecode = True
from make_reductions import mixed
from make_ufuncs import DATA


def values(name, dtype, count):
    i = np.arange(count, dtype=np.uint64)
    k = i.astype(np.int64)
    whole = (mixed("small", i) >> np.uint64(40)).astype(np.float64)  # 24 bits
    large = 1e8 if dtype == "float32" else 1e16
    made = {
        "tenths": lambda: np.full(count, 0.1),
        "alternating": lambda: np.where(k % 2 == 0, large, 1.0),
        "cancelling": lambda: np.array([large, 1.0, -large, 1.0])[k % 4],
        "random": lambda: whole / 2.0**24,
        "one_large_first": lambda: np.where(k == 0, large, 1.0),
        "magnitudes": lambda: np.ldexp(whole / 2.0**24 - 0.5, (k * 7 % 41 - 20).astype(int)),
        "halves": lambda: (whole / 2.0**24).astype(np.float16),
        "far_from_zero": lambda: 1e8 + np.floor(whole / 2.0**20) % 2 * (16.0 if dtype == "float32" else 2.0),
        "offset": lambda: 10000 + np.floor(whole / 2.0**14) / 1024,
        "constant": lambda: np.full(count, 123.456),
    }[name]()
    return made.astype(dtype)


def truth_of(function, x):
    x = [float(v) for v in x]
    if function == "sum":
        return math.fsum(x)
    if function == "mean":
        return math.fsum(x) / len(x)
    # Twice the fractions: exact but for the last rounding.
    scale = 2**60
    whole = [int(Fraction(v) * scale) for v in x]
    assert all(Fraction(w, scale) == Fraction(v) for w, v in zip(whole[:100], x[:100]))
    total = sum(whole)
    squares = sum(w * w for w in whole)
    variance = Fraction(squares * len(x) - total * total, len(x) ** 2 * scale**2)
    return float(variance) if function == "var" else math.sqrt(variance)


def write(out, function, name, dtype, rows, columns, axis):
    x = values(name, dtype, rows if columns == 1 or axis == 0 else columns)
    if columns == 1:
        result = getattr(np, function)(x)
    else:
        table = np.repeat(x[:, None], columns, 1) if axis == 0 else np.repeat(x[None, :], rows, 0)
        result = getattr(np, function)(table, axis=axis)[0]
    truth = truth_of(function, x)
    error = abs(float(result) - truth)
    out.write(f"{function} {name} {dtype} {rows} {columns} {axis} {truth!r} {error:.6g}\n")


if __name__ == "__main__":
    with open(DATA / "accuracy.txt", "w") as out:
        for name in ["tenths", "alternating", "cancelling", "random", "one_large_first", "magnitudes"]:
            for dtype in ["float32", "float64"]:
                for count in [1000, 65537, 1000003]:
                    write(out, "sum", name, dtype, count, 1, 0)
                write(out, "mean", name, dtype, 1000003, 1, 0)
                if name != "cancelling":  # whose period suits some orders and spoils others
                    write(out, "sum", name, dtype, 100000, 3, 0)
                    write(out, "sum", name, dtype, 3, 100000, 1)
        for count in [1000, 100000, 1000003]:
            write(out, "sum", "halves", "float16", count, 1, 0)
            write(out, "mean", "halves", "float16", count, 1, 0)
        for function in ["var", "std"]:
            for name in ["far_from_zero", "offset", "random", "constant"]:
                for dtype in ["float32", "float64"]:
                    write(out, function, name, dtype, 1000003, 1, 0)
                    write(out, function, name, dtype, 200, 1, 0)
                    write(out, function, name, dtype, 50000, 3, 0)
                    write(out, function, name, dtype, 3, 50000, 1)
