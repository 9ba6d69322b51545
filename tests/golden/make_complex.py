# SPDX-License-Identifier: MIT
"""Writes tests/data/complex.txt: what NumPy 2 answers for complex arguments, in bits.

    python tests/golden/make_complex.py tests/data/complex.txt      # needs numpy >= 2.4 and mpmath

Where the arguments are finite, mpmath knows the truth, and where NumPy is further than 2 ulp from it (its exp2,
log2 and the like are plain formulas) the file has the truth instead, with NumPy's sign. Special values are
NumPy's own. The format: one record per line, words separated by spaces; numbers are the hexadecimal bits of
their parts, n for NaN; pairs are indices into the values; answers of comparisons are one word of 0 and 1.
"""
import random
import sys
import warnings

import mpmath
import numpy as np

warnings.simplefilter("ignore")
mpmath.mp.prec = 2600  # enough for 1 + 3e-310

# From here on NumPy's angle of exp2 is mostly rounding error, and ours the same.
EXP2_LIMIT = {np.float32: 2**12, np.float64: 2**26}
UNARY = {  # name here: (NumPy's function, mpmath's)
    "abs": (np.abs, abs),
    "arg": (np.angle, None),
    "sqrt": (np.sqrt, mpmath.sqrt),
    "exp": (np.exp, mpmath.exp),
    "exp2": (np.exp2, lambda z: mpmath.exp(z * mpmath.log(2))),
    "expm1": (np.expm1, lambda z: mpmath.exp(z) - 1),
    "log": (np.log, mpmath.log),
    "log2": (np.log2, lambda z: mpmath.log(z) / mpmath.log(2)),
    "log10": (np.log10, lambda z: mpmath.log(z) / mpmath.log(10)),
    "log1p": (np.log1p, lambda z: mpmath.log(1 + z)),
    "sin": (np.sin, mpmath.sin),
    "cos": (np.cos, mpmath.cos),
    "tan": (np.tan, mpmath.tan),
    "asin": (np.arcsin, mpmath.asin),
    "acos": (np.arccos, mpmath.acos),
    "atan": (np.arctan, mpmath.atan),
    "sinh": (np.sinh, mpmath.sinh),
    "cosh": (np.cosh, mpmath.cosh),
    "tanh": (np.tanh, mpmath.tanh),
    "asinh": (np.arcsinh, mpmath.asinh),
    "acosh": (np.arccosh, mpmath.acosh),
    "atanh": (np.arctanh, mpmath.atanh),
    # Arithmetic is NumPy's even where it cancels or overflows.
    "square": (None, None),
    "reciprocal": (np.reciprocal, None),
    "sign": (np.sign, lambda z: z / abs(z)),
}
BINARY = {
    "times": None,  # by scalars: the array loops use fused multiply-add where the machine has it
    "over": np.divide,
    "pow": np.power,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "fmax": np.fmax,
    "fmin": np.fmin,
}
COMPARISONS = {"complex_less": np.less, "complex_less_equal": np.less_equal, "equal": np.equal}


def values(dtype):
    """The grid of special values, then random ones of every size."""
    single = dtype == np.complex64
    tiny, huge = (3e-40, 3e38) if single else (3e-310, 1.5e308)
    special = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, tiny, -tiny, huge, -huge, np.inf, -np.inf, np.nan]
    out = [complex(x, y) for x in special for y in special]
    rng = random.Random(1)
    sign = lambda: rng.choice((-1.0, 1.0))
    for _ in range(20):
        out.append(complex(rng.uniform(-3, 3), rng.uniform(-3, 3)))
    for _ in range(12):  # log near |z| = 1, and acos near 1
        t = rng.uniform(0, 2 * np.pi)
        out.append(complex(np.cos(t), np.sin(t)))
    for _ in range(6):
        out.append(complex(sign() * (1 + 10 ** rng.uniform(-8, -3)), sign() * 10 ** rng.uniform(-12, -2)))
    for _ in range(6):  # log1p near 0
        y = 10 ** rng.uniform(-6, -1)
        out.append(complex(-y * y / 2 * (1 + rng.uniform(-1e-3, 1e-3)), sign() * y))
    for _ in range(12):
        wide = 35 if single else 290
        out.append(complex(sign() * 10 ** rng.uniform(-wide, wide), sign() * 10 ** rng.uniform(-wide, wide)))
    limit = 88.0 if single else 709.0
    for x in (limit + 0.5, limit + 1.7, 1.1 * limit, -1.05 * limit, 0.9 * limit):
        out.append(complex(x, rng.uniform(-3, 3)))
        out.append(complex(rng.uniform(-3, 3), x))
    return np.array(out, dtype=dtype)


