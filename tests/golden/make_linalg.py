# SPDX-License-Identifier: MIT
"""Writes tests/data/linalg.txt: NumPy's factorisations, solutions, ranks and conditions.

The lines 'operand;shape:elements' come first; the elements are small multiples of 1/16, which every type holds
exactly. The other lines are: function;arguments;dtype;which operands;results - or 'error' for the results, which '|'
separates. The dtype may be 'real' or 'complex': of either precision. The argument 'times' multiplies the first operand.

A result is shape:dtype:comparison:scale:elements, of double precision, whatever precision the line is run in. A
comparison is elementwise, or forgets what is not determined: the order in a row (set), the phase of each column or
row. An element may be LIMIT * eps * scale away from NumPy's, where the scale is the size of the result times the
condition of the problem; NumPy's own single precision is held to half of that here.
"""
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True
from linalg_lines import *  # noqa: E402

la = np.linalg


def lstsq(a, b, rcond=None):
    x, residuals, rank, s = la.lstsq(a, b, rcond)
    return x, residuals, np.int64(rank), s


for kind in TYPES:
    stack = regular(2, 3, 3, kind=kind)
    sizes = (1, 2, 4)
    squares = [regular(n, n, kind=kind) for n in sizes] + [stack]
    large = [regular(8, 8, kind=kind)] if kind != "integer" else []
    empties = [np.zeros(s) for s in ((0, 0), (0, 3, 3), (2, 0, 0))]
    singular = [np.zeros((2, 2)), np.diag([1.0, 0.0, 2.0]), np.ones((2, 2))]
    low = deficient(4, 4, 2, kind)

    for a in squares + large + empties + [low, deficient(5, 5, 4, kind)]:
        add("det", la.det, [a], kind, lambda a, d: [(minors(a), "")])
    for a in singular:
        add("det", la.det, [a], kind, plain(1.0))
    for a in squares + large + empties + singular:
        with np.errstate(divide="ignore"):
            add("slogdet", la.slogdet, [a], kind, lambda a, *r: [(min(condition(a), 1e3), "")] * 2)
    # Near the ends of single precision's range, and determinants beyond it.
    for factor in (1e-30, 1e30) if kind != "integer" else ():
        a = stack
        with np.errstate(all="ignore"):
            add("slogdet", lambda a: la.slogdet(a * a.dtype.type(factor)), [a], kind,
                lambda a, *r: [(condition(a), ""), (condition(a) + 350, "")], times=factor)
            add("inv", lambda a: la.inv(a * a.dtype.type(factor)), [a], kind,
                lambda a, r: [(condition(a) * size(r), "")], times=factor)
            add("solve", lambda a, b: la.solve(a * a.dtype.type(factor), b), [a, quarters(a.shape[-1], 2, kind=kind)],
                kind, lambda a, b, x: [(condition(a) * length(x), "")], times=factor)
            add("qr", lambda a: tuple(la.qr(a * a.dtype.type(factor))), [a], kind,
                lambda a, q, r: [(condition(a), "columns"), (condition(a) * size(a) * factor, "rows")],
                times=factor, mode="reduced")
            add("eigvals", lambda a: la.eigvals(a * a.dtype.type(factor)), [a], kind,
                lambda a, w: [(size(a) * eigenvalue_condition(a) * factor, "set")], times=factor)

    def solution(a, b, x):
        return [(condition(a) * length(x), "")]

    for a, columns in zip(squares[:-1] + large, (1, 3, 2, 4, 1)):
        n = len(a)
        add("solve", la.solve, [a, quarters(n, kind=kind)], kind, solution)
        add("solve", la.solve, [a, quarters(n, columns, kind=kind)], kind, solution)
    for left, right in [((2, 3, 3), (2, 3, 2)), ((2, 3, 3), (3,)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 1)),
                        ((2, 1, 2, 2), (3, 2, 2)), ((2, 3, 3), (2, 3, 0)), ((0, 3, 3), (3,)), ((0, 3, 3), (0, 3, 2)),
                        ((0, 0), (0,)), ((0, 0), (0, 2)), ((3, 3), (3, 0)), ((1, 3, 3), (4, 3, 1)),
                        ((0, 2, 2), (1, 2, 2))]:
        a = regular(*left, kind=kind) if np.prod(left) else np.zeros(left)
        add("solve", la.solve, [a, quarters(*right, kind=kind)], kind, solution)
    for a, b in [(np.zeros((2, 2)), (2,)), (np.diag([1.0, 0.0]), (2, 2)), (np.eye(3), (2,)), (np.eye(3), (2, 2)),
                 (np.ones((2, 3)), (2,)), (np.ones(3), (3,)), (np.ones((2, 3, 3)), (3, 3, 1)), (np.eye(2), ())]:
        add("solve", la.solve, [a, quarters(*b, kind=kind)], kind)

    for a in squares + empties + singular + [np.ones((2, 3)), np.ones(3)]:
        add("inv", la.inv, [a], kind, lambda a, r: [(condition(a) * size(r), "")])

    rough = positive(4, 4, kind=kind) + np.triu(quarters(4, 4, kind=kind), 1)  # the triangle that is not read
    indefinite = [-np.eye(2), np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 1.0]])]
    for a in ([positive(n, n, kind=kind) for n in sizes] + [positive(2, 3, 3, kind=kind), rough, rough.T] +
              empties + indefinite + [np.ones((2, 3))]):
        for upper in (0, 1):
            add("cholesky", lambda a: la.cholesky(a, upper=bool(upper)), [a], kind,
                lambda a, r: [(condition(r)**2 * size(r), "")], upper=upper)

    def factors(a, q, r):
        k = min(a.shape[-2:])
        leading = condition(a[..., :, :k])
        return [(leading, "columns"), (leading * size(a), "rows")]

    for shape in [(1, 1), (3, 3), (5, 3), (3, 5), (7, 2), (2, 4, 2), (2, 2, 4), (4, 1), (1, 4), (0, 3), (3, 0), (0, 0),
                  (0, 3, 2), (2, 3, 0), (4,)]:
        a = regular(*shape, kind=kind) if len(shape) > 1 else quarters(*shape, kind=kind)
        add("qr", lambda a: tuple(la.qr(a)), [a], kind, factors, mode="reduced")
        if kind == "real":
            add("qr", lambda a: la.qr(a, "r"), [a], kind, lambda a, r: factors(a, r, r)[1:], mode="r")
        # The columns that complete Q are anyone's choice.
        if a.ndim == 2 and kind != "integer":

            def complete(a):
                q, r = la.qr(a, "complete")
                return q[:, :min(a.shape)], r

            add("qr", complete, [a], kind, factors, mode="complete")

    heavy = hermitian(4, 4, kind=kind)
    lower_only = np.tril(heavy) + np.triu(quarters(4, 4, kind=kind), 1)
    for a in ([hermitian(n, n, kind=kind) for n in sizes] + [hermitian(2, 3, 3, kind=kind)] + empties +
              [np.ones((2, 3)), np.ones(3), lower_only]):
        for uplo in "LU":
            add("eigh", lambda a: tuple(la.eigh(a, uplo)), [a], kind,
                lambda a, w, v: [(size(a), ""), (size(a) / gap(w), "columns")], UPLO=uplo)
            add("eigvalsh", lambda a: la.eigvalsh(a, uplo), [a], kind, plain(size(a) if a.ndim > 1 else 1.0), UPLO=uplo)
    for a in [np.eye(3), np.zeros((2, 2)), low @ adjoint(low), hermitian(8, 8, kind=kind)]:  # some with equal ones
        add("eigvalsh", la.eigvalsh, [a], kind, plain(size(a)), UPLO="L")

    rotation = np.array([[0.0, 1.0], [-1.0, 0.0]])
    for a in squares + large + empties + [np.eye(3), np.zeros((2, 2)), rotation, np.ones((2, 3)), np.ones(3)]:
        add("eigvals", la.eigvals, [a], kind, lambda a, w: [(size(a) * eigenvalue_condition(a), "set")])

    wide = [quarters(*s, kind=kind) for s in ((3, 4), (4, 3), (8, 2), (1, 4), (2, 1), (2, 2, 3), (2, 3, 2))]
    nothing = [np.zeros(s) for s in ((0, 3), (3, 0), (0, 2, 3), (2, 0, 3))]
    for a in squares + large + wide + empties + nothing + [low, np.zeros((2, 3)), np.ones(3)]:
        add("svdvals", la.svdvals, [a], kind, lambda a, s: [(size(a), "")])

    def fit(a, b, x, residuals, rank, s):
        k = rank_condition(a, int(rank))
        missing = length(b - a @ x)
        reach = size(a) * length(x) + length(b)
        away = missing / max(size(a) * length(x), 1e-30)
        return [(k * (1 + k * away) * length(x), ""), (reach * missing, ""), (1.0, ""), (size(a), "")]

    full = [(1, 1, 1), (4, 2, 2), (8, 2, 2), (3, 3, 3), (8, 5, 5), (4, 1, 1), (2, 4, 2), (1, 4, 1)]
    for m, n, rank in full + [(5, 3, 2), (8, 2, 1), (3, 5, 2), (4, 4, 2)]:
        a = deficient(m, n, rank, kind)
        add("lstsq", lstsq, [a, quarters(m, kind=kind)], kind, fit)
        if m == n or rank < n:
            add("lstsq", lstsq, [a, quarters(m, 2, kind=kind)], kind, fit)
    slope = np.array([[1024.0, 0], [0, 16], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]])
    for rcond in (0.001, 0.02, 0.5, -1, 0) if kind == "real" else (0.002, 0.5):
        add("lstsq", lambda a, b: lstsq(a, b, rcond), [slope, quarters(9, 2, kind=kind)], kind, fit, rcond=rcond)
        add("lstsq", lambda a, b: lstsq(a, b, rcond), [slope[:3], quarters(3, kind=kind)], kind, fit, rcond=rcond)
    if kind != "integer":  # has full rank in float32 as well: the default is of double precision
        add("lstsq", lstsq, [np.diag([1024.0, 2.0**-14]), np.array([1.0, 2.0])], kind, fit)
    for left, right in [((0, 2), (0,)), ((3, 0), (3,)), ((3, 2), (3, 0)), ((0, 2), (0, 2)), ((0, 0), (0,)),
                        ((3, 0), (3, 2)), ((3, 2), (2,)), ((2, 3, 2), (3,)), ((3,), (3,)), ((3, 2), (3, 2, 2)),
                        ((3, 2), ())]:
        add("lstsq", lstsq, [quarters(*left, kind=kind), quarters(*right, kind=kind)], kind,
            lambda a, b, x, r, rank, s: [(100.0, "")] * 4)

    # In single precision the default, 1e-15, would count rounding errors as rank.
    for a in squares[:3] + [stack] + wide + empties + nothing + [np.ones(3)]:
        if 0 in a.shape[-2:] and kind == "integer":
            continue  # the result is of integers, too, which a C++ type cannot make depend on the shape
        if a.ndim == 1 or condition(a) < 100:
            add("pinv", lambda a: la.pinv(a), [a], kind, lambda a, r: [(condition(a) * size(r), "")])

    def inverse(a, r):
        return [(50 * size(r), "")]

    for a in [low, deficient(5, 3, 2, kind), deficient(3, 5, 1, kind)]:
        add("pinv", lambda a: la.pinv(a, 0.001), [a], kind, inverse, rcond=0.001)
    for rcond in (0.001, 0.1, 0.5):
        add("pinv", lambda a: la.pinv(a, rcond), [np.diag([8.0, 2, 0])], kind, inverse, rcond=rcond)
        add("pinv", lambda a: la.pinv(a, rtol=rcond), [np.diag([8.0, 2, 0])], kind, inverse, rtol=rcond)
    for a in [hermitian(3, 3, kind=kind), hermitian(2, 4, 4, kind=kind), low @ adjoint(low)]:
        add("pinv", lambda a: la.pinv(a, 0.001, True), [a], kind, lambda a, r: [(size(a) * size(r)**2, "")],
            rcond=0.001, hermitian=1)

    vectors = [np.array([0.0, 0.0]), np.array([0.0, 1.0]), np.zeros((0,)), np.array(3.0)]
    for a in squares + large + wide + empties + nothing + singular + vectors + [low, deficient(8, 5, 3, kind)]:
        add("matrix_rank", lambda a: la.matrix_rank(a), [a], kind)
    graded = np.array([np.diag([64.0, 8, 1]), np.diag([0.0, 1, 2])])
    for tol in (0.5, 1.5, 9, 100):
        add("matrix_rank", lambda a: la.matrix_rank(a, tol), [graded], kind, tol=tol)
    for rtol in (0.01, 0.02, 0.2, 0.6):
        add("matrix_rank", lambda a: la.matrix_rank(a, rtol=rtol), [graded], kind, rtol=rtol)
    for a in [graded, hermitian(3, 3, kind=kind), np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, 0]])]:
        add("matrix_rank", lambda a: la.matrix_rank(a, hermitian=True), [a], kind, hermitian=1)
        add("matrix_rank", lambda a: la.matrix_rank(a, 1.5, True), [a], kind, tol=1.5, hermitian=1)
    if kind != "integer":  # 2^-24 of the largest is rank in double precision only
        add("matrix_rank", lambda a: la.matrix_rank(a), [np.diag([1024.0, 2.0**-14])], kind)

    some_singular = np.array([np.eye(2), np.ones((2, 2)), np.diag([0.0, 1])])

    def of_order(a, r):
        finite = float(np.max(r, initial=1, where=np.isfinite(r)))
        return [(min(condition(a), 100) * min(finite, 1e4), "")]

    for order in [None, 1] if kind == "integer" else [None, "fro", "nuc", np.inf, -np.inf, 1, -1, 2, -2]:
        for a in [
                squares[0], squares[2], stack,
                np.zeros((2, 2)), some_singular, wide[1],
                np.zeros((0, 0)),
                np.ones(3),
        ]:
            if order in (None, 2, -2) and a.ndim == 3 and a.shape[-1] == 2:
                continue  # an infinity that rounding may take for 1e16
            if order == "nuc" and a.shape[-2:] == (2, 2):
                continue  # infinite, but NumPy takes the singular values of NaNs and fails
            with np.errstate(all="ignore"):
                add("cond", lambda a: la.cond(a, order), [a], kind, of_order, p="" if order is None else order)

    def of_power(a, r):
        if power == 0 or not a.any():
            return [(1.0, "")]
        return [(condition(a) * abs(power) * size(a if power > 0 else la.inv(a))**abs(power), "")]

    # Of integers a negative power has another type, and is refused.
    for power in (0, 1, 2, 5) if kind == "integer" else (-3, -1, 0, 1, 2, 5):
        others = [np.zeros((0, 0)), np.ones((2, 3)), np.ones(3), np.zeros((2, 2))]
        for a in squares[:3] + [stack] + empties[1:] + others:
            add("matrix_power", lambda a: la.matrix_power(a, power), [a], kind, of_power, n=power)

    for shapes in [((2, 3), (3, 4)), ((2, 3), (3, 4), (4, 5)), ((3,), (3, 4), (4,)), ((3,), (3, 4)),
                   ((8, 2), (2, 7), (7, 1), (1, 6)), ((0, 3), (3, 2), (2, 2)), ((2, 0), (0, 3), (3, 1)),
                   ((2, 3), (4, 5)), ((2, 3), (3,), (3, 2)), ((2, 2, 2), (2, 2), (2, 2))]:
        add("multi_dot", lambda *a: la.multi_dot(a), [quarters(*s, kind=kind, most=4) for s in shapes], kind,
            lambda *a: [(float(np.prod([length(x) for x in a[:-1]])), "")])

    for shape, ind in [((4, 2, 2), 1), ((2, 2, 4), 2), ((2, 2, 2, 2), 2), ((4, 2, 2), 1), ((2, 3), 2), ((2, 2), 0),
                       ((4, 2, 3), 1)]:
        n = int(np.prod(shape[:ind]))
        square = n * n == int(np.prod(shape)) and ind > 0
        a = regular(n, n, kind=kind).reshape(shape) if square else quarters(*shape, kind=kind)
        add("tensorinv", lambda a: la.tensorinv(a, ind), [a], kind,
            lambda a, r: [(condition(a.reshape(n, n)) * size(r.reshape(n, n)), "")], ind=ind)

    for shape, right, axes in [((4, 2, 2), (4,), None), ((2, 3, 6), (2, 3), None), ((2, 3, 3, 2), (2, 3), None),
                               ((6, 2, 3), (2, 3), (0,)), ((2, 4, 2), (4,), (0, 2)), ((2, 2, 4), (2, 2), (2,)),
                               ((2, 3, 4), (2,), None), ((4, 2, 2), (3,), None)]:
        n = int(np.prod(right))
        a = quarters(*shape, kind=kind)
        if n * n == a.size:
            a = regular(n, n, kind=kind)
            if axes:
                order = [d for d in range(len(shape)) if d not in axes] + list(axes)
                a = np.transpose(a.reshape([shape[d] for d in order]), np.argsort(order))
            a = a.reshape(shape)
        add("tensorsolve", lambda a, b: la.tensorsolve(a, b, axes), [a, quarters(*right, kind=kind)], kind,
            lambda a, b, x: [(100 * length(x), "")], axes="" if axes is None else ":".join(map(str, axes)))

path = pathlib.Path(__file__).resolve().parent.parent / "data" / "linalg.txt"
path.write_text("\n".join(["operand;" + text for text in known] + lines) + "\n")
print(len(lines), "records,",
      path.stat().st_size, "bytes; NumPy's single precision is at most so many eps * scale away:")
print({name: round(ratio, 2) for name, ratio in worst.items()})
