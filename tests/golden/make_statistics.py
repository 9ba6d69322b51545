# SPDX-License-Identifier: MIT
"""Writes tests/data/statistics.txt: NumPy's averages, covariances, medians and quantiles.

A line is: function;dtype;shape;options;shape of the result;its elements. Options are words: 'axis=0,1', 'y' (a second
array), 'fweights', 'method=hazen', 'q=0.25,0.5' and so on. Elements are computed by values() below and by the test
alike.
"""
import pathlib
import warnings

import numpy as np

warnings.simplefilter("ignore")


def values(dtype, shape, seed=0):
    j = np.arange(int(np.prod(shape)), dtype=np.int64)
    k = (j * 7919 + seed * 31 + j // 7 + j * j // 3) % 37
    if dtype == "bool":
        return (k > 18).reshape(shape)
    if dtype.startswith("complex"):
        return (k / 4 + 1j * ((j * 5 + seed) % 7)).astype(dtype).reshape(shape)
    if dtype.startswith("float"):
        x = (k / 4 - 3).astype(dtype)
        if seed == 9:  # with NaN
            x[j % 5 == 2] = np.nan
            x[(j // 6) % 4 == 3] = np.nan
        return x.reshape(shape)
    return (k * 3).astype(dtype).reshape(shape)


def number(value):
    if isinstance(value, complex):
        return f"{value.real:.17g},{value.imag:.17g}"
    return f"{value:.17g}" if isinstance(value, float) else str(int(value))


lines = []


def write(function, dtype, shape, options, result):
    result = np.asarray(result)
    if dtype.startswith("complex") and np.isinf(result).any():
        return  # infinite times a number next to zero
    shapes = (",".join(map(str, s)) for s in (shape, result.shape))
    first, last = shapes
    numbers = " ".join(number(v) for v in result.ravel().tolist())
    lines.append(f"{function};{dtype};{first};{options};{last};{numbers}")


for dtype in ("float64", "complex128"):
    for shape in ((4, 9), (1, 5), (6,), (3, 2)):
        x, y = values(dtype, shape), values(dtype, shape, 3)
        for rowvar in (True, False):
            rows = "" if rowvar else "rowvar=0 "
            write("cov", dtype, shape, rows, np.cov(x, rowvar=rowvar))
            write("corrcoef", dtype, shape, rows, np.corrcoef(x, rowvar=rowvar))
            if rowvar or shape[0] != 1:  # NumPy turns x round, but not y
                write("cov", dtype, shape, rows + "y", np.cov(x, y, rowvar=rowvar))
                write("corrcoef", dtype, shape, rows + "y", np.corrcoef(x, y, rowvar=rowvar))
            count = shape[0] if not rowvar and len(shape) == 2 else shape[-1]
            f, a = np.arange(count) % 3 + 1, (np.arange(count) * 5 % 7 + 1) / 4
            for ddof, text in ((None, ""), (0, "ddof=0"), (2, "ddof=2")):
                write("cov", dtype, shape, rows + "bias " + text, np.cov(x, rowvar=rowvar, bias=True, ddof=ddof))
                for fweights, aweights in ((f, None), (None, a), (f, a)):
                    words = rows + text + (" fweights" if fweights is not None else "") + (" aweights" if aweights is not None else "")
                    write("cov", dtype, shape, words, np.cov(x, rowvar=rowvar, ddof=ddof, fweights=fweights, aweights=aweights))

methods = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
           "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest")  # fmt: skip
for function, seed in (("", 0), ("", 9), ("nan", 9)):
    for dtype in ("int32", "float32", "float64"):
        if seed == 9 and dtype == "int32":
            continue
        for shape in ((4, 7, 3), (8,), (1,)):
            x = values(dtype, shape, seed)
            name = "nan-" if seed == 9 else ""  # of values with NaN
            for axis in (None, 0, -1, (0, 2)):
                if len(shape) == 1 and axis not in (None, 0):
                    continue
                where = "" if axis is None else "axis=" + ",".join(map(str, np.atleast_1d(axis)))
                if name:
                    where += " seed=9"
                for keep in (False, True):
                    words = where + (" keepdims" if keep else "")
                    write(function + "median", dtype, shape, words, getattr(np, function + "median")(x, axis=axis, keepdims=keep))
                for method in methods if dtype == "float64" else ("linear", "hazen", "nearest"):
                    quantile = getattr(np, function + "quantile")
                    for q in (0.0, 0.3, 1.0, [0.25, 0.5, 0.9]):
                        words = f"{where} method={method} q=" + ",".join(map(str, np.atleast_1d(q)))
                        words += " list" if isinstance(q, list) else ""
                        write(function + "quantile", dtype, shape, words, quantile(x, q, axis=axis, method=method))
                if dtype == "float64" and axis in (0, -1, None):
                    count = x.size if axis is None else shape[axis]
                    w = (np.arange(count) * 5 % 4).astype(float)
                    w = w.reshape(shape) if axis is None else w
                    if function and axis is not None:  # whose weights have to have the shape of the values
                        w = np.broadcast_to(np.expand_dims(w, tuple(d for d in range(x.ndim) if d != axis % x.ndim)), shape)
                    if w.sum() == 0:
                        continue
                    for q in (0.0, 0.3, 1.0, [0.25, 0.5, 0.9]):
                        words = f"{where} weights method=inverted_cdf q=" + ",".join(map(str, np.atleast_1d(q)))
                        words += " list" if isinstance(q, list) else ""
                        try:
                            result = quantile(x, q, axis=axis, method="inverted_cdf", weights=w)
                        except ValueError:  # all weights are those of NaN
                            continue
                        write(function + "quantile", dtype, shape, words, result)
for dtype in ("int8", "float32"):
    x = values(dtype, (4, 3, 2))
    for axis, shape in ((None, (4, 3, 2)), (0, (4,)), (1, (3,)), ((2, 0), (2, 4)), ((0, 2), (4, 2)), (-1, (4, 3, 2))):
        w = ((np.arange(np.prod(shape)) * 5 % 4 + 1) / 4).reshape(shape)
        avg, total = np.average(x, axis, w, returned=True)
        where = "" if axis is None else "axis=" + ",".join(map(str, np.atleast_1d(axis)))
        where += " weights=" + ",".join(map(str, shape))
        write("average", dtype, (4, 3, 2), where, avg)
        write("average-weights", dtype, (4, 3, 2), where, total)
path = pathlib.Path(__file__).resolve().parent.parent / "data" / "statistics.txt"
path.write_text("\n".join(lines) + "\n")
print(len(lines), "records,", path.stat().st_size, "bytes")
