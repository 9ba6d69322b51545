# SPDX-License-Identifier: MIT
"""Writes tests/data/indexing.txt: arrays indexed by arrays, read and written, and what NumPy makes of it.

    get 3,4 0 | I:2,1:0,-1 s:None:None:2 | shape 2,1,2 values 0,2,8,10
    set 3,4 1 | ... | ...             every element of the result assigned its number + 100: the base afterwards
    fill, add                         the number 7 assigned, 5 added: the base afterwards
    ...                               | error

The base holds 0, 1, 2, ...; with the number 1 after its shape it is reversed along every axis and its axes are
transposed. Indices are i:<int>, s:<start>:<stop>:<step>, n (newaxis), e (ellipsis), I:<shape>:<values> and
M:<shape>:<0 or 1 each>.

and tests/data/indexing_routines.txt: what NumPy's functions make of fixed arrays, "name | shape 2 values 1,2".
"""

import random
import sys

import numpy as np

sys.dont_write_bytecode = True
from make_ufuncs import DATA

rng = random.Random(20261122)

# What tests/indexing_golden_test.cpp has instantiated.
PATTERNS = ["I", "sI", "Is", "II", "IsI", "iI", "Ii", "isI", "Isi", "nI", "eI", "IeI", "sIs", "M", "sM", "Ms", "MI", "iM"]


def csv(values):
    return ",".join(str(int(v)) for v in values)


def make_base(shape, turned):
    base = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    return base[tuple(slice(None, None, -1) for _ in shape)].T if turned else base


def broadcastable(shape):
    """A shape that usually broadcasts with this one."""
    result = [n if rng.random() < 0.6 else 1 for n in shape]
    return tuple(result[rng.randrange(len(result) + 1) :]) if rng.random() < 0.5 else tuple(result)


def tokens_for(pattern, shape, wrong):
    tokens, index = [], []
    axis = 0
    common = tuple(rng.choice([0, 1, 2, 3, 4]) for _ in range(rng.choice([0, 1, 1, 2])))
    size_at = lambda d: shape[d] if d < len(shape) else 3
    for place, kind in enumerate(pattern):
        size = size_at(axis)
        if kind == "i":
            value = rng.randrange(-size, size) if size else 0
            tokens.append(f"i:{value}")
            index.append(value)
            axis += 1
        elif kind == "s":
            bounds = [rng.choice([None, rng.randrange(-size - 1, size + 2)]) for _ in range(2)]
            bounds.append(rng.choice([None, 1, 2, -1, -2]))
            tokens.append("s:" + ":".join(map(str, bounds)))
            index.append(slice(*bounds))
            axis += 1
        elif kind == "n":
            tokens.append("n")
            index.append(None)
        elif kind == "e":
            tokens.append("e")
            index.append(Ellipsis)
            axis = max(axis, len(shape) - (len(pattern) - place - 1))
        elif kind == "I":
            own = common if place == 0 else broadcastable(common)
            if wrong and rng.random() < 0.3:
                own = (5,)
            far = wrong and rng.random() < 0.7
            values = [rng.randrange(-size - far, size + far) if size or far else 0 for _ in range(int(np.prod(own)))]
            tokens.append(f"I:{csv(own)}:{csv(values)}")
            index.append(np.array(values, dtype=np.int64).reshape(own))
            axis += 1
        else:
            rank = rng.choice([1, 1, 2]) if pattern in ("M", "Ms") else 1
            own = [size_at(axis + d) for d in range(rank)]
            if wrong and rng.random() < 0.5:
                own[0] += 1
            values = [rng.random() < 0.5 for _ in range(int(np.prod(own)))]
            tokens.append(f"M:{csv(own)}:{csv(values)}")
            index.append(np.array(values, dtype=bool).reshape(own))
            axis += rank
    return tokens, tuple(index)


def outcome(operation, shape, turned, index):
    base = make_base(shape, turned).copy(order="K")
    try:
        result = base[index]
        if operation == "set":
            base[index] = np.arange(result.size, dtype=np.int64).reshape(result.shape) + 100
        elif operation == "fill":
            base[index] = 7
        elif operation == "add":
            base[index] += 5
    except (IndexError, ValueError):
        return "error"
    shown = result if operation == "get" else base
    return f"shape {csv(shown.shape)} values {csv(np.ravel(shown))}"


