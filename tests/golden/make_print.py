# SPDX-License-Identifier: MIT
"""Writes tests/data/print.txt, one array a line: <dtype> <shape> <options> | <words> | <str> | <repr>

shape: 2,3, or - at rank 0. options: precision,threshold,edgeitems,linewidth,suppress, or - for the defaults.
words: the elements' bits in hexadecimal, a complex element as two words; "w*n" is w n times, "w+n" is w, w+1, ... (n words).
str and repr: newlines as \\n.

NumPy itself cannot align bfloat16, so for it NumPy's layout code runs with the digits of `digits` below, an exact
digit generator that is first held against NumPy's own on float16 and float32.
"""

import pathlib
from contextlib import contextmanager
from fractions import Fraction

import ml_dtypes
import numpy as np
from numpy._core import arrayprint

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
REALS = [np.dtype(t) for t in ("float16", "float32", "float64")] + [BFLOAT16]
INTEGERS = [np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
DEFAULTS = dict(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False)
lines = []


# --- a float's digits, exactly, and the layout of NumPy with them

def digits(x, last, least):
    """Shortest digits that tell x from its neighbours, none after 10^last(exponent), at least to 10^least(exponent)."""
    mantissa_bits = {"bfloat16": 7, "float16": 10, "float32": 23}[x.dtype.name]
    bits = int(x.view(f"u{x.dtype.itemsize}")) & (2 ** (8 * x.dtype.itemsize - 1) - 1)
    if bits == 0:
        return "0", 0
    value = Fraction(float(abs(x)))
    gap = value - Fraction(float(np.array(bits - 1, f"u{x.dtype.itemsize}").view(x.dtype)))
    low = gap / 2
    high = gap if bits % 2**mantissa_bits == 0 and bits >> mantissa_bits > 1 else gap / 2
    even = bits % 2 == 0
    exponent = 0
    while Fraction(10) ** (exponent + 1) <= value:
        exponent += 1
    while Fraction(10) ** exponent > value:
        exponent -= 1
    stop, least = last(exponent), least(exponent)
    exponent = position = max(exponent, stop) if stop is not None else exponent
    number = 0
    while True:
        unit = Fraction(10) ** position
        digit, rest = divmod(value - number * unit * 10, unit)
        number = number * 10 + int(digit)
        near_low = rest <= low if even else rest < low
        near_high = rest + high >= unit if even else rest + high > unit
        if ((near_low or near_high) and (least is None or position <= least)) or position == stop:
            break
        position -= 1
    if near_low == near_high:
        up = 2 * rest > unit or (2 * rest == unit and digit % 2 == 1)
    else:
        up = near_high
    text = str(number + up).rjust(exponent - position + 1, "0")
    top = len(text) - 1 + position
    return (text.rstrip("0") if up else text), top  # a nine rounded up leaves no zero behind


def pad(text, left):
    return text.rjust(len(text) + left - len(text.partition(".")[0])) if left > 0 else text


def sign_of(x, sign):
    return "-" if np.signbit(x) else "+" if sign else ""


def scientific(x, precision=-1, unique=True, trim="k", sign=False, pad_left=-1, exp_digits=-1, min_digits=None):
    least = -1 if min_digits is None else min_digits
    text, exponent = digits(x, lambda e: None if precision < 0 else e - precision, lambda e: e if least < 0 else e - least)
    fraction = text[1:].rstrip("0") if trim != "k" else text[1:].ljust(least, "0")
    power = f"e{'-' if exponent < 0 else '+'}{abs(exponent):0{max(2, exp_digits)}d}"
    return pad(sign_of(x, sign) + text[0] + ("." if fraction or trim != "-" else "") + fraction + power, pad_left)


def positional(x, precision=-1, unique=True, fractional=True, trim="k", sign=False, pad_left=-1, pad_right=-1, min_digits=None):
    least = None if min_digits is None or min_digits < 0 else -min_digits
    text, exponent = digits(x, lambda e: None if precision < 0 else -precision, lambda e: e if least is None else min(e, least))
    if exponent < 0:
        text, exponent = "0" * -exponent + text, 0
    whole, fraction = text[:exponent + 1].ljust(exponent + 1, "0"), text[exponent + 1:].rstrip("0")
    text = sign_of(x, sign) + whole + "." + fraction
    return pad(text + " " * (pad_right - len(fraction)), pad_left)


@contextmanager
def own_digits():
    finfo = np.finfo
    patches = {
        "dragon4_scientific": scientific,
        "dragon4_positional": positional,
        "_get_format_function": lambda data, **options: arrayprint.FloatingFormat(
            data, options["precision"], options["floatmode"], options["suppress"], options["sign"], legacy=options["legacy"]),
    }
    kept = {name: getattr(arrayprint, name) for name in patches}
    try:
        np.finfo = ml_dtypes.finfo
        for name, function in patches.items():
            setattr(arrayprint, name, function)
        yield
    finally:
        np.finfo = finfo
        for name, function in kept.items():
            setattr(arrayprint, name, function)


def own_scalar(x):
    """str() of a NumPy scalar, with the limit that float16 and float32 have: 10^finfo.precision."""
    if not np.isfinite(x):
        return "nan" if np.isnan(x) else "-inf" if x < 0 else "inf"
    if x == 0 or 1e-4 <= abs(float(x)) < 10.0 ** ml_dtypes.finfo(x.dtype).precision:
        text = positional(x, trim=".")
        return text + "0" if text.endswith(".") else text
    return scientific(x, trim="-")


def own_print(array):
    with own_digits():
        return own_scalar(array[()]) if array.ndim == 0 else str(array), repr(array)


# --- writing

def words(array):
    real = array.ravel().view(array.dtype.type(0).real.dtype) if array.dtype.kind == "c" else array.ravel()
    bits = [int(w) for w in real.view(f"u{real.dtype.itemsize}")]
    out, i = [], 0
    while i < len(bits):
        repeat = rise = 1
        while i + repeat < len(bits) and bits[i + repeat] == bits[i]:
            repeat += 1
        while i + rise < len(bits) and bits[i + rise] == bits[i] + rise:
            rise += 1
        n = max(repeat, rise)
        out.append(f"{bits[i]:x}" + ("" if n == 1 else f"*{n}" if repeat >= rise else f"+{n}"))
        i += n
    return " ".join(out)


def record(array, **options):
    assert isinstance(array, np.ndarray)
    with np.printoptions(**{**DEFAULTS, **options}):
        if array.dtype == BFLOAT16:
            text = own_print(array)
        else:
            text = str(array), repr(array)
            if array.dtype in REALS[:2]:
                assert own_print(array) == text, (own_print(array), text)
    text = [t.replace("\n", "\\n") for t in text]
    chosen = {**DEFAULTS, **options}
    lines.append(f"{array.dtype.name} {','.join(map(str, array.shape)) or '-'} "
                 f"{','.join(str(int(chosen[k])) for k in DEFAULTS) if options else '-'} | "
                 f"{words(array)} | {text[0]} | {text[1]}")


def make():
    rng = np.random.default_rng(20240229)

    def wavy(n):
        return np.sin(np.arange(n) * 1.7) * 3.3

    for dtype in REALS:
        def f(*values, dtype=dtype):
            with np.errstate(over="ignore"):
                return np.array(values, np.float64).astype(dtype)

        info = ml_dtypes.finfo(dtype)
        biggest, tiny, eps = float(info.max), float(info.smallest_subnormal), float(info.eps)
        limit = 10.0 ** min(8, info.precision)
        nan, inf = np.nan, np.inf
        for value in [0.0, -0.0, 1.0, 1.5, 0.1, 1 / 3, -2 / 3, 1e-4, 9e-5, 1e-5, limit, limit - limit / 64, 1e15, 1e16, biggest,
                      tiny, nan, -inf, 123.456]:
            record(f(value).reshape(()))
        for values in [
            (1, 2, 3), (1, 2.5, -3.25), (0.1, 0.2, 0.7), (1 / 3, 100 / 3), (0, 0), (0, -0.0), (-1, 0, 1), (1e-4, 1e-2), (9e-5, 1),
            (0.001, 1.001), (0.01, 20), (0.001, 1), (0.05, 50), (0.05, 50.5), (limit, 1), (limit - limit / 64, 1),
            (-limit, 0), (biggest, tiny), (tiny, 0), (-biggest, -1), (1 + eps, 1 - eps / 2), (1e-5, 0, -0.0), (9.999, 10),
            (nan,), (nan, nan, 1), (inf,), (-inf,), (nan, -inf), (inf, 0.5), (-inf, 0.5), (nan, 12.25, -3), (inf, -1e-7), (nan, -1e7, inf),
            (99.5, 1, nan), (2048, 2049, 2051), (1e-30, 1e30), (5e-5, nan, -inf, 123), (2**-6, 3), (2**-59, 0),
        ]:
            record(f(*values))
        record(f(*wavy(10)))
        record(f(*(wavy(10) * 1e-6)))
        record(f(*wavy(8)).reshape(2, 2, 2))
        record(f())
        record(np.zeros((0, 3), dtype))
        record(f(*wavy(4)), precision=3)
        record(f(*wavy(4)), precision=0)
        record(f(0.5, 1.5, 2.5, -0.25), precision=0)
        record(f(0.125, 0.375, 0.0625), precision=2)
        record(f(1e-5, 1, 20), suppress=True)
        record(f(3e-7, 0.5, -6e-8), suppress=True, precision=5)
        record(f(1e-6, 20000.25), precision=2)
        record(f(*wavy(4)), precision=16)
        record(f(1e-7, 33 / 7), precision=17)
        record(f(*wavy(4)), linewidth=20)
        record(f(*wavy(6)), threshold=5, edgeitems=2)

    # what is not shown does not count: hidden elements are of another width
    for dtype, hidden in [("float64", 1e300), ("float32", 1e-30), (BFLOAT16, 3e38), ("int64", -2**62), ("int8", -128), ("bool", True)]:
        a = np.full(1001, hidden, dtype)
        a[:3], a[-3:] = 0, 1
        record(a)
        a = np.full((40, 30), hidden, dtype)
        for rows in (slice(None, 3), slice(-3, None)):
            for columns in (slice(None, 3), slice(-3, None)):
                a[rows, columns] = 1
        record(a)
    a = np.full((8, 1, 130), 1e300)
    a[:3, :, :3] = a[:3, :, -3:] = a[-3:, :, :3] = a[-3:, :, -3:] = 0.25
    record(a)
    record(np.zeros(100, np.uint8), threshold=100)
    record(np.zeros(101, np.uint8), threshold=100)
    record(np.arange(1001))
    record(np.arange(2000, dtype=np.int16).reshape(5, 400))
    record(np.arange(1200, dtype=np.uint32).reshape(300, 4))
    record(np.arange(1008).reshape(2, 28, 18))
    record(np.arange(1280, dtype=np.uint16).reshape(5, 4, 4, 4, 4), edgeitems=1)
    record(np.zeros((1, 1001), np.complex64))
    record(np.zeros(1001, np.complex128))
    record(np.zeros((1001, 1), np.float32))
    record(np.zeros(2000, np.float16), edgeitems=20)
    record(np.arange(6), threshold=5)
    record(np.arange(7), threshold=5)
    record(np.arange(12).reshape(2, 6), threshold=0, edgeitems=1)
    record(np.array(7), threshold=0)
    record(np.full(5, 7), threshold=0, edgeitems=0)
    record(np.arange(1001), linewidth=30, edgeitems=10)

    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        record(np.array(info.min, dtype))
        record(np.array([info.min, info.max, 0], dtype))
        record(np.array([[1, 20], [100, 3]], dtype))
        record(np.array([], dtype))
    record(np.arange(-20, 20))
    record(np.arange(30, dtype=np.uint8).reshape(2, 3, 5))
    record(np.arange(24).reshape(2, 1, 2, 3, 2))
    record(np.array([[[[[5]]]]], np.int32))
    record(np.array([2**63 - 1] * 9))
    record(np.arange(20), linewidth=60)  # the last number just fits, or just not
    record(np.arange(20), linewidth=61)
    record(np.zeros(15, np.int32))
    for n in range(17, 26):  # where the dtype goes to a line of its own
        record(np.zeros(n, np.int32))

    record(np.array(True))
    record(np.array(False))
    record(np.array([True, False]))
    record(np.array([True, True]))
    record(np.array([[False], [True]]))
    record(np.arange(17) % 3 == 0)
    record(np.zeros((0, 2), bool))
    record(np.zeros((1, 0), np.complex64))

    nan, inf = np.nan, np.inf
    for dtype in ("complex64", "complex128"):
        def c(*parts, dtype=dtype):
            a = np.empty(len(parts), dtype)
            with np.errstate(over="ignore"):
                a.real, a.imag = zip(*parts)
            return a

        for parts in [(0, 0), (1, 2), (0, 2), (-0.0, 2), (-0.0, -0.0), (0, -0.0), (1.5, -2.25), (0.1, 1e-7), (1e16, 1), (1e7, 1e15),
                      (nan, inf), (0, nan), (-inf, -inf), (inf, nan), (1 / 3, -1 / 3)]:
            record(c(parts).reshape(()))
        for parts in [((1, 2),), ((1, 2), (3, -4)), ((0, 0), (-0.0, -0.0)), ((1.5, 10), (-100.25, 0.125)), ((1e-7, 1), (1, 1e9)),
                      ((nan, 1), (1, nan)), ((inf, -inf), (-inf, inf)), ((nan, nan),), ((1, inf),), ((0.5, nan), (20, 1e-9)),
                      ((1 / 3, 2 / 3), (100, 200)), ((1e-300, 1e300),), ((1e8, 1), (0, -12345.678))]:
            record(c(*parts))
        z = c(*zip(wavy(12), -wavy(24)[12:] * 100))
        record(z[:6].reshape(2, 3))
        record(z[:4].reshape(2, 1, 2), precision=3)
        record(z[:3], precision=2, suppress=True)
        record(np.zeros(0, dtype))

    record(wavy(26).astype(np.float32).reshape(2, 13))
    record((10.0 ** rng.uniform(-3, 5, 7)))
    record((10.0 ** rng.uniform(-300, 300, 8)))
    record((10.0 ** rng.uniform(-30, 30, 8)).astype(np.float32))
    record(np.array([1.0, 1e100]))
    record(np.array([1e-100, 1e-5, 1e7]))
    record(np.array([0.123456785, 0.999999995, 12345678.123456785]))
    record(np.array([1.9999999999, 1.0000000001]))
    record(np.array([99999999.0, 1e5]))
    record(np.array([9.99999999e99, 9.9999999999e99]))
    record(np.array([1e23, 9007199254740993.0, 5e-324]))
    record(np.array([16777216, 33554432, 0.1], np.float32))
    record(np.array([4.2, 1e-3]), precision=1)
    record(wavy(4), linewidth=0)
    record(np.linspace(0, 1, 11))
    record(np.eye(4))
    record(np.linspace(0, 1, 7).reshape(1, 7, 1, 1))


if __name__ == "__main__":
    make()
    path = pathlib.Path(__file__).parent.parent / "data" / "print.txt"
    path.write_text("\n".join(lines) + "\n")
    print(f"{path}: {len(lines)} cases, {path.stat().st_size} bytes")
