#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/data/text.txt: what NumPy's savetxt, loadtxt and genfromtxt make, for text_test.

One case on each line, fields separated by tabs, with \\n, \\r, \\t and \\\\ escaped:
  save  dtype  shape  values  formats separated by ;  delimiter  the file, or "error"
  load  dtype  delimiter  comments  skiprows  usecols  unpack  ndmin  max_rows  the file  shape or "error"  bytes in hex
  gaps  dtype  delimiter  comments  skip_header  skip_footer  missing  filling  the file  shape or "error"  bytes in hex
A delimiter that is left empty is not given.
"""
import io
import pathlib
import random
import warnings

import numpy as np

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
warnings.simplefilter("ignore")
rng = random.Random(5)


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def line(*fields):
    print(*(escaped(str(f)) for f in fields), sep="\t", file=out)


def save(dtype, shape, values, fmt="%.18e", delimiter=" "):
    number = complex if "complex" in dtype else float if "float" in dtype else int
    x = np.array([number(v) for v in values.split()], dtype).reshape(shape)
    file = io.StringIO()
    formats = fmt.split(";")
    try:
        np.savetxt(file, x, fmt=formats if len(formats) > 1 else fmt, delimiter=delimiter)
        result = file.getvalue()
    except Exception:
        result = "error"
    line("save", dtype, ",".join(map(str, shape)), values, fmt, delimiter, result)


def described(x):
    return ",".join(map(str, x.shape)) if x.shape else "()", np.ascontiguousarray(x).tobytes().hex()


def load(content, dtype="float64", delimiter="", comments="#", skiprows=0, usecols=(), unpack=False, ndmin=0, max_rows=-1):
    try:
        x = np.loadtxt(io.StringIO(content), dtype=dtype, delimiter=delimiter or None, comments=comments or None,
                       skiprows=skiprows, usecols=usecols or None, unpack=unpack, ndmin=ndmin,
                       max_rows=None if max_rows < 0 else max_rows)
        result = described(x)
    except Exception:
        result = ("error", "")
    line("load", dtype, delimiter, comments, skiprows, ",".join(map(str, usecols)), int(unpack), ndmin, max_rows, content, *result)


def gaps(content, dtype="float64", delimiter="", comments="#", skip_header=0, skip_footer=0, missing="", filling=""):
    try:
        x = np.genfromtxt(io.StringIO(content), dtype=dtype, delimiter=delimiter or None, comments=comments, skip_header=skip_header,
                          skip_footer=skip_footer, missing_values=missing or None, filling_values=float(filling) if filling else None)
        result = described(x)
    except Exception:
        result = ("error", "")
    line("gaps", dtype, delimiter, comments, skip_header, skip_footer, missing, filling, content, *result)


FLOATS = "1.5 -2.25 nan inf -inf 0 -0.0 1e300 1e-300 123456789.125 3.0e-5 99999.5"
with open(DATA / "text.txt", "w") as out:
    for fmt in ["%.18e", "%g", "%.3f", "%10.2e|", "%s", "%-12.3f|", "% .3f", "%+.2e", "%012.3f", "%G", "%E", "%.0f", "%5.1f:", "x%gy",
                "%.3s", "%20s", "%ld", "%x", "%5", "%q", "%d%d%d", "abc", "%.12g"]:
        save("float64", (3, 4), FLOATS, fmt, ",")
    for fmt in ["%s", "%.4f", "%g"]:
        save("float32", (6,), "1.5 0.1 3.4e38 1e-40 16777216 0.333333333", fmt)
        save("float16", (4,), "1.5 0.1 65504 1e-5", fmt)
    for fmt in ["%d", "%i", "%u", "%5d", "%-5d|", "%05d", "%+d", "% d", "%x", "%X", "%o", "%.3d", "%6.3d", "%f", "%.1e", "%s", "%8s|"]:
        for dtype, values in [("int8", "-128 0 127"), ("int64", "-9223372036854775808 5 9223372036854775807"), ("uint64", "0 1 18446744073709551615"),
                              ("uint16", "0 255 65535"), ("bool", "0 1 1")]:
            if dtype == "bool" and fmt in ("%x", "%X", "%o"):
                continue  # NumPy: Python says True is no integer here
            save(dtype, (3,), values, fmt)
    for values in ["1.7 -1.7 0.5", "-0.5 1e18 1e30"]:
        save("float64", (3,), values, "%d")
        save("float64", (3,), values, "%5d")
    save("float64", (2, 2), "1.75 2.5 3 4", "%d;%.1f", ",")
    save("float64", (2, 2), "1.75 2.5 3 4", "%d and %5.1f")
    save("float64", (2, 2), "1.75 2.5 3 4", "%d;%.1f;%g")
    for fmt in ["%.18e", "%.2f", "%g", "%.1f %.2f"]:
        save("complex128", (2,), "1+2j -3-4.5j", fmt)
        save("complex64", (1, 2), "0.1+0.2j 3-0j", fmt, ";")
    save("int32", (0, 3), "")
    save("int32", (1, 1, 1), "3")
    save("int32", (), "3")

    for content in ["1 2\n3 4\n", "1\n2\n", "1 2\n", "5\n", "5", "", "\n\n", "# c\n1 2\n\n3 4 # x\n", "1 2\n3\n", "1 2\n3 x\n", "nan inf -inf Infinity NaN INF\n",
                    "1e400 -1e400 1e-400 4.9e-324 2.2250738585072014e-308 1.7976931348623157e308 1.7976931348623159e308\n", "1_000\n", "0x10\n", "1 2\r\n3 4\r\n",
                    "+5 +1e+3 .5 5. -.5e-1 1E5\n", "+-5\n", "-+5\n", "++5\n", "1 2 #\n#\n3 4", "\t1\t 2\n", "nan(12)\n", "1e\n", "1e+\n", ".\n", "-\n", "1.0f\n", "1d5\n", "'1'\n",
                    "0.1 0.2 0.30000000000000004 123456789012345678901234567890 9007199254740993\n", "infinit\n"]:
        load(content)
        load(content, "float32", ndmin=1)
        load(content, ndmin=2, unpack=True)
    for content in ["1,2\n3,4\n", " 1 , 2 \n", "1,,2", "1,2,\n", "1;2", ",", "1,2\n\n3,4\n", "1, 2 # 3\n"]:
        load(content, delimiter=",")
        load(content, "int32", delimiter=",")
    for dtype, content in [("int8", "127 -128\n"), ("int8", "128\n"), ("int8", "-129\n"), ("uint8", "255 0\n"), ("uint8", "256\n"), ("uint8", "-1\n"),
                           ("int64", "9223372036854775807 -9223372036854775808\n"), ("int64", "9223372036854775808\n"), ("uint64", "18446744073709551615\n"),
                           ("uint64", "18446744073709551616\n"), ("int16", "1.0\n"), ("int32", "1e5\n"), ("uint32", "+5 4294967295\n"), ("int32", ""), ("bool", "0 1 2 -1\n"),
                           ("bool", "True\n"), ("float16", "70000 1.0009765625 0.1 1e-8 65519 65520\n"), ("complex128", "1+2j (3-4j) 1j -1j 5 (5) 1-nanj 1e5+1e-5j\n"),
                           ("complex64", "1+2\n"), ("complex64", "j\n"), ("complex64", "1+2j3\n"), ("complex64", "(1+2j\n"), ("complex128", "0.1+0.2j\n"), ("int32", "x\n")]:
        load(content, dtype)
        load(content, dtype, ndmin=2)
    square = "1 2 3\n4 5 6\n7 8 9\n"
    for usecols in [(0,), (2, 0), (-1,), (1, 1), (3,), (-4,), (0, 1, 2)]:
        load(square, usecols=usecols)
        load(square, usecols=usecols, unpack=True, ndmin=2)
    load("1 2 3\n4 5\n", usecols=(0, 1))
    load("a 2 b\nc 5 d\n", usecols=(1,))
    for skip in [0, 1, 2, 3, 9]:
        for most in [-1, 0, 1, 2, 9]:
            load(square, skiprows=skip, max_rows=most, ndmin=skip % 3)
    load("title line\n% note\n1 2 % 3\n4 5\n", comments="%", skiprows=1)
    load("// note\n1 2 // 3\n", comments="//")
    load("1 2\n3 4\n", comments="")
    for _ in range(40):  # the last places
        load(" ".join(repr(rng.uniform(-1, 1) * 10 ** rng.randint(-300, 300)) for _ in range(4)) + "\n", rng.choice(["float64", "float32", "float16"]))

    for dtype in ["float64", "int32", "complex128"]:
        gaps("1,2,3\n4,,6\n7,x,9\n", dtype, ",")
        gaps("1,2,3\n4,,6\n", dtype, ",", filling="7")
    gaps("a,b\n1,2\n3,-\n\ntotal,9\n", "float64", ",", skip_header=1, skip_footer=1, missing="-", filling="0")
    gaps("1 2\n3 4\n# end\n\n5 6\n", skip_footer=1)
    gaps("1 2\n3 4\n", skip_footer=5)
    gaps("1,2\n3\n", delimiter=",")
    gaps("1,N/A\n3,4\n", delimiter=",", missing="N/A")
    gaps("5\n")
    gaps("1,2\n1e400,0x3\n", delimiter=",")
print(sum(1 for _ in open(DATA / "text.txt")), "cases")
