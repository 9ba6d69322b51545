# SPDX-License-Identifier: MIT
"""Writes tests/data/statements.txt: what NumPy makes of statements with reductions in them.

A line is: statement;dtype;shape;axes (- where all);dtype of the result;its shape;tolerance;elements that are not
finite;checksum;second checksum;elements, evenly spread - or 'error' for all that follows the axes. The values are
computed in a longer type where the elements are floating, so that the tolerance is about gnp alone.
"""
import pathlib
import random
import sys
import warnings

import numpy as np

sys.dont_write_bytecode = True
warnings.simplefilter("ignore")
SAMPLES = 6


def operands(shape, dtype):
    """x, y and z of tests/statements_golden.hpp; every type holds them exactly."""
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    a = (i * 37 + i // 101) % 101 - 50
    b = (i * 53 + 7 + i // 97) % 97 - 48
    if dtype == "bool":
        x, y = a > 0, b > 30
    elif dtype == "uint64":
        x, y = a + 50, b + 48
    elif dtype.startswith("int"):
        x, y = a, b
    elif dtype.startswith("complex"):
        x, y = a / 8 + 1j * b / 16, b / 16 - 1j * a / 8
    else:
        x, y = a / 8, b / 16
    z = np.where(i % 5 == 3, np.nan, x) if dtype.startswith("float") else x
    wide = {"float16": "float64", "float32": "float64", "float64": "longdouble", "complex64": "complex128",
            "complex128": "clongdouble"}.get(dtype, dtype)
    exact = [np.asarray(v).astype(wide).reshape(shape) for v in (x, y, z)]
    return exact, [v.astype(dtype) for v in exact]


def only(axis):
    """The one axis that argmax takes."""
    if axis is not None and len(axis) != 1:
        raise ValueError("one axis")
    return None if axis is None else axis[0]


# name: (statement of x, y, z, the axes, keepdims as k; what its intermediate results are like: at least this is
# what the tolerance is relative to)
K = dict(keepdims=True)


def shifted(x, a):
    return np.exp(x - np.max(x, axis=a, **K))


REAL = {
    "softmax": (lambda x, y, z, a: shifted(x, a) / np.sum(shifted(x, a), axis=a, **K), 0),
    "log_sum_exp_kept": (lambda x, y, z, a: np.log(np.sum(shifted(x, a), axis=a, **K)) + np.max(x, axis=a, **K), 6),
    "log_sum_exp": (lambda x, y, z, a: np.log(np.sum(shifted(x, a), axis=a)) + np.max(x, axis=a), 6),
    "layer_norm": (lambda x, y, z, a: (x - np.mean(x, axis=a, **K))
                   / np.sqrt(np.var(x, axis=a, **K) + x.dtype.type(0.125)) * y[:1] + y[:1], 4),
    "standardise": (lambda x, y, z, a: (x - np.mean(x, axis=a, **K)) / np.std(x, axis=a, **K), 2),
    "cosine": (lambda x, y, z, a: x / np.sqrt(np.sum(x * x, axis=a, **K)), 0),
    "cross_entropy": (lambda x, y, z, a: -np.sum(np.abs(y) * (x - np.max(x, axis=a, **K)
                      - np.log(np.sum(shifted(x, a), axis=a, **K))), axis=a), 6),
    "centre_all": (lambda x, y, z, a: x - np.mean(x), 6),
    "argmax_centred": (lambda x, y, z, a: np.argmax(x - np.max(x, axis=a, **K), axis=only(a)), 0),
    "where_any": (lambda x, y, z, a: np.where(np.any(x > 5, axis=a, **K), x, -y), 0),
    "where_all": (lambda x, y, z, a: np.where(np.all(x > -6, axis=a, **K), x, y), 0),
    "sum_of_sums": (lambda x, y, z, a: np.sum(np.sum(x, axis=a) * 2 - np.max(x, axis=a)), 60),
    "sum_of_exp": (lambda x, y, z, a: np.sum(shifted(x, a), axis=a), 0),
    "two_arrays": (lambda x, y, z, a: x * np.mean(y, axis=a, **K) - y * np.max(x, axis=a, **K), 36),
    "two_sums": (lambda x, y, z, a: np.sum(x, axis=a, **K) * y - np.sum(y, axis=a, **K) * x, 36),
    "min_max": (lambda x, y, z, a: (x - np.min(x, axis=a, **K)) / (np.max(x, axis=a, **K) - np.min(x, axis=a, **K)), 0),
    "nan_centred": (lambda x, y, z, a: z - np.nanmean(z, axis=a, **K) + np.nanmax(z, axis=a, **K), 12),
    "nan_spread": (lambda x, y, z, a: np.nansum(z, axis=a) / (np.nanstd(z, axis=a) + x.dtype.type(0.25)), 60),
    "ptp_and_count": (lambda x, y, z, a: np.ptp(x, axis=a) + np.count_nonzero(x, axis=a), 0),
    "two_ways": (lambda x, y, z, a: x - np.mean(x, axis=0, **K) - np.mean(x, axis=-1, **K) + np.mean(x), 12),
    "columns": (lambda x, y, z, a: (x - np.mean(x, axis=0)) / (np.std(x, axis=0) + x.dtype.type(0.25)), 12),
    "lines_up": (lambda x, y, z, a: x - np.max(x, axis=-1), 0),
    "ddof": (lambda x, y, z, a: np.var(x, axis=a, ddof=1) / np.mean(x * x, axis=a), 0),
    "initial": (lambda x, y, z, a: np.max(x, axis=a, initial=3, **K) * x, 0),
    "products": (lambda x, y, z, a: np.prod(1 + x / 64, axis=a, **K) - np.sum(y, axis=a, **K), 1),
    "furthest": (lambda x, y, z, a: np.max(np.abs(x - np.mean(x, axis=a, **K)), axis=a), 6),
    "places": (lambda x, y, z, a: np.argmin(x, axis=only(a), **K) + np.argmax(y, axis=only(a), **K), 0),
}
INTEGER = {
    "centre": (lambda x, y, z, a: x - np.mean(x, axis=a, **K), 100),
    "sum_beside": (lambda x, y, z, a: np.sum(x, axis=a, **K) * x + y, 0),
    "range": (lambda x, y, z, a: np.max(x, axis=a) - np.min(y, axis=a), 0),
    "where_any": (lambda x, y, z, a: np.where(np.any(x > 40, axis=a, **K), x, y), 0),
    "where_all": (lambda x, y, z, a: np.where(np.all(x > 0, axis=a, **K), x, y), 0),
    "argmax_of": (lambda x, y, z, a: np.argmax(x - np.min(x, axis=a, **K), axis=only(a)), 0),
    "products": (lambda x, y, z, a: np.prod(x, axis=a, **K) + np.sum(y, axis=a, **K), 0),
    "sum_of_sums": (lambda x, y, z, a: np.sum(np.sum(x, axis=a) * 2 - np.max(x, axis=a)), 0),
    "lines_up": (lambda x, y, z, a: x - np.max(x, axis=-1), 0),
    "variance": (lambda x, y, z, a: np.mean(x * x, axis=a) - np.var(x, axis=a), 9000),
}
BOOL = {
    "where_any": (lambda x, y, z, a: np.where(np.any(x, axis=a, **K), x, y), 0),
    "where_all": (lambda x, y, z, a: np.where(np.all(x, axis=a, **K), x, y), 0),
    "centre": (lambda x, y, z, a: x - np.mean(x, axis=a, **K), 1),
    "sum_beside": (lambda x, y, z, a: np.sum(x, axis=a, **K) * x + y, 0),
    "same": (lambda x, y, z, a: (np.max(x, axis=a) == np.any(y, axis=a)) & np.all(x | y, axis=a), 0),
}
COMPLEX = {
    "centre": (lambda x, y, z, a: x - np.mean(x, axis=a, **K), 12),
    "unit": (lambda x, y, z, a: x / np.sqrt(np.sum(np.abs(x) * np.abs(x), axis=a, **K)), 0),
    "correlation": (lambda x, y, z, a: np.sum(x * np.conj(y), axis=a) / np.var(x, axis=a), 60),
    "largest": (lambda x, y, z, a: np.max(x, axis=a, **K) - y, 12),
    "sum_of_sums": (lambda x, y, z, a: np.sum(np.sum(x, axis=a) * 2 - np.mean(x, axis=a)), 99),
    "products": (lambda x, y, z, a: np.prod(1 + x / 64, axis=a) + np.sum(y, axis=a), 1),
}

SHORT = [((5, 1), (1,)), ((5, 2), (-1,)), ((5, 3), (1,)), ((4, 7), (1,)), ((3, 16), (1,)), ((3, 31), (-1,)),
         ((3, 100), (1,)), ((7, 5), (0,)), ((6, 6), (0,)), ((6, 6), (1,)), ((1,), None), ((17,), (0,)), ((), None),
         ((3, 4, 5), (0, 2)), ((3, 4, 5), (1,)), ((3, 4, 5), (-1, 0)), ((3, 4, 5), None), ((5, 5), ()),
         ((40, 3, 2), (1,)), ((2, 3, 4, 5), (1, 3)), ((2, 3, 4, 5), (0, 2)), ((2, 3, 4, 5), (-2,)), ((4, 4, 4), (0,)),
         ((2, 3, 4, 5), None), ((2, 3, 4, 5), (1, 2)), ((1, 9), (0,)), ((1, 9, 1), (1,))]
EMPTY = [((0, 3), (0,)), ((0, 3), (1,)), ((3, 0), (1,)), ((0,), None), ((2, 0, 3), (0, 2))]
LONG = [((2, 1000), (1,)), ((3, 1025), (1,)), ((1025,), None), ((1000, 3), (0,)), ((2, 70, 33), (0, 2))]
LONGER = [((2, 4097), (1,)), ((20000,), None), ((2, 20000), (-1,)), ((1, 70000), (1,)), ((600, 300), (1,)),
          ((600, 300), (0,)), ((20, 40, 300), (0, 2)), ((20, 40, 300), (1,)), ((90, 4097), (1,)), ((40, 5, 1025), (0,)),
          ((9000, 24), (1,)), ((70, 30, 80), (1, 2)), ((70, 30, 80), (0, 1)),
          ((600, 600), (1,)), ((600, 300), ())]


def text(v, digits=17):
    v = v.item() if v.dtype.kind in "biu" else v.astype(np.complex128).item()
    parts = [v.real, v.imag] if isinstance(v, complex) else [v]
    return " ".join(repr(int(p)) if isinstance(p, (bool, int)) else f"{p:.{digits}g}" for p in parts)


def sample(v, digits):
    return text(v, digits) if v.dtype.kind in "biuc" else text(v, digits).split()[0]


def record(name, statement, floor, dtype, shape, axis):
    head = f"{name};{dtype};{','.join(map(str, shape))};{'-' if axis is None else ','.join(map(str, axis))};"
    exact, own = operands(shape, dtype)
    try:
        native = np.asarray(statement(*own, axis))
        value = np.asarray(statement(*exact, axis))
    except (ValueError, IndexError):
        return head + "error"
    assert native.shape == value.shape
    eps = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}
    part = native.real.dtype.name
    tolerance = 0.0
    if value.dtype.kind in "fc":
        finite = np.abs(value[np.isfinite(value)])
        of_elements = eps.get(np.empty(0, dtype).real.dtype.name, eps["float64"])
        # The checks are relative to the coarser of the type of the elements and that of the result.
        unit = max(of_elements, eps.get(part, 0))
        tolerance = (8 if dtype == "float16" else 24) * unit * max(float(finite.max(initial=0)), floor)
    flat = value.ravel()
    good = np.isfinite(flat) if value.dtype.kind in "fc" else np.ones(flat.shape, bool)
    if value.dtype.kind in "iub":
        # Modulo 2^64, as both sides compute.
        bits = flat.astype(np.uint64)
        sums = [int(bits.sum(dtype=np.uint64)), int((bits * (np.arange(flat.size) % 7 + 1).astype(np.uint64)).sum(dtype=np.uint64))]
        sums = list(map(str, sums))
    else:
        weights = np.arange(flat.size) % 7 + 1
        long = flat.astype(np.clongdouble)[good]
        sums = [text(s) for s in (long.sum(), (long * weights[good]).sum())]
        if value.dtype.kind == "f":
            sums = [s.split()[0] for s in sums]
    count = min(SAMPLES, flat.size)
    digits = 17 if part == "float64" else 10
    at = [k * (flat.size - 1) // (count - 1) if count > 1 else 0 for k in range(count)]
    return head + ";".join([native.dtype.name, ",".join(map(str, native.shape)), f"{tolerance:.3g}",
                            str(int((~good).sum())), *sums, " ".join(sample(flat[i], digits) for i in at)])


def write():
    draw = random.Random(17)
    lines = []
    for dtypes, statements, counts in [
            (("float32", "float64"), REAL, (7, 2, 2, 3)), (("float16",), REAL, (4, 1, 1, 0)),
            (("int32", "int8", "uint64"), INTEGER, (4, 1, 1, 1)), (("bool",), BOOL, (5, 2, 2, 2)),
            (("complex64", "complex128"), COMPLEX, (5, 1, 1, 1))]:
        for dtype in dtypes:
            for name, (statement, floor) in statements.items():
                for pool, count in zip((SHORT, EMPTY, LONG, LONGER), counts):
                    for shape, axis in draw.sample(pool, count):
                        lines.append(record(name, statement, floor, dtype, shape, axis))
    for name in ("lines_up", "columns", "two_ways"):
        lines.append(record(name, *REAL[name], "float32", (600, 600), (1,)))
    path = pathlib.Path(__file__).resolve().parent.parent / "data" / "statements.txt"
    path.write_text("\n".join(lines) + "\n")
    print(len(lines), "records,", sum(line.endswith("error") for line in lines), "errors,", path.stat().st_size, "bytes")


if __name__ == "__main__":
    write()
