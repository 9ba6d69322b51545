# SPDX-License-Identifier: MIT
"""Writes tests/data/reductions.bin: what NumPy 2 answers for every reduction, element type and choice of axes.

A line of text for each input, and for each reduction of it a line, little-endian values and a newline:

    input <dtype> <shape> <kind>
    <function> <axis> <options> <dtype> <shape> <tolerance> <count>
    <function> <axis> <options> error <index_error or error>

Inputs are not stored: kind and index make each element, here in `elements` and in reductions_golden.hpp. The axis is
"-" for none, "()" for an empty list. Options: k keepdims, i<number> initial, d<number> ddof, w weights, n<number> how often. Of results with
more than five elements `count` are stored, evenly spread from the first to the last.

What is exact is NumPy's own answer. Float sums, products, means and variances are the exactly summed ones, rounded
once, with the error allowed beside them. bfloat16, which NumPy does not have, is computed in float32 and rounded.
"""

import fractions
import math
import sys

import numpy as np

sys.dont_write_bytecode = True
from make_ufuncs import COMPLEX, DATA, DTYPES, FLOAT, INTEGER, SIGNED, round_to_bfloat16

# ---------------------------------------------------------------------------------------------------- the elements

KINDS = "small ties wide fraction factor special gaps nan zeros".split()


