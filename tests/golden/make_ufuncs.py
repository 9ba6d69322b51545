# SPDX-License-Identifier: MIT
"""Writes tests/data/ufunc_*.bin: what NumPy 2 answers for every ufunc and element type.

A file is a sequence of records, each a line of text and then raw little-endian values and a newline:

    data <id> <dtype> <count>              an operand
    case <ufunc> <id>[,<id>...] <dtype>    the ufunc's result for these operands (as many values as they have)

float16 results are NumPy's. bfloat16, which NumPy does not have, is computed in float32 and rounded.
What NumPy leaves to the platform (casts that overflow) or refuses (negative integer powers) is left out.
"""

import itertools
import pathlib
import warnings
import zlib

import numpy as np

assert np.__version__.startswith("2."), np.__version__
warnings.filterwarnings("ignore")
np.seterr(all="ignore")

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGER = ["bool"] + SIGNED + UNSIGNED
FLOAT = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = INTEGER + FLOAT + COMPLEX


# ---------------------------------------------------------------------------------------------------- bfloat16


class Bfloat16:
    """The bits of bfloat16 values; only storage."""

    def __init__(self, bits):
        self.bits = np.asarray(bits, np.uint16)

    def __len__(self):
        return len(self.bits)

    def tobytes(self):
        return self.bits.tobytes()

    def to_float32(self):
        return (self.bits.astype(np.uint32) << 16).view(np.float32)


def round_to_bfloat16(values):
    bits = np.asarray(values, np.float32).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    quiet = ((bits >> 16) | 0x40).astype(np.uint16)
    return Bfloat16(np.where((bits & 0x7FFFFFFF) > 0x7F800000, quiet, rounded))


def make(values, dtype):
    """Values (anything NumPy takes) as an operand of this dtype."""
    if dtype == "bfloat16":
        return round_to_bfloat16(np.asarray(values).astype(np.float32))
    return np.asarray(values).astype(dtype)


def dtype_name(operand):
    return "bfloat16" if isinstance(operand, Bfloat16) else operand.dtype.name


# ---------------------------------------------------------------------------------------------------- the ufuncs

UNARY = """abs fabs sign negative positive reciprocal square sqrt cbrt exp exp2 expm1 log log2 log10 log1p
sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians
floor ceil trunc rint round round_2 round_minus_1 fix signbit isnan isinf isfinite isposinf isneginf
real imag conj angle sinc nan_to_num logical_not invert""".split()

BINARY_ARITHMETIC = """add subtract multiply divide floor_divide remainder fmod power float_power logaddexp logaddexp2
arctan2 hypot heaviside copysign nextafter ldexp gcd lcm""".split()

BINARY_LOGIC = """maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor
bitwise_and bitwise_or bitwise_xor left_shift right_shift""".split()

BINARY = BINARY_ARITHMETIC + BINARY_LOGIC

TERNARY = ["clip", "where"]

# Where NumPy composes a float16 result out of rounded float16 steps, one rounding at the end is as good or better.
ONE_ROUNDING = {"sinc", "round_2", "round_minus_1"}


def function(name):
    if name == "round_2":
        return lambda x: np.round(x, 2)
    if name == "round_minus_1":
        return lambda x: np.round(x, -1)
    return getattr(np, name)


def resolve(name, *dtypes):
    """The result's dtype, or None where NumPy has none. bfloat16 behaves as float16, but the two meet in float32."""
    if "bfloat16" in dtypes:
        both = "float16" in dtypes
        result = resolve(name, *("float32" if both and d in ("float16", "bfloat16") else
                                 "float16" if d == "bfloat16" else d for d in dtypes))
        return "bfloat16" if result == "float16" else result
    try:
        return function(name)(*(np.ones(1, d) for d in dtypes)).dtype.name
    except TypeError:
        return None


def bfloat16_nextafter(x, y):
    x, y = np.broadcast_arrays(x.to_float32(), y.to_float32())
    step = np.where((y > x) == (x > 0), 1, -1)
    bits = (x.view(np.uint32) >> 16).astype(np.int64)
    bits = np.where(x == 0, np.where(y > 0, 0x0001, 0x8001), bits + step)
    bits = np.where(x == y, y.view(np.uint32) >> 16, bits)
    return Bfloat16(np.where(np.isnan(x) | np.isnan(y), 0x7FC0, bits).astype(np.uint16))


def bfloat16_nan_to_num(x):
    values = x.to_float32()
    bits = np.where(np.isnan(values), 0, x.bits)
    return Bfloat16(np.where(np.isinf(values), bits - 1, bits))