def routines():
    m = np.arange(12, dtype=np.int64).reshape(3, 4) * 7 % 11
    i = np.array([[2, 0], [-1, 1]])
    mask = m > 4
    cube = np.arange(24, dtype=np.int64).reshape(2, 3, 4) % 5

    def changed(function, start=m):
        copy = start.copy()
        function(copy)
        return copy

    x = np.arange(-3, 4, dtype=np.int64)
    yield "take", np.take(m, i)
    yield "take 0", np.take(m, i, axis=0)
    yield "take -1", np.take(m, i, axis=-1)
    yield "take wrap", np.take(m, [15, -30, 3], mode="wrap")
    yield "take clip", np.take(m, [15, -30, 3], axis=1, mode="clip")
    yield "take number", np.take(m, 1, axis=1)
    yield "take_along_axis", np.take_along_axis(m, np.argsort(m, axis=0, kind="stable"), axis=0)
    yield "take_along_axis broadcast", np.take_along_axis(m, np.array([[2, -1]]), axis=1)
    yield "take_along_axis flat", np.take_along_axis(m, np.array([5, 0]), axis=None)
    yield "nonzero", np.array(np.nonzero(cube))
    yield "flatnonzero", np.flatnonzero(cube - 2)
    yield "argwhere", np.argwhere(cube > 2)
    yield "extract", np.extract(m % 2, m)
    yield "compress", np.compress([0, 1, 1], m)
    yield "compress 1", np.compress([False, True, True], m, axis=1)
    yield "put", changed(lambda a: np.put(a, [0, -1, 5, 0], [100, 200, 300]))
    yield "put wrap", changed(lambda a: np.put(a, [13, -14], -1, mode="wrap"))
    yield "put clip", changed(lambda a: np.put(a, [13, -14], [-1, -2], mode="clip"))
    yield "put_along_axis", changed(lambda a: np.put_along_axis(a, np.argmax(a, axis=1, keepdims=True), -1, axis=1))
    yield "putmask", changed(lambda a: np.putmask(a, mask, [-1, -2, -3]))
    yield "place", changed(lambda a: np.place(a, mask, [-1, -2, -3]))
    yield "fill_diagonal", changed(lambda a: np.fill_diagonal(a, [50, 60]))
    yield "fill_diagonal tall", changed(lambda a: np.fill_diagonal(a, 9), np.zeros((7, 2), dtype=np.int64))
    yield "fill_diagonal wrap", changed(lambda a: np.fill_diagonal(a, [1, 2, 3], wrap=True), np.zeros((7, 2), dtype=np.int64))
    yield "fill_diagonal cube", changed(lambda a: np.fill_diagonal(a, 9), np.zeros((3, 3, 3), dtype=np.int64))
    yield "add_at", changed(lambda a: np.add.at(a, [0, 2, 0], 100))
    yield "add_at two", changed(lambda a: np.add.at(a, ([0, 0, 2], [1, 1, -1]), [1, 10, 100]))
    yield "subtract_at", changed(lambda a: np.subtract.at(a, ([0, 0], [1, 1]), [1, 10]))
    yield "multiply_at", changed(lambda a: np.multiply.at(a, mask, 2))
    yield "maximum_at", changed(lambda a: np.maximum.at(a, [1, 1], [[5, 5, 5, 5], [1, 2, 9, 0]]))
    yield "floor_divide_at", changed(lambda a: np.floor_divide.at(a, ([0, 0], [1, 1]), [2, -2]))
    yield "choose", np.choose([2, 0, 1, 0], list(m))
    yield "choose wrap", np.choose([4, -1, 7, 0], list(m), mode="wrap")
    yield "choose clip", np.choose([4, -1, 7, 0], list(m), mode="clip")
    yield "choose formulas", np.choose([2, 0, 1, 0], [m[0] + 1, m[1].astype(np.float32) * 2, 7])
    yield "choose broadcast", np.choose([[2], [0], [1]], [m * m, -1, m[1] - 5])
    yield "select", np.select([x < 0, x < 2], [x * 10, x * 100], 7)
    yield "select formulas", np.select([x < 0, x < 2], [x * x, x.astype(np.float32) * 2], 7)
    yield "select default", np.select([x < -1, x > 1], [x * 10, 3], x * 100)
    yield "piecewise", np.piecewise(x, [x < -1, x > 1], [-5, lambda v: v * v, 3])
    yield "piecewise last", np.piecewise(x, [x < 1, x < 0], [1, 2])
    yield "unravel_index", np.array(np.unravel_index([[22, 41], [37, 0]], (7, 6)))
    yield "ravel_multi_index", np.ravel_multi_index(([3, 6, 6], [4, 5, 1]), (7, 6))
    yield "ravel_multi_index wrap", np.ravel_multi_index(([3, 16, -6], [4, 5, 1]), (7, 6), mode="wrap")
    yield "ravel_multi_index clip", np.ravel_multi_index(([3, 16, -6], [4, 9, 1]), (7, 6), mode="clip")
    yield "ix_", m[np.ix_([2, 0], [True, False, True, True])]
    yield "indices", np.indices((2, 3, 2))
    yield "diag_indices", np.array(np.diag_indices(3, 3))
    yield "tril_indices", np.array(np.tril_indices(3, -1, 4))
    yield "triu_indices", np.array(np.triu_indices(4, 1, 3))
    yield "tril_indices_from", np.array(np.tril_indices_from(m, 1))
    yield "triu_indices_from", np.array(np.triu_indices_from(m))
    yield "mask_indices", np.array(np.mask_indices(3, np.triu, 1))
    yield "ndindex", np.array(list(np.ndindex(2, 1, 3)))
    yield "last one wins", changed(lambda a: a.__setitem__(([0, 0, 0],), [[1] * 4, [2] * 4, [3] * 4]))
    yield "once", changed(lambda a: a.__setitem__([0, 0, 1], a[[0, 0, 1]] + 100))


def main():
    with open(f"{DATA}/indexing_routines.txt", "w", encoding="ascii") as file:
        for name, result in routines():
            file.write(f"{name} | shape {csv(result.shape)} values {csv(np.ravel(result))}\n")
    lines = []
    for pattern in PATTERNS:
        consumed = sum(kind in "IiMs" for kind in pattern)
        for case in range(28):
            rank = max(1, consumed + rng.choice([0, 0, 1]))
            shape = tuple(rng.choice([0, 1, 2, 3, 4, 5]) if rng.random() < 0.15 else rng.choice([2, 3, 4, 5])
                          for _ in range(rank))
            turned = int(rng.random() < 0.4)
            seen = shape[::-1] if turned else shape
            tokens, index = tokens_for(pattern, seen, case % 7 == 6)
            operation = ["get", "get", "set", "add", "get", "fill", "get"][case % 7]
            with np.errstate(all="ignore"):
                lines.append(f"{operation} {csv(shape)} {turned} | {' '.join(tokens)} | "
                             f"{outcome(operation, shape, turned, index)}\n")
    with open(f"{DATA}/indexing.txt", "w", encoding="ascii") as file:
        file.writelines(lines)
    print(len(lines), "lines")


main()