def mixed(kind, index):
    """64 random bits for each index."""
    z = (index.astype(np.uint64) + np.uint64(KINDS.index(kind) * 1000003 + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def reals(dtype, kind, index):
    """Elements of a real type; bfloat16 as float32."""
    bits = mixed(kind, index)
    draw = lambda n: ((bits >> np.uint64(33)) % np.uint64(n)).astype(np.int64)
    if dtype == "bool":
        return bits >> np.uint64(63) != 0
    if dtype in INTEGER:
        if kind == "wide":
            return bits.astype(dtype)
        n = 5 if kind == "ties" else 101
        return (draw(n) - (n // 2 if dtype in SIGNED else 0)).astype(dtype)
    digits = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}[dtype]
    small = (draw(2 * 127 + 1) - 127) / 16 if dtype == "bfloat16" else (draw(2 * 1000 + 1) - 1000) / 16
    fraction = np.ldexp((bits >> np.uint64(64 - digits)).astype(np.float64), -digits)
    low = bits & np.uint64(31)
    chosen = {
        "small": lambda: small,
        "ties": lambda: draw(5) - 2.0,
        "fraction": lambda: fraction - 0.25,
        "factor": lambda: np.where(low < 16, 1, -1) * (0.75 + np.floor(fraction * 2.0 ** (digits - 2)) * 2.0 ** (1 - digits)),
        "special": lambda: np.select([low == n for n in range(5)], [np.nan, np.inf, -np.inf, -0.0, 0.0], small),
        "gaps": lambda: np.where(low < 8, np.nan, small),
        "nan": lambda: np.full(index.shape, np.nan),
        "zeros": lambda: np.where(low < 16, 0.0, -0.0),
    }[kind]()
    result = chosen.astype("float32" if dtype == "bfloat16" else dtype)
    assert np.array_equal(result.astype(np.float64), chosen, equal_nan=True), (dtype, kind)
    return result


def elements(dtype, shape, kind):
    """A kind that ends in "-repeated" has the same elements all along axis 0."""
    count = math.prod(shape)
    index = np.arange(count, dtype=np.uint64)
    if kind.endswith("-repeated"):
        kind = kind.removesuffix("-repeated")
        index %= np.uint64(max(count // shape[0], 1))
    if dtype in COMPLEX:
        part = "float32" if dtype == "complex64" else "float64"
        result = np.empty(count, dtype)
        result.real = reals(part, kind, 2 * index)
        result.imag = reals(part, kind, 2 * index + np.uint64(1))
    else:
        result = reals(dtype, kind, index)
    return result.reshape(shape)


# ---------------------------------------------------------------------------------------------------- exact sums

EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}


def exact_sum(values):
    values = [float(v) for v in values]
    if any(map(math.isnan, values)) or (math.inf in values and -math.inf in values):
        return math.nan
    for infinite in (math.inf, -math.inf):
        if infinite in values:
            return infinite
    return math.fsum(values)


def exact_product(values):
    """Of real or complex numbers, as a pair of fractions; NaN where one is."""
    if any(np.isnan(v) for v in values):
        return math.nan, math.nan
    real, imag = fractions.Fraction(1), fractions.Fraction(0)
    for v in values:
        a, b = fractions.Fraction(float(np.real(v))), fractions.Fraction(float(np.imag(v)))
        real, imag = real * a - imag * b, real * b + imag * a
    return float(real), float(imag)


def exact(function, row, part, ddof, weights):
    """(value, allowed error), in double or complex; `part` is the real type that the result has."""
    computed = "float32" if part in ("float16", "bfloat16") else part
    eps = EPSILON[computed]
    nan = function.startswith("nan") and row.dtype.kind in "fc"
    function = function.removeprefix("nan")
    if nan:
        row = row[~np.isnan(row)]
    parts = [np.real(row), np.imag(row)] if np.iscomplexobj(row) else [row]
    size = exact_sum(np.abs(np.concatenate(parts)).astype(np.float64)) if len(row) else 0.0
    combine = lambda p: complex(*p) if len(p) == 2 else p[0]
    if function == "sum":
        value, error = combine([exact_sum(p) for p in parts]), 4 * eps * size
    elif function == "prod":
        value = exact_product(row)
        value = complex(*value) if np.iscomplexobj(row) else value[0]
        error = (2 * len(row) + 4) * eps * abs(value)
    elif function == "mean":
        n = len(row)
        value = combine([exact_sum(p) / n if n else math.nan for p in parts])
        error = 4 * eps * size / n if n else 0.0
    elif function == "average":
        w = weights.astype(np.float64)
        value = combine([exact_sum(p.astype(np.float64) * w) / exact_sum(w) for p in parts])
        error = 16 * eps * size / len(row)
    elif function in ("var", "std"):
        n = len(row)
        free = n - ddof if nan else max(n - ddof, 0)
        squares = 0.0
        if n:
            means = [exact_sum(p) / n for p in parts]
            squares = exact_sum([(float(v) - m) ** 2 for p, m in zip(parts, means) for v in p])
        if n == 0 or (nan and free <= 0) or (free == 0 and not squares > 0):
            value = math.nan
        else:
            value = squares / free if free else math.inf
        rounding = 4 * eps * size / max(n, 1)  # of the mean
        error = 16 * eps * value + rounding**2
        if function == "std":
            value = math.sqrt(value)
            error = 16 * eps * value + rounding
    if part != computed and math.isfinite(abs(value)):  # and one unit in the last place of the 16-bit type
        error += max(EPSILON[part] * 2.0 ** math.floor(math.log2(abs(value))), 2.0**-24) if value else 2.0**-24
    return value, error if math.isfinite(error) else 0.0


# ---------------------------------------------------------------------------------------------------- records

FLOAT_RESULT = "sum prod mean average var std nansum nanprod nanmean nanvar nanstd".split()
CHOICES = "min max nanmin nanmax ptp".split()
POSITIONS = "argmin argmax nanargmin nanargmax".split()
TRUTHS = "any all count_nonzero".split()
ALL = FLOAT_RESULT + CHOICES + POSITIONS + TRUTHS
WITH_INITIAL = "sum prod min max nansum nanprod nanmin nanmax".split()


def stored(array, dtype):
    if dtype == "bfloat16":
        return round_to_bfloat16(np.asarray(array, np.float32)).tobytes()
    return np.asarray(array).astype(dtype).tobytes()


def samples(count):
    return list(range(count)) if count <= 5 else sorted({k * (count - 1) // 4 for k in range(5)})


def weights_for(x, axis):
    """1 + n / 8, which every type holds."""
    n = x.size if axis is None else x.shape[axis]
    weights = (1 + (np.arange(n) * 7 % 5) / 8).astype(x.real.dtype if x.dtype.kind in "fc" else float)
    return weights.reshape(x.shape) if axis is None else weights


def call(function, x, axis, options):
    if function == "diff":
        return np.diff(x, options["n"], axis)
    if function == "average":
        return np.average(x, axis, weights_for(x, axis) if "w" in options else None, keepdims="k" in options)
    extra = {"keepdims": True} if "k" in options else {}
    if "i" in options:
        extra["initial"] = options["i"]
    if "d" in options:
        extra["ddof"] = options["d"]
    return getattr(np, function)(x, axis=axis, **extra)


def axis_text(axis):
    if axis is None:
        return "-"
    if isinstance(axis, int):
        return str(axis)
    return ",".join(map(str, axis)) or "()"


def record(out, dtype, x, function, axis, options):
    head = f"{function} {axis_text(axis)} " + (";".join(k + ("" if v is True else str(v)) for k, v in options.items()) or "-")
    try:
        result = np.asarray(call(function, x, axis, options))
    except np.exceptions.AxisError:
        out.write(f"{head} error index_error\n".encode())
        return
    except (ValueError, TypeError):
        out.write(f"{head} error error\n".encode())
        return
    own = "float32" if dtype == "bfloat16" else dtype
    as_computed = dtype if result.dtype == own and dtype == "bfloat16" else result.dtype.name
    chosen = samples(result.size)
    values = result.reshape(-1)[chosen]
    tolerance = 0.0
    if function in FLOAT_RESULT and as_computed not in INTEGER:
        part = {"complex64": "float32", "complex128": "float64"}.get(as_computed, as_computed)
        axes = range(x.ndim) if axis is None else [a % x.ndim for a in np.atleast_1d(np.array(axis, int))]
        kept = [d for d in range(x.ndim) if d not in axes]
        rows = x.transpose(kept + sorted(axes)).reshape(result.size, -1) if result.size else x.reshape(0, 1)
        weights = weights_for(x, axis).reshape(-1) if "w" in options else np.ones(rows.shape[1])
        values = []
        for k in chosen:
            row = rows[k]
            if "i" in options:
                row = np.append(row, np.asarray(options["i"], row.dtype))
            value, error = exact(function, row, part, options.get("d", 0), weights)
            values.append(value)
            tolerance = max(tolerance, error)
        # NumPy agrees, as far as its own rounding goes; long sums in float16 it gives up.
        numpy_values = result.reshape(-1)[chosen] if dtype != "float16" or rows.shape[1] < 2000 else values
        for ours, theirs in zip(values, numpy_values):
            rough = part in ("float16", "bfloat16")
            close = np.isclose(ours, complex(theirs), rtol=0.02 if rough else 1e-4, atol=1e-2, equal_nan=True)
            if not close and not (rough and not np.isfinite(theirs)):
                raise AssertionError((head, dtype, x.shape, ours, theirs))
    shape = ",".join(map(str, result.shape)) or "()"
    out.write(f"{head} {as_computed} {shape} {tolerance:.3g} {len(chosen)}\n".encode())
    out.write(stored(np.array(values), as_computed) + b"\n")


def functions_for(dtype, names=ALL):
    return [f for f in names if not (dtype == "bool" and f == "ptp")]


def keep(n):
    return {"k": True} if n % 2 else {}


def reduce_input(out, dtype, shape, kind, functions, axes):
    x = elements(dtype, shape, kind)
    if not functions:
        return
    out.write(f"input {dtype} {','.join(map(str, shape)) or '()'} {kind}\n".encode())
    for i, function in enumerate(functions_for(dtype, functions)):
        # Without NaN these are the plain ones under another name.
        alias = dtype in INTEGER and function.startswith("nan") or function == "std"
        for k, axis in enumerate(axes[:2] if alias else axes):
            if function in POSITIONS and isinstance(axis, tuple) and len(axis) != 1:
                continue
            record(out, dtype, x, function, axis, keep(i + k))
    return x


def extra_records(out, dtype, x):
    """What options do, on the main input."""
    initials = [3, 1] if dtype in INTEGER else [-7.5, 100.0]
    for function in functions_for(dtype, WITH_INITIAL):
        for k, initial in enumerate(initials):
            record(out, dtype, x, function, [None, 1][k], keep(k) | {"i": initial})
    for function in ["var", "std", "nanvar", "nanstd"]:
        for axis, ddof in [(None, 1), (1, 1), (1, 0.5), (0, 2), (0, 5), ((0, 2), 1)]:
            record(out, dtype, x, function, axis, {"d": ddof})
    for axis in [None, 0, -1]:
        record(out, dtype, x, "average", axis, {"w": True} | keep(axis is None))
    for axis, n in [(-1, 1), (0, 1), (1, 2), (-2, 3), (3, 9), (4, 1), (0, -1), (0, 0)]:
        if dtype != "bfloat16" or n < 2:
            record(out, dtype, x, "diff", axis, {"n": n})


SOME_AXES = [None, 1, -1, (0, 2)]
ALL_AXES = [None, 0, 1, -1, -2, (0, 2), (1, 3), (-1, 0, 1), (0, 1, 2, 3), ()]


def write(out):
    for dtype in DTYPES:
        real = dtype in FLOAT
        inexact = real or dtype in COMPLEX
        main_axes = ALL_AXES if dtype in ("int32", "float32", "complex64") else SOME_AXES
        products = ["prod", "nanprod"]
        rest = [f for f in ALL if f not in products] if inexact else ALL
        x = reduce_input(out, dtype, (2, 3, 4, 5), "fraction" if inexact else "small", [f for f in rest if f != "average"], main_axes)
        extra_records(out, dtype, x)
        reduce_input(out, dtype, (), "small", ["sum", "prod", "mean", "var", "min", "argmax", "any", "ptp", "nanargmin"], [None, (), 1] if dtype in ("float32", "int32") else [None])
        few = ["sum", "prod", "mean", "var", "max", "nanmin", "argmin", "nanargmax", "all", "any", "count_nonzero", "ptp"]
        for shape in [(0,), (0, 3), (3, 0, 2)] if dtype in ("bool", "int16", "float32", "complex128") else [(0, 3)]:
            reduce_input(out, dtype, shape, "small", few, [None, 0, -1] if dtype == "float32" else [None, 0])
        reduce_input(out, dtype, (1, 5, 1), "ties", ["sum", "max", "argmin", "std", "all"], [None, 1, (0, 2)])
        reduce_input(out, dtype, (4, 6), "ties", ["min", "max"] + (POSITIONS if inexact else POSITIONS[:2]) + TRUTHS, [None, 0, 1])
        if inexact:
            reduce_input(out, dtype, (2, 3, 4, 5), "factor", products, main_axes)
            for kind in ["special", "gaps", "nan"]:
                names = ["min", "max", "ptp", "argmin", "argmax", "any", "all", "count_nonzero"]
                if kind == "nan":
                    names = ["min", "argmax"]
                if real:
                    names += ["sum", "mean"]
                nan = [f for f in ALL if f.startswith("nan") and f not in products]
                if kind == "special":  # NumPy's nanarg... take NaN for an infinity there
                    nan = ["nanmin", "nanmax"] + (["nansum", "nanmean"] if real else [])
                reduce_input(out, dtype, (5, 8), kind, names + nan, [None, 0, 1])
            reduce_input(out, dtype, (3, 4), "zeros", ["sum", "min", "max", "argmin", "argmax", "any", "count_nonzero"], [None, 0, 1])
        else:
            reduce_input(out, dtype, (3, 40), "wide", ["sum", "prod", "min", "max", "argmin", "argmax", "count_nonzero", "any"], [None, 0, 1])
        wide = ["sum", "mean", "var", "max", "argmin", "count_nonzero"]
        kind = "fraction" if inexact else "small"
        reduce_input(out, dtype, (6, 50), kind + "-repeated", wide, [None, 0, 1])
        reduce_input(out, dtype, (7, 1001), kind, wide, [None, 0, 1])
        reduce_input(out, dtype, (1001, 7), kind, wide, [None, 0, 1])
        if dtype in ("int8", "int32", "uint64", "float16", "float32", "float64", "complex64"):
            names = ["sum", "mean", "var", "max", "argmax"]
            reduce_input(out, dtype, (64, 64, 5), kind, names, [None, 0, 1, 2, (0, 2), (1, 2)])
            reduce_input(out, dtype, (1000003,), kind, names, [None])
            reduce_input(out, dtype, (300000, 2), kind, names, [None, 0, 1])
            reduce_input(out, dtype, (2, 300000), kind, names, [None, 0, 1])
        if dtype in ("float32", "int32", "bool", "complex64"):
            reduce_input(out, dtype, (3, 4), "small", [f for f in ALL if f != "average"], [2, -3, (0, 2), (0, 0), (1, -1)])


if __name__ == "__main__":
    import warnings

    warnings.filterwarnings("ignore")
    np.seterr(all="ignore")
    with open(DATA / "reductions.bin", "wb") as out:
        write(out)