def evaluate(name, *operands):
    """NumPy's answer, or None where the ufunc does not take these dtypes."""
    dtypes = [dtype_name(x) for x in operands]
    result = resolve(name, *dtypes)
    if result is None:
        return None
    if dtypes == ["bfloat16"] * 2 and name == "nextafter":
        return bfloat16_nextafter(*operands)
    if dtypes == ["bfloat16"] and name == "nan_to_num":
        return bfloat16_nan_to_num(*operands)
    values = [x.to_float32() if isinstance(x, Bfloat16) else x for x in operands]
    if name in ONE_ROUNDING:
        values = [x.astype(np.float32) if x.dtype == np.float16 else x for x in values]
    return make(function(name)(*values), result)


# ---------------------------------------------------------------------------------------------------- operands


def generator(*key):
    return np.random.default_rng(zlib.crc32(" ".join(map(str, key)).encode()))


def limits(dtype):
    """max, smallest normal, smallest subnormal, epsilon, of a floating dtype."""
    if dtype == "bfloat16":
        return Bfloat16([0x7F7F, 0x0080, 0x0001]).to_float32().tolist() + [2.0**-7]
    info = np.finfo(dtype)
    return [float(info.max), float(info.tiny), float(info.smallest_subnormal), float(info.eps)]


def float_values(dtype):
    big, tiny, denormal, eps = limits(dtype)
    random = generator("unary", dtype)
    positive = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 0.25, 0.75, 0.1, 10, 100, 20, 5.5, 1e-3, 1e-2, 12.345, 15, 25, 105,
                np.pi / 4, np.pi / 2, np.pi, 2 * np.pi, eps, eps / 2, 1 + eps, 1 - eps / 2, 0.5 - eps / 8, 0.5 + eps / 2,
                1 / eps, 0.5 / eps + 0.5, 2 / eps + 2, big, big / 2, tiny, tiny * (1 - eps), denormal, denormal * 3,
                np.log(big) * (1 - 2 * eps), np.log(big) * (1 + 2 * eps), np.log2(big) * (1 - eps / 2), -np.log(tiny),
                -np.log(denormal), np.sqrt(big), np.sqrt(tiny), 1000, 1e4]
    if dtype in ("float32", "float64"):
        positive += [1e-10, 1e-20, 1e5, 1e10, 12345678.9, 1e20]
    if dtype == "float64":
        positive += [1e22, 1e100, 1e-100, 1e-300, 1e300]
    values = [s * v for v in positive for s in (1.0, -1.0)] + [np.inf, -np.inf, np.nan]
    values += list(random.uniform(-1, 1, 14)) + list(random.uniform(-10, 10, 14)) + list(random.uniform(-100, 100, 6))
    values += list(np.exp(random.uniform(-8, 8, 10)))
    return make(np.array(values, np.float64), dtype)


def float_pairs(dtype):
    big, tiny, denormal, eps = limits(dtype)
    random = generator("binary", dtype)
    special = [0.0, -0.0, 1, -1, 0.5, -0.5, np.inf, -np.inf, np.nan, big, -big, denormal, -denormal, 2, -2, 3, -2.5, 0.1]
    x, y = map(list, zip(*itertools.product(special, special)))
    for low, high, count in ((-10, 10, 30), (0, 4, 20), (-1, 1, 10)):
        x += list(random.uniform(low, high, count))
        y += list(random.uniform(low, high, count))
    x += list(random.integers(-20, 20, 20)) + [1e3, 1e4, 12345.5, -7.75, 1 + eps, 1 + eps, tiny]
    y += list(random.integers(-6, 6, 20)) + [0.1, 0.3, 0.7, 0.25, 1, 1 + 2 * eps, 0.75]
    return make(np.array(x, np.float64), dtype), make(np.array(y, np.float64), dtype)


def ldexp_pairs(dtype):
    counts = [0, 1, -1, 3, -3, 10, -10, 24, 53, -24, -126, 127, 128, -149, -150, 1023, -1074, 3000, -3000]
    values = float_values(dtype)
    values = values.to_float32() if dtype == "bfloat16" else values
    x, y = zip(*list(itertools.product(values, counts))[::7])
    return make(np.array(x), dtype), np.array(y, np.int32)


