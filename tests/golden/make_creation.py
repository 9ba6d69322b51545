# SPDX-License-Identifier: MIT
"""Writes tests/data/creation.txt, one call a line: <function> <dtype> <arguments>... | <shape> | <bytes in hexadecimal>

arange <dtype> start stop step      linspace <dtype> start stop num endpoint      eye <dtype> n m k
identity <dtype> n                  logspace <dtype> start stop num endpoint base full <dtype> value n...
"""

import sys

import numpy as np

sys.dont_write_bytecode = True
from make_ufuncs import DATA

ALL = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
       "complex64", "complex128"]
lines = []


def record(function, dtype, arguments, result):
    assert result.dtype.name == dtype, (function, dtype, result.dtype)
    text = " ".join(str(int(a)) if isinstance(a, bool) else repr(a) for a in arguments)
    lines.append(f"{function} {dtype} {text} | {','.join(map(str, result.shape))} | {result.tobytes().hex()}")


for dtype in ["int8", "int16", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64"]:
    for arguments in [(0, 10, 1), (0, 10, 3), (3, 9, 2), (5, 5, 1), (7, 3, 1), (1, 2, 5), (10, 0, -1), (9, 0, -4), (2, 100, 7),
                      (0, 1, 1)]:
        if arguments[2] > 0 or dtype[0] != "u":
            record("arange", dtype, arguments, np.arange(*arguments, dtype=dtype))
for dtype in ["int32", "int64", "float32", "float64"]:
    for arguments in [(-5, 6, 1), (-100, 1000, 33), (5, -6, -3), (2**20, 2**20 + 40, 4)]:
        record("arange", dtype, arguments, np.arange(*arguments, dtype=dtype))
record("arange", "int64", (2**53 + 1, 2**53 + 6, 1), np.arange(2**53 + 1, 2**53 + 6))
record("arange", "int64", (-(2**62), -(2**62) + 7, 3), np.arange(-(2**62), -(2**62) + 7, 3))
for dtype in ["float16", "float32", "float64"]:
    for arguments in [(0.0, 1.0, 0.1), (0.0, 1.0, 0.3), (1.0, 0.0, -0.125), (-1.5, 4.25, 0.25), (0.5, 3.0, 1.0), (0.0, 0.3, 0.1),
                      (1.0, 1.3, 0.1), (10.0, 0.0, -0.7), (2.0, 1.0, 0.5), (1e-3, 2e-3, 1e-4), (3.0, 30.0, 1.1)]:
        record("arange", dtype, arguments, np.arange(*arguments, dtype=dtype))

for dtype in ["float16", "float32", "float64"]:
    for start, stop in [(0.0, 1.0), (-2.5, 7.25), (3.0, -3.0), (2.0, 2.0), (0.1, 0.7), (1e-3, 1e3)]:
        for num in [0, 1, 2, 5, 50]:
            for endpoint in [True, False]:
                record("linspace", dtype, (start, stop, num, endpoint), np.linspace(start, stop, num, endpoint, dtype=dtype))
record("linspace", "float64", (0.0, 5e-324, 4, True), np.linspace(0.0, 5e-324, 4))
for dtype in ["int8", "int32", "int64", "uint8"]:
    for start, stop in [(0.0, 10.0), (-7.0, 7.0), (9.0, -9.0), (0.5, 99.5)]:
        for num in [0, 1, 4, 50]:
            for endpoint in [True, False]:
                if start >= 0 and stop >= 0 or dtype[0] != "u":
                    record("linspace", dtype, (start, stop, num, endpoint), np.linspace(start, stop, num, endpoint, dtype=dtype))

for dtype in ["float32", "float64"]:
    for start, stop in [(0.0, 3.0), (-2.0, 2.5), (1.0, -1.0)]:
        for num in [0, 1, 7, 50]:
            for endpoint in [True, False]:
                for base in [10.0, 2.0]:
                    record("logspace", dtype, (start, stop, num, endpoint, base),
                           np.logspace(start, stop, num, endpoint, base, dtype=dtype))

for dtype in ALL:
    for n, m, k in [(3, 3, 0), (2, 4, 1), (4, 2, -1), (3, 3, 5), (3, 3, -5), (0, 2, 0), (2, 0, 0), (1, 5, 4)]:
        record("eye", dtype, (n, m, k), np.eye(n, m, k, dtype=dtype))
    for n in [0, 1, 4]:
        record("identity", dtype, (n,), np.identity(n, dtype=dtype))
    for value in [0, 1, 100]:
        for shape in [(), (3,), (2, 3), (2, 0, 3), (1, 2, 1, 2)]:
            record("full", dtype, (value, *shape), np.full(shape, value, dtype=dtype))

(DATA / "creation.txt").write_text("\n".join(lines) + "\n")
print(len(lines), "lines")
