# SPDX-License-Identifier: MIT
"""Writes tests/data/histograms.txt: NumPy's bincount, histogram and their like.

A line is: function;dtype of the values;how many;bins;range;weights' dtype or '';density;counts;edges. Bins are a
number, the name of a rule, or edges with commas between them; edges of several axes, or their numbers, are divided
by '|'. Values and weights are computed by values() and weights() below and by the test alike.
"""
import pathlib
import warnings

import numpy as np

warnings.simplefilter("ignore")


def values(dtype, count, seed=0):
    j = np.arange(count, dtype=np.int64)
    k = (j * 7919 + seed * 31 + j // 7) % 101
    if dtype == "bool":
        return k > 40
    if dtype.startswith("u"):
        return k.astype(dtype)
    if dtype.startswith("i"):
        return (k - 50).astype(dtype)
    return (k * 0.1 - 2).astype(dtype)


def weights(dtype, count):
    j = np.arange(count, dtype=np.int64)
    real = (j * 31 % 17) / 4 - 1
    return (real + 1j * (j % 5)).astype(dtype) if dtype.startswith("c") else real.astype(dtype)


def number(value):
    if isinstance(value, complex):
        return f"{value.real:.17g},{value.imag:.17g}"
    return f"{value:.17g}" if isinstance(value, float) else str(int(value))


def text(a):
    return " ".join(number(v) for v in np.asarray(a).ravel().tolist())


lines = []


def histogram(dtype, count, bins, range_, weight, density):
    w = None if weight == "" else weights(weight, count)
    try:
        hist, edges = np.histogram(values(dtype, count), bins, range_, density=density, weights=w)
    except ValueError as e:
        print(dtype, count, bins, range_, e)
        hist, edges = None, None
    bins_text = bins if isinstance(bins, str) else text(bins).replace(" ", ",")
    range_text = "" if range_ is None else f"{range_[0]!r},{range_[1]!r}"
    head = f"histogram;{dtype};{count};{bins_text};{range_text};{weight};{'' if density is None else int(density)};"
    lines.append(head + ("error;" if hist is None else text(hist) + ";" + text(edges)))


for dtype in ("bool", "uint8", "int64", "float16", "float32", "float64"):
    for count in (0, 1, 37, 1000):
        for bins in (1, 10, 7, 61, [0, 1, 2.5, 4, 8], [-1, 0, 0, 3], [2]):
            for range_ in (None, (0, 5), (-1.3, 3.3), (2.1, 2.1)):
                if isinstance(bins, list) and range_ is not None:
                    continue
                histogram(dtype, count, bins, range_, "", None)
        if count:
            histogram(dtype, count, 10, None, "", True)
            histogram(dtype, count, [0, 1, 2.5, 4, 80], None, "", True)
            histogram(dtype, count, 300, None, "", None)
for weight in ("float64", "float32", "int32", "complex64"):
    for bins in (7, [-1, 0, 2.5]):
        for density in (None, True):
            histogram("float32", 1000, bins, None, weight, density)
for rule in ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"):
    for dtype in ("uint8", "int64", "float32", "float64"):
        for count in (0, 1, 2, 37, 1000):
            for range_ in (None, (0.5, 3)):
                histogram(dtype, count, rule, range_, "", None)
for dtype in ("bool", "uint8", "uint8", "int32", "int64"):
    for count in (0, 1, 1000):
        x = values(dtype, count)
        x = x if dtype == "bool" else np.abs(x.astype(int)).astype(dtype)
        for weight in ("", "float64", "int32"):
            for least in (0, 60, 200):
                w = None if weight == "" else weights(weight, count)
                result = np.bincount(x, w, least)
                lines.append(f"bincount;{dtype};{count};{least};;{weight};;{text(result)};")
for bins, range_ in ((4, None), ([3, 5], None), ([3, 5], [[0, 4], [-1, 2.5]]), ([[0, 1, 4], [-2, 0.5, 3, 8]], None)):
    for weight in ("", "float64"):
        for density in (False, True):
            w = None if weight == "" else weights(weight, 500)
            hist, x, y = np.histogram2d(values("float64", 500), values("float64", 500, 5), bins, range_, density, w)
            both = [bins, bins] if isinstance(bins, int) else bins
            bins_text = "|".join(text(b).replace(" ", ",") for b in both)
            range_text = "" if range_ is None else "|".join(f"{a!r},{b!r}" for a, b in range_)
            lines.append(f"histogram2d;float64;500;{bins_text};{range_text};{weight};{int(density)};{text(hist)};{text(x)}|{text(y)}")
path = pathlib.Path(__file__).resolve().parent.parent / "data" / "histograms.txt"
path.write_text("\n".join(lines) + "\n")
print(len(lines), "records,", path.stat().st_size, "bytes")