def pairs(z):
    grid = [0, 1, 14, 30, 43, 56, 70, 84, 110, 130, 140, 155, 168, 171, 180]
    grid = [i for i in grid if i < len(z)]
    rng = random.Random(2)
    out = [(i, j) for i in grid for j in grid]
    special = 169
    for _ in range(40):
        out.append((rng.randrange(special, special + 50), rng.randrange(special, special + 20)))
    return out


def rounded(x, real):
    """mpmath number to the nearest float of that type."""
    if abs(x) > mpmath.mpf(2) ** 1100:
        return real(np.inf) if x > 0 else real(-np.inf)
    if x != 0 and abs(x) < mpmath.mpf(2) ** -1200:
        return real(0) if x > 0 else real(-0.0)
    return real(float(x))


def ulps(a, b):
    if np.isnan(a) or np.isnan(b) or np.isinf(a) or np.isinf(b):
        return 0 if a == b or (np.isnan(a) and np.isnan(b)) else np.inf
    return abs(float(a) - float(b)) / float(np.spacing(max(abs(a), abs(b))))


def truth(name, function, z, answers, real):
    """NumPy's answers with those that are more than 2 ulp off replaced; prints how far off they were."""
    answers = answers.copy()
    worst = [0.0, 0.0]
    replaced = 0
    for i, value in enumerate(z):
        if not (np.isfinite(value.real) and np.isfinite(value.imag)):
            continue
        try:
            if value == 0 or (name == "log1p" and value == -1):
                continue  # poles, and angles that mpmath has no signed zeros for
            exact = function(mpmath.mpc(float(value.real), float(value.imag)))
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        parts = [mpmath.re(exact), mpmath.im(exact)] if np.iscomplexobj(answers) else [exact]
        given = [answers[i].real, answers[i].imag] if np.iscomplexobj(answers) else [answers[i]]
        for k, (have, want) in enumerate(zip(given, parts)):
            if np.isnan(have) or (name == "exp2" and abs(value.imag) >= EXP2_LIMIT[real]):
                continue
            want = rounded(want, real)
            if have != 0 or want == 0:
                want = real(np.copysign(want, have))
            distance = ulps(have, want)
            worst[k] = max(worst[k], distance)
            if distance > 2:
                replaced += 1
                given[k] = want
        answers[i] = complex(*given) if np.iscomplexobj(answers) else given[0]
    print(f"  {name:12} {replaced:4} replaced, NumPy's worst {worst[0]:.3g} {worst[1]:.3g} ulp")
    return answers


def true_power(a, b, answers, real):
    """The same for pow, where NumPy takes a logarithm."""
    answers = answers.copy()
    for i, (z, w) in enumerate(zip(a, b)):
        finite = np.isfinite([z.real, z.imag, w.real, w.imag]).all()
        whole = w.imag == 0 and w.real == np.floor(w.real)
        if finite and z != 0 and not whole and abs(w) < 1e6:
            exact = mpmath.exp(mpmath.mpc(float(w.real), float(w.imag)) *
                               mpmath.log(mpmath.mpc(float(z.real), float(z.imag))))
            # On the branch cut mpmath takes the upper side only.
            parts = [rounded(exact.real, real), rounded(exact.imag, real)]
            if (z.real > 0 or z.imag != 0) and np.isfinite(parts).all():
                answers[i] = complex(*parts)
    return answers


def words(array, real):
    """The parts of the array's values in bits, n for NaN."""
    flat = np.ascontiguousarray(array).view(real)
    bits = flat.view(np.uint32 if real == np.float32 else np.uint64)
    return " ".join("n" if np.isnan(f) else f"{int(b):x}" for f, b in zip(flat, bits))


def main(path):
    with open(path, "w", encoding="ascii") as out:
        for dtype, real in ((np.complex64, np.float32), (np.complex128, np.float64)):
            print(np.dtype(dtype).name)
            z = values(dtype)
            out.write(f"type {np.dtype(dtype).name}\nvalues {words(z, real)}\n")
            for name, (function, exact) in UNARY.items():
                answers = np.array([v * v for v in z], dtype=dtype) if function is None else function(z)
                assert answers.dtype in (dtype, real), name
                if exact is not None:
                    answers = truth(name, exact, z, answers, real)
                out.write(f"unary {name} {words(answers, real)}\n")
            both = pairs(z)
            a = np.array([z[i] for i, _ in both])
            b = np.array([z[j] for _, j in both])
            out.write("pairs " + " ".join(f"{i} {j}" for i, j in both) + "\n")
            for name, function in BINARY.items():
                if function is None:
                    answers = np.array([v * w for v, w in zip(a, b)], dtype=dtype)
                else:
                    answers = function(a, b)
                assert answers.dtype == dtype, name
                if name == "pow":
                    answers = true_power(a, b, answers, real)
                out.write(f"binary {name} {words(answers, real)}\n")
            for name, function in COMPARISONS.items():
                out.write(f"compare {name} " + "".join("01"[int(v)] for v in function(a, b)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