def integer_values(dtype, small=False):
    if dtype == "bool":
        return np.array([False, True])
    info = np.iinfo(dtype)
    random = generator("unary", dtype)
    values = [0, 1, 2, 3, 5, 7, 10, 15, 25, 35, 99, 100, 105, 115, 125, -1, -2, -3, -5, -7, -15, -25, -100, -125]
    values += [info.min, info.min + 1, info.max, info.max - 1, info.max // 2]
    if not small:
        values += [int(v) for v in random.integers(info.min, info.max, 8, dtype=dtype, endpoint=True)]
    return np.array([v for v in values if info.min <= v <= info.max], dtype)


def integer_pairs(dtype, few=False):
    if dtype == "bool":
        return np.array([False, False, True, True]), np.array([False, True, False, True])
    info = np.iinfo(dtype)
    random = generator("binary", dtype)
    special = [0, 1, 3, -1, -2, info.min, info.max] if few else [
        0, 1, 2, 3, 7, 12, -1, -2, -3, -7, info.min, info.min + 1, info.max, info.max - 1, 100]
    special = sorted({v for v in special if info.min <= v <= info.max})
    x, y = map(list, zip(*itertools.product(special, special)))
    for low, high, count in ((info.min, info.max, 12), (max(info.min, -20), 20, 12)) if not few else ():
        x += [int(v) for v in random.integers(low, high, count, dtype=dtype, endpoint=True)]
        y += [int(v) for v in random.integers(low, high, count, dtype=dtype, endpoint=True)]
    return np.array(x, dtype), np.array(y, dtype)


def shift_pairs(dtype):
    if dtype == "bool":
        return integer_pairs(dtype)
    info = np.iinfo(dtype)
    values = [v for v in (0, 1, 5, 100, -1, -2, -100, info.min, info.max) if info.min <= v <= info.max]
    counts = [0, 1, 2, info.bits - 1, info.bits, info.bits + 3, info.max] + ([-1, info.min] if info.min else [])
    x, y = zip(*itertools.product(values, counts))
    return np.array(x, dtype), np.array(y, dtype)


def power_pairs(dtype):
    if dtype == "bool":
        return integer_pairs(dtype)
    info = np.iinfo(dtype)
    bases = [v for v in (0, 1, 2, 3, 5, 10, 11, -1, -2, -3, -10, info.min, info.max) if info.min <= v <= info.max]
    exponents = [v for v in (0, 1, 2, 3, 5, 7, 10, 31, 62, 63, 64, info.max) if v <= info.max]
    x, y = zip(*itertools.product(bases, exponents))
    return np.array(x, dtype), np.array(y, dtype)


def make_complex(pairs, dtype):
    """From (real, imaginary) pairs, bit for bit: `a + 1j * b` would lose signed zeros and turn inf into nan."""
    return np.array(pairs, np.float32 if dtype == "complex64" else np.float64).reshape(-1).view(dtype)


def complex_values(dtype):
    random = generator("unary", dtype)
    eps = float(np.finfo(dtype).eps)
    part = [0.0, -0.0, 1, -1, 0.5, np.inf, -np.inf, np.nan]
    pairs = list(itertools.product(part, part))
    pairs += [(s * a, t * b) for a, b in ((2, 0), (0, 2), (1, 1e-4), (1e-4, 1), (3, 4), (1e5, 1e5), (1e-5, 1e-5), (0.5, 0.5),
                                          (1.5, 1.5), (2.5, 1.0), (np.pi / 2, 0), (0, np.pi), (10, 0.5), (0.5, 10))
              for s in (1.0, -1.0) for t in (1.0, -1.0)]
    pairs += [(1 + eps, 0.0), (1 - eps, -0.0), (-1 - eps, 0.0), (1, eps), (0.0, 1 + eps), (-0.0, -1 - eps)]
    pairs += list(zip(random.uniform(-1, 1, 12), random.uniform(-1, 1, 12)))
    pairs += list(zip(random.uniform(-5, 5, 16), random.uniform(-5, 5, 16)))
    return make_complex(pairs, dtype)


def complex_pairs(dtype):
    random = generator("binary", dtype)
    # With exponents much larger than 7, NumPy's power in complex64 has no right digits.
    special = [(0.0, 0.0), (-0.0, -0.0), (1, 0.0), (-1, 0.0), (1, -0.0), (0.0, 1), (0.0, -1), (0.5, 2), (np.inf, 0.0),
               (np.nan, 0.0), (1, np.nan), (np.inf, np.nan), (-np.inf, np.inf), (3, 0.0), (-2.5, 0.0), (2, -1), (7, 1e-3)]
    pairs = list(itertools.product(special, special))
    pairs += [(tuple(random.uniform(-3, 3, 2)), tuple(random.uniform(-3, 3, 2))) for _ in range(30)]
    x, y = zip(*pairs)
    return make_complex(x, dtype), make_complex(y, dtype)


# ---------------------------------------------------------------------------------------------------- files


class Writer:
    def __init__(self, file):
        self.out = open(DATA / file, "wb")
        self.ids = {}
        self.cases = 0

    def data(self, operand):
        key = dtype_name(operand), operand.tobytes()
        if key not in self.ids:
            self.ids[key] = str(len(self.ids))
            self.out.write(f"data {self.ids[key]} {key[0]} {len(operand)}\n".encode() + key[1] + b"\n")
        return self.ids[key]

    def case(self, name, *operands):
        result = evaluate(name, *operands)
        if result is not None:
            self.record(name, operands, result)

    def record(self, name, operands, result):
        assert len(result) == len(operands[0])
        ids = ",".join(self.data(x) for x in operands)
        self.out.write(f"case {name} {ids} {dtype_name(result)}\n".encode() + result.tobytes() + b"\n")
        self.cases += 1

    def close(self):
        size = self.out.tell()
        self.out.close()
        print(f"{self.out.name}: {self.cases} cases, {size} bytes")


# The functions whose results must have NumPy's very bits, and those that are within some ulp of them.
UNARY_EXACT = """abs fabs sign negative positive reciprocal square sqrt floor ceil trunc rint round round_2 round_minus_1
fix signbit isnan isinf isfinite isposinf isneginf real imag conj nan_to_num logical_not invert""".split()
UNARY_MATH = [f for f in UNARY if f not in UNARY_EXACT]
BINARY_MATH = "power float_power logaddexp logaddexp2 arctan2 hypot".split()
BINARY_EXACT = [f for f in BINARY if f not in BINARY_MATH]


def ternary_operands(name, x, y):
    """clip(x, low, high) and where(condition, x, y) out of a list of pairs."""
    if name == "where":
        return np.arange(len(x)) % 3 == 0, x, y
    roll = lambda v: Bfloat16(np.roll(v.bits, 5)) if isinstance(v, Bfloat16) else np.roll(v, 5)
    return x, y, roll(x)


def write_float():
    for file, functions in (("ufunc_float_unary.bin", UNARY_EXACT), ("ufunc_float_math.bin", UNARY_MATH)):
        writer = Writer(file)
        for name, dtype in itertools.product(functions, FLOAT):
            writer.case(name, float_values(dtype))
        writer.close()
    for file, functions in (("ufunc_float_binary.bin", BINARY_EXACT + TERNARY), ("ufunc_float_power.bin", BINARY_MATH)):
        writer = Writer(file)
        for name, dtype in itertools.product(functions, FLOAT):
            x, y = float_pairs(dtype)
            if name == "nextafter" and dtype == "float16":  # from a zero to the other one, NumPy's float16 stays, C goes
                keep = (x != 0) | (y != 0)
                x, y = x[keep], y[keep]
            if name == "ldexp":
                writer.case(name, *ldexp_pairs(dtype))
            elif name in TERNARY:
                writer.case(name, *ternary_operands(name, x, y))
            else:
                writer.case(name, x, y)
        writer.close()


def integer_operands(name, dtype):
    if name in UNARY:
        x = integer_values(dtype, small=name in UNARY_MATH)
        # 1/0 as an integer, and rounding past the type's end, are the platform's.
        if name == "reciprocal":
            x = x[x != 0]
        if name == "round_minus_1" and dtype != "bool":
            x = x[np.abs(x.astype(np.float64)) < float(np.iinfo(dtype).max) - 9]
        return [x]
    if name in ("left_shift", "right_shift"):
        return shift_pairs(dtype)
    if name == "power":
        return power_pairs(dtype)
    x, y = integer_pairs(dtype, few=name in BINARY_MATH + ["copysign", "nextafter", "heaviside", "ldexp"])
    if name == "ldexp" and dtype != "bool":
        y = np.clip(y, -20 if dtype in SIGNED else 0, 20).astype(dtype)
    return ternary_operands(name, x, y) if name in TERNARY else (x, y)


def write_integer():
    for group, dtypes in (("signed", SIGNED), ("unsigned", ["bool"] + UNSIGNED)):
        for kind, functions in (("unary", UNARY_EXACT), ("math", UNARY_MATH), ("arithmetic", BINARY_ARITHMETIC),
                                ("logic", BINARY_LOGIC + TERNARY)):
            writer = Writer(f"ufunc_{group}_{kind}.bin")
            for name, dtype in itertools.product(functions, dtypes):
                writer.case(name, *integer_operands(name, dtype))
            writer.close()


def write_complex():
    writer = Writer("ufunc_complex_unary.bin")
    for name, dtype in itertools.product(UNARY, COMPLEX):
        writer.case(name, complex_values(dtype))
    writer.close()
    writer = Writer("ufunc_complex_binary.bin")
    for name, dtype in itertools.product(BINARY + TERNARY, COMPLEX):
        operands = complex_pairs(dtype)
        if name in TERNARY:
            operands = ternary_operands(name, *operands)
        if name == "clip":  # NumPy's lets a NaN bound through for some values and not for others
            keep = ~(np.isnan(operands[1]) | np.isnan(operands[2]))
            operands = [x[keep] for x in operands]
        writer.case(name, *operands)
    writer.close()


# Operands of two types. tests/ufunc_mixed_test.cpp has the same list.
MIXED = [(f, a, b) for f in ("equal", "less", "less_equal", "greater", "greater_equal", "not_equal")
         for a, b in (("int64", "uint64"), ("uint64", "int64"), ("int8", "uint64"))]
MIXED += [("less", "int32", "float32"), ("less", "int64", "float64"), ("equal", "float16", "float32"),
          ("add", "int32", "float32"), ("add", "int8", "uint8"), ("add", "bool", "int8"), ("add", "int64", "uint64"),
          ("add", "float16", "bfloat16"), ("add", "bfloat16", "int8"), ("add", "float16", "int16"),
          ("subtract", "uint8", "int16"), ("subtract", "bool", "float32"), ("multiply", "bool", "float32"),
          ("multiply", "float32", "complex64"), ("multiply", "float64", "complex64"), ("multiply", "uint32", "int32"),
          ("divide", "int8", "float32"), ("divide", "int32", "uint8"), ("floor_divide", "int8", "uint8"),
          ("floor_divide", "int32", "float32"), ("remainder", "int64", "int8"), ("remainder", "float32", "int16"),
          ("power", "float32", "int8"), ("power", "float64", "int32"), ("power", "int8", "uint8"),
          ("left_shift", "int8", "uint8"), ("left_shift", "int64", "int8"), ("right_shift", "int8", "int32"),
          ("bitwise_and", "bool", "int32"), ("bitwise_or", "uint8", "int16"), ("bitwise_xor", "int64", "uint32"),
          ("logical_and", "int8", "float64"), ("logical_or", "complex64", "bool"), ("maximum", "int32", "float32"),
          ("minimum", "uint64", "int64"), ("fmax", "float16", "float64"), ("arctan2", "int8", "float32"),
          ("hypot", "float16", "float32"), ("copysign", "int32", "float16"), ("ldexp", "float32", "int64"),
          ("ldexp", "float64", "int8"), ("gcd", "int8", "uint16"), ("lcm", "uint8", "int32"), ("heaviside", "int16", "float32"),
          ("float_power", "int32", "float32"), ("float_power", "float32", "complex64"), ("where", "int32", "float32"),
          ("where", "uint8", "int8"), ("where", "float32", "complex64")]


def mixed_operand(dtype, name, second):
    random = generator("mixed", dtype, second)
    count = 48
    if dtype == "bool":
        return random.integers(0, 2, count).astype(bool)
    if dtype in COMPLEX:
        return make_complex(random.uniform(-3, 3, (count, 2)), dtype)
    if dtype in FLOAT:
        special = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 2.5, -0.5, 3, 2.0**31, 2.0**24] if name != "ldexp" else []
        values = np.concatenate([special, np.round(random.uniform(-9, 9, count - len(special)), 1)])
        return make(random.permutation(values), dtype)
    info = np.iinfo(dtype)
    if name in ("power", "float_power", "ldexp"):
        return random.integers(0 if second or not info.min else -9, 10, count).astype(dtype)
    if name in ("left_shift", "right_shift") and second:
        return random.integers(0, 40, count).astype(dtype)
    special = [0, 1, 2, info.min, info.min + 1, info.max, info.max - 1, info.max // 2 + 1]
    values = random.integers(info.min, info.max, count - 20, dtype=dtype, endpoint=True)
    small = random.integers(max(info.min, -9), 9, 20 - len(special), dtype=dtype)
    return random.permutation(np.concatenate([np.array(special, dtype), values, small]))


def write_mixed():
    writer = Writer("ufunc_mixed.bin")
    for name, a, b in MIXED:
        x, y = mixed_operand(a, name, False), mixed_operand(b, name, True)
        if name == "where":
            writer.case(name, np.arange(len(x)) % 2 == 0, x, y)
        else:
            writer.case(name, x, y)
    writer.close()


if __name__ == "__main__":
    write_float()
    write_integer()
    write_complex()
    write_mixed()
