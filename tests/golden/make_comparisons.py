# SPDX-License-Identifier: MIT
"""Writes tests/data/comparisons.bin, records as in make_ufuncs.py: NumPy's isclose of all pairs of some values.

    isclose           the defaults
    isclose_wide      rtol = 0.1, atol = 0.5
    isclose_nan       rtol = 0, equal_nan = True
"""

import sys

import numpy as np

sys.dont_write_bytecode = True
from make_ufuncs import COMPLEX, DATA, INTEGER

REAL = [0.0, -0.0, 1.0, 1.00001, 1.00002, 0.9, 1e-8, 2e-8, -1.0, 1000.0, 1000.01, 1000.02, 1e30, np.inf, -np.inf, np.nan]
SAME = INTEGER + ["float16", "float32", "float64"] + COMPLEX
MIXED = [("int32", "float32"), ("float32", "float64"), ("float64", "float32"), ("int64", "uint64"), ("uint8", "float16"),
         ("complex64", "float64"), ("bool", "float32"), ("float32", "int16")]  # fmt: skip


def values(dtype):
    if dtype == "bool":
        return np.array([False, True])
    if dtype in INTEGER:
        info = np.iinfo(dtype)
        return np.unique(np.array([info.min, info.min + 1, 0, 1, 2, 9, 10, 100, 101, info.max - 1, info.max], dtype))
    if dtype in COMPLEX:
        parts = [1.0, 1.00001, np.inf, np.nan]
        return np.array([complex(a, b) for a in parts for b in parts], dtype)
    return np.array(REAL).astype(dtype)


with np.errstate(all="ignore"), open(DATA / "comparisons.bin", "wb") as out:
    count = 0
    for pair in [(d, d) for d in SAME] + MIXED:
        first, second = map(values, pair)
        a, b = np.repeat(first, len(second)), np.tile(second, len(first))
        for operand in (a, b):
            out.write(f"data {count} {operand.dtype.name} {len(operand)}\n".encode() + operand.tobytes() + b"\n")
            count += 1
        for name, options in [("isclose", {}), ("isclose_wide", {"rtol": 0.1, "atol": 0.5}),
                              ("isclose_nan", {"rtol": 0, "equal_nan": True})]:  # fmt: skip
            result = np.isclose(a, b, **options)
            out.write(f"case {name} {count - 2},{count - 1} bool\n".encode() + result.tobytes() + b"\n")
