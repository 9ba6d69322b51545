# SPDX-License-Identifier: MIT
"""Writes tests/data/views.txt: random programs of views on arange arrays, and what NumPy makes of them.

    base 3,4,5 | <step> | <step>... | shape 4,2 strides 8,-16 offset 3 values 3,1,...
    base 3,4,5 | <step> | <step>... | error index_error         (or shape_error; error where it may be either)

A step is one of
    idx i:<int> s:<start>:<stop>:<step> e n a    ints, slices, ellipsis, newaxis, all
    transpose [axes]   swapaxes a,b   moveaxis a,b to c,d   squeeze [axes]   expand_dims axes
    broadcast_to shape   flip [axes]   reshape shape   ravel
Strides are NumPy's, in bytes of an int64; "-" stands where an axis has one element or the array none, so that no
stride matters. The offset is that of the first element in the base array; "copy" if the memory is another's.
"""

import math
import random
import sys

import numpy as np

sys.dont_write_bytecode = True
from make_ufuncs import DATA

rng = random.Random(20240607)


def csv(values):
    return ",".join(map(str, values))


# ---------------------------------------------------------------------------------------------------- running a step


def parse(text):
    return tuple(int(v) for v in text.split(",") if v)


def parse_index(token):
    kind, *rest = token.split(":")
    bound = lambda v: None if v == "None" else int(v)
    return {"i": lambda: int(rest[0]), "s": lambda: slice(*map(bound, rest)), "e": lambda: Ellipsis, "n": lambda: None,
            "a": lambda: slice(None)}[kind]()


def apply(array, step):
    name, *rest = step.split(" ")
    if name == "idx":
        index = tuple(parse_index(t) for t in rest)
        result = array[index]
        # All integers give a scalar, which is a copy; gnp gives the view that an ellipsis asks NumPy for.
        return result if isinstance(result, np.ndarray) else array[index + (Ellipsis,)]
    axes = parse(rest[0]) if rest else None
    if name == "swapaxes":
        return np.swapaxes(array, *axes)
    if name == "moveaxis":
        return np.moveaxis(array, axes, parse(rest[2]))
    if name == "ravel":
        return np.ravel(array)
    return getattr(np, name)(array, axes)


# ---------------------------------------------------------------------------------------------------- random steps


def random_slice(length):
    bound = lambda: rng.choice([None, None, rng.randint(-length - 2, length + 2)])
    step = rng.choice([None, 1, 2, -1, -1, -2, 3, -3])
    return f"s:{bound()}:{bound()}:{step}"


def random_index(shape):
    tokens = []
    axes = rng.randint(0, len(shape))
    ellipsis = rng.random() < 0.35
    cut = rng.randint(0, axes)
    for position in range(axes):
        if ellipsis and position == cut:
            tokens.append("e")
        axis = len(shape) - axes + position if ellipsis and position >= cut else position
        length = shape[axis]
        kind = rng.random()
        if kind < 0.3 and length > 0:
            tokens.append(f"i:{rng.randint(-length, length - 1)}")
        elif kind < 0.85:
            tokens.append(random_slice(length))
        else:
            tokens.append("a")
        if rng.random() < 0.12:
            tokens.append("n")
    if ellipsis and cut == axes:
        tokens.append("e")
    return "idx " + " ".join(tokens or ["e"])


def some_axes(rank, count):
    return [a - rng.choice([0, rank]) for a in rng.sample(range(rank), count)]


def random_factors(size):
    factors = []
    for _ in range(rng.randint(0, 3)):
        divisors = [d for d in range(1, size + 1) if size % d == 0]
        factors.append(rng.choice(divisors))
        size //= factors[-1]
    factors.append(size)
    rng.shuffle(factors)
    return factors


