# SPDX-License-Identifier: MIT
"""Writes which dtypes meet in which, which ufunc takes what, and what casts do to values:

promotion.txt   promote <dtype> <result with each dtype>...      numpy.result_type of two arrays
                weak <dtype> <with True> <with 1> <with 1.5> <with 1j>
                unary <ufunc> <codes> / binary <ufunc> <codes>   the result for every dtype, or pair of dtypes (row by
                row), as one character of CODES each; '.' where NumPy refuses. clip and where, which take three
                operands, are given for equal types (clip) and for the two values (where).
casts.bin       records as in make_ufuncs.py, all of them "astype"
"""

import itertools
import sys

import numpy as np

sys.dont_write_bytecode = True
from make_ufuncs import (BINARY, COMPLEX, DATA, DTYPES, FLOAT, INTEGER, UNARY, Bfloat16, Writer, dtype_name, float_values,
                         integer_values, make, make_complex, resolve)

CODES = dict(zip(DTYPES + [None], "?bhiqBHIQeEfdFD."))


def promote(a, b):
    if {a, b} == {"float16", "bfloat16"}:
        return "float32"
    if a == b == "bfloat16":
        return a
    result = np.result_type(*("float16" if d == "bfloat16" else d for d in (a, b))).name
    return "bfloat16" if result == "float16" and "bfloat16" in (a, b) else result


def weak(dtype, scalar):
    result = np.result_type(np.empty(1, "float16" if dtype == "bfloat16" else dtype), scalar).name
    return "bfloat16" if result == "float16" and dtype == "bfloat16" else result


def resolve_ternary(name, *dtypes):
    """resolve(), for one operand of clip and for the two values of where."""
    if "bfloat16" in dtypes:
        return promote(dtypes[0], dtypes[-1])
    operands = [np.ones(1, d) for d in dtypes]
    try:
        return (np.clip(*operands * 3) if name == "clip" else np.where(np.ones(1, bool), *operands)).dtype.name
    except TypeError:
        return None


def write_table():
    lines = ["dtypes " + " ".join(DTYPES), "codes " + "".join(CODES.values())]
    lines += [f"promote {a} " + " ".join(promote(a, b) for b in DTYPES) for a in DTYPES]
    lines += [f"weak {a} " + " ".join(weak(a, s) for s in (True, 1, 1.5, 1j)) for a in DTYPES]
    pairs = list(itertools.product(DTYPES, DTYPES))
    codes = lambda results: "".join(CODES[r] for r in results)
    lines += [f"unary {f} " + codes(resolve(f, d) for d in DTYPES) for f in UNARY]
    lines += ["unary clip " + codes(resolve_ternary("clip", d) for d in DTYPES)]
    lines += [f"binary {f} " + codes(resolve(f, *p) for p in pairs) for f in BINARY]
    lines += ["binary where " + codes(resolve_ternary("where", *p) for p in pairs)]
    (DATA / "promotion.txt").write_text("\n".join(lines) + "\n")


def half_boundaries():
    """Ties, overflow and the subnormal edge of float16, bfloat16 and float32, and what lies just beside them."""
    values = []
    for mantissa, lowest, top in ((10, -24, 65504.0), (7, -133, 3.3895313892515355e38), (23, -149, 3.4028234663852886e38)):
        tie = 2.0 ** -(mantissa + 1)
        overflow = top * (1 + tie / (2 - 2 * tie))  # half a step past the largest
        for v in (1 + tie, 1 + 3 * tie, 1 + 2 * tie, 2 - tie, 2.0**lowest, 2.0**lowest / 2, 2.0**lowest * 1.5,
                  2.0**lowest * 2.5, 2.0**lowest * (2**mantissa - 0.5), 2.0**lowest * 2**mantissa, top, overflow):
            values += [v, v * (1 + 2.0**-30), v * (1 - 2.0**-30), v * (1 + 2.0**-22), v * (1 - 2.0**-22)]
    return np.array(values + [-v for v in values])


def cast_values(dtype, to):
    if dtype in INTEGER:
        return integer_values(dtype)
    if dtype in COMPLEX:
        special = [0.0, -0.0, np.inf, -np.inf, np.nan]
        plain = [1.0, -1, 2.5, -2.75, 100, 1e4, 70000, 1e-8, 0.1]
        return make_complex(list(itertools.product(special, special)) + list(itertools.product(plain, special + plain[:4])),
                            dtype)
    values = float_values(dtype)
    if dtype in ("float16", "bfloat16") or to not in FLOAT:
        return values
    values = np.unique(np.concatenate([values, half_boundaries().astype(dtype)]))
    quiet_only = np.array([0x7F800001, 0xFFC00001], np.uint32).view(np.float32).astype(dtype)
    return np.concatenate([values, [0.0, -0.0], quiet_only]).astype(dtype)


def cast(values, to):
    """(values, result), of those values whose cast NumPy or C defines."""
    source = dtype_name(values)
    plain = values.to_float32() if isinstance(values, Bfloat16) else values
    keep = np.ones(len(plain), bool)
    if source in FLOAT + COMPLEX and to in INTEGER and to != "bool":
        real = plain.real.astype(np.float64)
        info = np.iinfo(to)
        keep = np.isfinite(real) & (np.trunc(real) >= info.min) & (np.trunc(real) < float(info.max))
    if to == "bfloat16":  # by way of float32: leave out what would be rounded twice
        if source in ("int32", "uint32", "int64", "uint64"):
            keep = np.abs(plain.astype(np.float64)) < 2**24
        elif source not in INTEGER:
            single = plain.real.astype(np.float32)
            keep = (single == plain.real) | np.isnan(single)
    values = Bfloat16(values.bits[keep]) if isinstance(values, Bfloat16) else values[keep]
    plain = plain[keep]
    if source in COMPLEX and to not in COMPLEX + ["bool"]:
        plain = plain.real
    return values, make(plain, to)


def write_casts():
    writer = Writer("casts.bin")
    for a, b in itertools.product(DTYPES, DTYPES):
        values, result = cast(cast_values(a, b), b)
        writer.record("astype", [values], result)
    writer.close()


if __name__ == "__main__":
    write_table()
    write_casts()
