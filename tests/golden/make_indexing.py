# SPDX-License-Identifier: MIT
"""Writes tests/data/indexing.txt: arrays indexed by arrays, read and written, and what NumPy makes of it.

    get 3,4 0 | I:2,1:0,-1 s:None:None:2 | shape 2,1,2 values 0,2,8,10
    set 3,4 1 | ... | ...             every element of the result assigned its number + 100: the base afterwards
    fill, add                         the number 7 assigned, 5 added: the base afterwards
    ...                               | error

The base holds 0, 1, 2, ...; with the number 1 after its shape it is reversed along every axis and its axes are
transposed. Indices are i:<int>, s:<start>:<stop>:<step>, n (newaxis), e (ellipsis), I:<shape>:<values> and
M:<shape>:<0 or 1 each>.
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


def main():
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