def random_step(array):
    shape, rank = array.shape, array.ndim
    kinds = ["idx"] * 6 + ["reshape"] * 3 + ["ravel", "transpose", "transpose", "expand_dims", "broadcast_to", "broadcast_to",
                                            "squeeze"]
    if rank:
        kinds += ["swapaxes", "moveaxis", "flip", "flip"]
    if not array.flags.c_contiguous:  # so that reshape has something to decide
        kinds += ["reshape"] * 6 + ["ravel"]
    kind = rng.choice(kinds)
    if kind == "idx":
        return random_index(shape)
    if kind == "transpose":
        return "transpose" if rank == 0 or rng.random() < 0.3 else "transpose " + csv(some_axes(rank, rank))
    if kind == "swapaxes":
        return "swapaxes " + csv(rng.randint(-rank, rank - 1) for _ in range(2))
    if kind == "moveaxis":
        count = rng.choice([1, min(2, rank)])
        return f"moveaxis {csv(some_axes(rank, count))} to {csv(some_axes(rank, count))}"
    if kind == "squeeze":
        single = [a for a in range(rank) if shape[a] == 1]
        if not single or rng.random() < 0.5:
            return "squeeze"
        return f"squeeze {rng.choice(single) - rng.choice([0, rank])}"
    if kind == "expand_dims":
        count = rng.choice([1, 1, 2])
        return "expand_dims " + csv(some_axes(rank + count, count))
    if kind == "flip":
        return "flip" if rng.random() < 0.3 else "flip " + csv(some_axes(rank, rng.randint(1, rank)))
    if kind == "broadcast_to":
        stretched = [rng.choice([2, 3]) if n == 1 and rng.random() < 0.7 else n for n in shape]
        return "broadcast_to " + csv([rng.choice([1, 2])] * rng.choice([0, 0, 1]) + stretched or [2])
    if kind == "reshape":
        if array.size == 0:
            return "reshape " + rng.choice(["0", "2,0", "0,3", "0,-1,2" if array.size else "0,5"])
        factors = random_factors(array.size)
        if rng.random() < 0.3:
            factors[rng.randrange(len(factors))] = -1
        return "reshape " + csv(factors)
    return kind


def bad_step(array):
    """A step that NumPy refuses."""
    shape, rank = array.shape, array.ndim
    choices = ["idx e e", "idx " + " ".join(["i:0"] * (rank + 1)), "idx " + " ".join(["a"] * (rank + 1)),
               "idx n " + " ".join(["a"] * (rank + 1)), "reshape " + csv([array.size + 1]), "reshape -1,-1",
               "reshape " + csv([array.size, 2]) if array.size else "reshape 1", f"expand_dims {rank + 1}",
               f"expand_dims {-rank - 2}", "expand_dims 0,0", f"flip {rank}", "broadcast_to " + csv(shape[1:] or [0]) if rank else
               "idx i:0", f"swapaxes 0,{rank}", f"moveaxis {rank} to 0", f"squeeze {rank}", "reshape -1,7" if array.size % 7 else
               "reshape -1,11" if array.size % 11 else "idx e e"]
    if rank:
        axis = rng.randrange(rank)
        lead = ["a"] * axis
        choices += ["idx " + " ".join(lead + [f"i:{shape[axis]}"]), "idx " + " ".join(lead + [f"i:{-shape[axis] - 1}"]),
                    "idx " + " ".join(lead + ["s:None:None:0"]), "transpose " + csv(range(rank + 1)),
                    "transpose " + csv([0] * rank) if rank > 1 else "transpose 1",
                    "broadcast_to " + csv([n + 1 if n > 1 else n for n in shape] if max(shape) > 1 else shape[1:])]
        if shape[axis] > 1:
            choices.append(f"squeeze {axis}")
    return rng.choice(choices)


# ---------------------------------------------------------------------------------------------------- the table


def run(base, steps):
    array = np.arange(math.prod(base), dtype=np.int64).reshape(base)
    start = array.__array_interface__["data"][0]
    end = start + array.nbytes
    try:
        for step in steps:
            array = apply(array, step)
    except (IndexError, ValueError) as error:
        if isinstance(error, IndexError) or "slice step" in str(error):
            return "error index_error"
        return "error " + ("shape_error" if step.startswith(("reshape", "broadcast_to", "squeeze")) else "error")
    strides = csv("-" if n <= 1 or array.size == 0 else s for n, s in zip(array.shape, array.strides))
    address = array.__array_interface__["data"][0]
    offset = "-" if array.size == 0 else (address - start) // 8 if start <= address < end else "copy"
    return f"shape {csv(array.shape)} strides {strides} offset {offset} values {csv(array.ravel().tolist())}"


