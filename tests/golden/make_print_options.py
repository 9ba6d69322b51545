# SPDX-License-Identifier: MIT
"""Writes tests/data/print_options.txt: what NumPy's array2string and array_repr make of the options of numbers.

One array a line: <dtype> <shape> <options> | <words> | <array2string> | <repr>. shape: 2,3, or - at rank 0. options, with commas
between: precision, threshold, edgeitems, linewidth, suppress, sign, floatmode, nanstr, infstr, separator, prefix, suffix; a blank
is written _ and a comma ;. words: the elements' bits in hexadecimal, a complex element as two. Newlines are \\n.
"""

import itertools
import pathlib

import numpy as np

DEFAULTS = dict(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False, sign="-", floatmode="maxprec",
                nanstr="nan", infstr="inf")
OF_TEXT = dict(separator=" ", prefix="", suffix="")
nan, inf = np.nan, np.inf
lines = []


def record(array, **options):
    chosen = {**DEFAULTS, **OF_TEXT, **options}
    with np.printoptions(**{name: chosen[name] for name in DEFAULTS}):
        text = np.array2string(array, **{name: chosen[name] for name in OF_TEXT}), np.array_repr(array)
    real = array.ravel().view(array.real.dtype) if array.dtype.kind == "c" else array.ravel()
    words = " ".join(f"{int(w):x}" for w in real.view(f"u{real.dtype.itemsize}"))
    written = ",".join(str(int(v) if isinstance(v, bool) else v).replace(",", ";").replace(" ", "_") for v in chosen.values())
    shape = ",".join(map(str, array.shape)) or "-"
    text = [t.replace("\n", "\\n") for t in text]
    lines.append(f"{array.dtype.name} {shape} {written} | {words} | {text[0]} | {text[1]}")


def make():
    samples = [(1, 2.5, 3), (0.1, -1 / 3, 100), (1e-5, 3, 0), (1e9, 2, 0.5), (nan, 1.25, inf), (nan, -1, -inf), (nan,), (inf, nan),
               (0, 0), (-0.0, 1), (1 / 3, 2 / 3), (12345.678, 0.001)]
    for dtype, sign, mode in itertools.product(("float16", "float32", "float64"), "-+ ", ("maxprec", "maxprec_equal", "unique", "fixed")):
        for sample in samples:
            with np.errstate(over="ignore"):
                record(np.array(sample, dtype), sign=sign, floatmode=mode)
        for precision in (0, 2, 12):
            record(np.array([1 / 3, 20, -0.5], dtype), precision=precision, sign=sign, floatmode=mode)
            record(np.array([1e-6, 20.25], dtype), precision=precision, sign=sign, floatmode=mode)
    for sign, mode in itertools.product("-+ ", ("maxprec_equal", "unique", "fixed")):
        for dtype in ("complex64", "complex128"):
            record(np.array([1 + 2j, -0.5 - 1e-3j, complex(nan, 1 / 3)], dtype), precision=4, sign=sign, floatmode=mode)
            record(np.array([1 + 2j, complex(inf, -inf)], dtype), sign=sign, floatmode=mode)
    for sign in "-+ ":
        record(np.array([1, 20, 300]), sign=sign)
        record(np.array([1, -20, 3]), sign=sign)
        record(np.array([[0, 255], [7, 8]], np.uint8), sign=sign)
        record(np.array([True, False]), sign=sign)
        record(np.array(5), sign=sign)
        record(np.array([], np.int32), sign=sign)
    for text in ({"nanstr": "-"}, {"nanstr": "missing"}, {"infstr": "Infinity"}, {"nanstr": "", "infstr": "oo"}):
        record(np.array([1.5, nan, -inf]), **text)
        record(np.array([nan, inf]), **text)
        record(np.array([1 + 2j, complex(nan, inf)]), **text)
        record(np.array([nan, inf]), sign="+", **text)
    wide = np.arange(40) * 1.25
    for separator in (", ", ",", " :  ", "", "/", ",  ", " -> ", "<=> "):
        record(np.array([1, 2, 3]), separator=separator)
        record(np.array([[1.5, 2], [-3, nan]]), separator=separator)
        record(np.arange(8).reshape(2, 2, 2), separator=separator)
        record(wide, separator=separator)
        record(wide, separator=separator, prefix="values = ", suffix="!")
        record(np.arange(12), separator=separator, threshold=10)
        record(wide.reshape(2, 20), separator=separator, prefix="x", linewidth=40)
    record(np.array(1 / 3))
    record(np.array(1 / 3), precision=3)
    record(np.array(2.0), floatmode="fixed", precision=2)
    record(np.array(1 + 0.125j))
    record(np.array(1e20, np.float32))
    record(np.array(True))
    record(np.zeros((0, 3)), separator=", ")
    record(np.arange(8, 12).reshape(2, 2) / 4, threshold=0, edgeitems=0)
    record(np.array([1000, -1, 2]), threshold=0, edgeitems=0)


if __name__ == "__main__":
    make()
    path = pathlib.Path(__file__).parent.parent / "data" / "print_options.txt"
    path.write_text("\n".join(lines) + "\n")
    print(f"{path}: {len(lines)} cases, {path.stat().st_size} bytes")
