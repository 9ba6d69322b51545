# SPDX-License-Identifier: MIT
"""What make_linalg.py makes its lines with: operands, the conditions of problems, and add()."""

import warnings

import numpy as np
from numpy.linalg import svd

warnings.simplefilter("error")
LIMIT = 8
random = np.random.default_rng(20)
lines = []
known = {}  # operands, in order
worst = {}

# ------------------------------------------------------------------------------------------------- operands


def quarters(*shape, kind="real", most=8):
    values = random.integers(-most, most + 1, shape)
    if kind == "complex":
        return (values + 1j * random.integers(-most, most + 1, shape)) / 4
    return values.astype(float) if kind == "integer" else values / 4


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def regular(*shape, kind="real"):
    """Whose conditions are below 100, so that the bound of a float result has some digits."""
    while True:
        a = quarters(*shape, kind=kind)
        if condition(a[..., :, :min(shape[-2:])]) < 100:
            return a


def hermitian(*shape, kind="real"):
    a = quarters(*shape, kind=kind)
    return a + adjoint(a)


def positive(*shape, kind="real"):
    a = quarters(*shape, kind=kind, most=4)
    return a @ adjoint(a) + 2 * np.eye(shape[-1])


def deficient(m, n, rank, kind="real"):
    while True:
        a = quarters(m, rank, kind=kind, most=2) @ quarters(rank, n, kind=kind, most=2)
        s = svd(a, compute_uv=False)
        if s[0] < 50 * s[rank - 1]:
            return a


# ------------------------------------------------------------------------------------------------- scales


def each(a):
    return a.reshape((-1,) + a.shape[-2:])


def largest(function, a):
    """Of a function of one matrix, over the stack."""
    return max((float(function(m)) for m in each(a)), default=1.0) if a.size else 1.0


def size(a):
    return largest(lambda m: svd(m, compute_uv=False)[0], a)


def condition(a):

    def of(m):
        s = svd(m, compute_uv=False)
        return s[0] / s[-1] if s[-1] > 0 else np.inf

    return largest(of, a)


def rank_condition(a, rank):
    s = svd(a, compute_uv=False)
    return s[0] / s[rank - 1] if rank else 1.0


def minors(a):
    """How much the determinant changes with the matrix: works for singular ones, too."""

    def of(m):
        s = np.maximum(svd(m, compute_uv=False),
                       1e-7 * size(m))  # of rank n - 2 the next order of rounding errors counts
        return s[0] * sum(np.prod(np.delete(s, i)) for i in range(len(s)))

    return largest(of, a)


def eigenvalue_condition(a):

    def of(m):
        v = np.linalg.eig(m)[1]
        w = np.linalg.inv(v)
        return max(np.linalg.norm(v[:, i]) * np.linalg.norm(w[i]) for i in range(len(v)))

    return largest(of, a)


def gap(w):
    return (min(
        (float(np.min(np.diff(row))) for row in w.reshape(-1, w.shape[-1])), default=1.0) if w.shape[-1] > 1 else 1.0)


def length(x):
    return max(float(np.linalg.norm(x.ravel())), 1e-30) if x.size else 1.0


# ------------------------------------------------------------------------------------------------- comparing


def phases(got, want, axis):
    inner = np.sum(np.conj(want) * got, axis=axis, keepdims=True)
    size_of = np.abs(inner)
    return got * np.where(size_of > 0, np.conj(inner) / np.where(size_of > 0, size_of, 1), 1)


def distance(got, want, comparison):
    got = got.astype(complex)
    want = want.astype(complex)
    if comparison == "columns":
        got = phases(got, want, -2)
    elif comparison == "rows":
        got = phases(got, want, -1)
    elif comparison == "set":
        taken = np.zeros(got.shape, bool)
        matched = np.empty_like(got)
        for row in np.ndindex(got.shape[:-1]):
            for i, value in enumerate(want[row]):
                away = np.where(taken[row], np.inf, np.abs(got[row] - value))
                best = int(np.argmin(away))
                taken[row][best] = True
                matched[row][i] = got[row][best]
        got = matched
    with np.errstate(invalid="ignore"):
        away = np.where(got == want, 0, np.abs(got - want))
    return float(np.max(away)) if away.size else 0.0


def number(value):

    def real(x):
        return f"{x:.16g}"

    return f"{real(value.real)},{real(value.imag)}" if np.iscomplexobj(value) else real(value)


def text_of(a):
    a = np.asarray(a)
    return ",".join(map(str, a.shape)) + ":", " ".join(number(v) for v in a.ravel())


def compute(call, operands, dtype):
    try:
        results = call(*(np.asarray(x, order="C").astype(dtype) for x in operands))
    except (ValueError, np.linalg.LinAlgError):
        return None
    return [np.asarray(r) for r in (results if isinstance(results, (tuple, list)) else (results,))]


TYPES = {"real": ("float64", "float32"), "complex": ("complex128", "complex64"), "integer": ("int32",)}
SINGLE = {"float64": "float32", "complex128": "complex64", "int64": "int64"}


def add(function, call, operands, kind, results=lambda *r: [(1.0, "")] * len(r), **arguments):
    """results: of the operands and NumPy's results, for each result its scale and comparison."""
    found = {dtype: compute(call, operands, dtype) for dtype in TYPES[kind]}
    double = found[TYPES[kind][0]]
    # Eigenvalues have a complex type in gnp, where NumPy looks at their values.
    if double is not None and function == "eigvals":
        found = {
            d: [r[0].astype("complex64" if d in ("float32", "complex64") else "complex128")] for d, r in found.items()
        }
        double = found[TYPES[kind][0]]
    how = None if double is None else [(max(scale, 1e-30), c) for scale, c in results(*operands, *double)]
    groups = [list(found)]
    if kind != "integer":
        single = found[TYPES[kind][1]]
        same = (double is None) == (single is None)
        if same and double is not None:
            for a, b in zip(double, single):
                same = same and a.shape == b.shape and (a.dtype != np.int64 or np.array_equal(a, b))
        if not same:
            groups = [[d] for d in found]
        elif double is not None:
            for a, b, (scale, comparison) in zip(double, single, how):
                assert SINGLE[a.dtype.name] == b.dtype.name, (function, a.dtype, b.dtype)
                ratio = distance(b, a, comparison) / (scale * float(np.finfo("float32").eps))
                assert ratio <= LIMIT / 2, (function, arguments, ratio)
                worst[function] = max(worst.get(function, 0.0), ratio)
    argument_text = ",".join(f"{k}={v}" for k, v in arguments.items())
    operand_text = ",".join(str(known.setdefault("".join(text_of(x)), len(known))) for x in operands)
    for dtypes in groups:
        line = f"{function};{argument_text};{dtypes[0] if len(dtypes) == 1 else kind};{operand_text};"
        if found[dtypes[0]] is None:
            lines.append(line + "error")
            continue
        parts = []
        for r, (scale, comparison) in zip(found[dtypes[0]], how):
            shape, values = text_of(r)
            wide = {v: k for k, v in SINGLE.items()}.get(r.dtype.name, r.dtype.name)
            parts.append(f"{shape}{wide}:{comparison}:{scale:.3g}:{values}")
        lines.append(line + "|".join(parts))


def plain(scale):
    return lambda *all_of_them: [(scale, "")]