def program(base, count, bad):
    array = np.arange(math.prod(base), dtype=np.int64).reshape(base)
    steps = []
    for _ in range(count):
        steps.append(random_step(array))
        array = apply(array, steps[-1])
        if array.size > 72:
            return None
    if bad:
        steps.append(bad_step(array))
    return f"base {csv(base)} | {' | '.join(steps)} | {run(base, steps)}"


BASES = [(7,), (1,), (0,), (12,), (3, 4), (1, 5), (4, 1), (2, 0), (6, 5), (2, 3, 4), (3, 1, 4), (1, 1, 6), (2, 0, 3), (4, 3, 2),
         (2, 3, 1, 4), (1, 2, 1, 3), (2, 2, 3, 3), (3, 2, 2, 2), ()]

FIXED = ["7 | idx s:-100:100:None", "7 | idx s:100:-100:-1", "7 | idx s:None:None:-1", "7 | idx s:2:2:None", "7 | idx s:5:2:1",
         "7 | idx s:-1:None:-3", "7 | idx s:None:-100:-2", "7 | idx s:100:None:None", "7 | idx i:-7", "7 | idx i:6 n",
         "7 | idx s:0:9223372036854775807:2", "7 | idx s:9223372036854775807:-9223372036854775808:-1",
         "7 | idx s:None:None:9223372036854775807", "7 | idx s:None:None:-9223372036854775808",
         "3,4 | idx s:None:None:9223372036854775807", "3,4 | idx s:None:None:-9223372036854775808 a", "7 | idx i:-8", "7 | idx i:7",
         "3,4 | idx e i:1", "3,4 | idx i:1 e", "3,4 | idx e", "3,4 | idx n e n", "3,4 | idx a i:2", "3,4 | idx i:-1 i:-1",
         "3,4 | transpose | reshape 12", "3,4 | transpose | ravel", "3,4 | idx a s:None:None:2 | reshape 6",
         "6,5 | idx s:None:None:2 | reshape 3,5,1", "6,5 | idx a s:1:4:None | reshape 2,3,3", "3,4 | reshape 2,-1,2", "0 | reshape 0",
         "2,0 | reshape 0,7", "2,0 | reshape -1,3", "2,0 | reshape 0,-1", "2,0 | idx i:1", "2,0 | idx i:0 i:0", "2,0 | transpose",
         "2,3,4 | moveaxis 0 to -1", "2,3,4 | moveaxis 0,1 to 1,0", "2,3,4 | moveaxis 0,0 to 1,2", "2,3,4 | moveaxis 0,1 to 2",
         "1,1,6 | squeeze 0,1", "1,1,6 | squeeze 0,2", "1,5 | broadcast_to 2,3,5", "4,1 | broadcast_to 4,0", "1,5 | broadcast_to 5",
         "3,4 | idx i:1 i:2 i:3", "7 | idx s:None:None:0", " | idx e", " | idx n", " | reshape 1,1", " | broadcast_to 2,2",
         " | ravel", " | transpose", " | idx i:0", " | squeeze", " | expand_dims 0", "1,1,6 | idx i:0 i:0 i:5 | reshape 1"]

if __name__ == "__main__":
    lines = []
    for text in FIXED:
        base, *steps = text.split(" | ")
        lines.append(f"base {base} | {' | '.join(steps)} | {run(parse(base), steps)}")
    while len(lines) < 620:
        line = program(rng.choice(BASES), rng.choice([1, 1, 2, 2, 3]), bad=rng.random() < 0.2)
        if line and line not in lines:
            lines.append(line)
    (DATA / "views.txt").write_text("\n".join(lines) + "\n")
    errors = [line for line in lines if " | error " in line]
    print(len(lines), "programs,", len(errors), "of them errors,", sum(" offset copy " in line for line in lines), "copies")
