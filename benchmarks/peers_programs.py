#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole programs of several statements on one GPU: gnp beside PyTorch, torch.compile, JAX's jit and CuPy.

Each library runs in a process of its own (torch.compile in several, which compile at the same time), on the same
numbers. All warm up first; then they are timed row by row, one after the other, and checksums of their results are
compared. A row is printed as soon as all have been timed.

  peers_programs.py --only 'softmax|heat' --peers torch,jax --budget 120
"""
import argparse
import os
import re
import sys
import threading
import time

from peers_rows import agree, built, checksums, inputs, process, serve

COMPILERS = 6  # processes of torch.compile
LENGTHS = (10, 33, 64, 100, 127, 1000, 1025, 20000, 50257, 65536)  # of rows
CLASSES = (10, 32, 1024)


class bar:
    """What gnp's time must not exceed: milliseconds, so much of the best peer's time, so much of a copy's, or of another
    row's in a copy's place."""

    def __init__(self, of_best=None, of_copy=None, ms=None, copy="copy", arrays=1):
        self.of_best, self.of_copy, self.ms, self.copy = of_best, of_copy, ms, copy
        self.arrays = arrays  # how many copies the program's own reads and writes come to


ROWS = {
    "copy": bar(), "copy_half": bar(), "copy_double": bar(), "copy_26": bar(),
    "softmax": bar(0.97, 1.08), "softmax_columns": bar(of_copy=1.6),
    "softmax_half": bar(0.97, copy="copy_half"), "softmax_double": bar(0.97, copy="copy_double"),
    "layer_norm": bar(of_copy=1.08), "layer_norm_half": bar(0.97, copy="copy_half"),
    "layer_norm_double": bar(0.97, copy="copy_double"),
    "logsumexp": bar(of_copy=0.56), "standardize": bar(of_copy=1.6), "statistics": bar(of_copy=0.56),
    "softmax_columns_1000": bar(0.97, copy="copy_26"), "standardize_1000": bar(0.97, copy="copy_26"),
    "rescale_2000": bar(0.97, copy="copy_26"),
    **{f"softmax_rows_{n}": bar(0.97, copy="copy_26") for n in LENGTHS}, "softmax_words": bar(0.97, copy="copy_26"),
    **{f"cross_entropy_{n}": bar(1.0, copy="copy_26") for n in CLASSES}, "masked_softmax": bar(1.0, copy="copy_26"),
    "causal": bar(1.0, copy="copy_26", arrays=0.5), "alibi": bar(1.0, copy="copy_26", arrays=0.5),
    "accuracy": bar(1.0, copy="copy_26"), "images": bar(1.0, copy=None),
    "mask_overlap": bar(1.0, copy=None), "multiples": bar(1.0, copy=None), "digits": bar(1.0, copy=None),
    "regression": bar(1.0, copy=None), "density": bar(1.0, copy=None),
    "channels": bar(1.0, copy="copy_26"), "channels_norm": bar(1.0, copy="copy_26"),
    "unit_vectors": bar(1.0, copy=None), "lattice": bar(1.0, copy=None), "adam": bar(1.0, copy=None),
    "reaction": bar(1.0, copy=None), "torus": bar(1.0, copy=None), "normals": bar(1.0, copy=None),
    "line": bar(1.0, copy=None), "waves": bar(1.0, copy=None), "logistic_loss": bar(1.0, copy=None),
    "total_variation": bar(1.0, copy=None), "lags": bar(1.0, copy=None),
    "centring": bar(1.0, copy=None), "shares": bar(1.0, copy=None), "residual": bar(1.0, copy=None),
    "power": bar(1.0, copy=None), "predictions": bar(1.0, copy=None), "outliers": bar(1.0, copy=None),
    "shallow_water": bar(1.0, copy=None), "triangle_areas": bar(1.0, copy=None),
    "mahalanobis": bar(1.0, copy=None), "polynomial": bar(1.0, copy=None),
    "places": bar(1.0, copy=None), "mixture": bar(1.0, copy=None), "asymmetry": bar(1.0, copy=None),
    "weighted_columns": bar(1.0, copy=None), "huber": bar(1.0, copy=None), "sums_of_8": bar(1.0, copy=None),
    "outer": bar(1.0, copy=None), "inside": bar(1.0, copy=None),
    "rotary": bar(1.0, copy=None), "grey": bar(1.0, copy=None), "pooling": bar(1.0, copy=None),
    "returns": bar(1.0, copy=None),
    "nearest": bar(1.0, copy=None), "overlaps": bar(1.0, copy=None),
    "lennard_jones": bar(1.0, copy=None), "embedding_bag": bar(1.0, copy=None),
    "embedding_norm": bar(1.0, copy=None), "edges": bar(1.0, copy=None), "distances": bar(1.0, copy=None),
    "manhattan": bar(1.0, copy=None), "radial": bar(1.0, copy=None),
    "moving_sum": bar(1.0, copy=None), "moving_max": bar(1.0, copy=None), "filter": bar(1.0, copy=None),
    "blur": bar(1.0, copy=None), "largest_around": bar(1.0, copy=None), "segment_sums": bar(1.0, copy=None),
    "quaternions": bar(1.0, copy=None),
    # Products of small matrices, of many short rows, and of few very long ones.
    "products_of_3": bar(1.0, copy=None), "rows_of_4": bar(1.0, copy=None), "gram": bar(1.0, copy=None),
    "covariances": bar(1.0, copy=None),
    "kmeans": bar(ms=0.30, copy=None), "kmeans_matmul": bar(1.0, copy=None), "nbody": bar(ms=0.15, copy=None),
    "heat": bar(ms=0.17, copy="copy_26"), "heat_in_place": bar(ms=0.30, copy="copy_26"),
    "jacobi": bar(1.0, copy="copy_26"),
    "periodic": bar(1.0, copy="copy_26"), "periodic_3d": bar(1.0),
    "pairs_on_a_torus": bar(1.0, copy=None), "life": bar(ms=0.10, copy=None),
    "train_step": bar(1.0, copy=None), "train_step_graph": bar(ms=0.030, copy=None),
    "adam_graph": bar(1.0, copy=None), "mandelbrot": bar(1.0, copy=None), "mandelbrot_graph": bar(1.0, copy=None),
    "adam_jit": bar(1.0, copy=None), "mandelbrot_jit": bar(1.0, copy=None), "centre_rows_jit": bar(1.0, copy=None),
    "norm_parts_jit": bar(1.0, copy=None), "torus_jit": bar(1.0, copy=None),
    "softmax_jit": bar(1.0, 1.08), "layer_norm_jit": bar(1.0, 1.08),
    "dependent_100": bar(1.0, copy=None), "dependent_100_graph": bar(ms=0.11, copy=None),
    "black_scholes": bar(1.0, copy="copy_26", arrays=3),
    "black_scholes_formula": bar(1.0, copy="copy_26", arrays=3),
    "cross": bar(1.0, copy=None), "norm_of_3": bar(1.0, copy=None), "centre_1000": bar(1.0, copy=None),
    "sum_item_1000": bar(1.0, copy=None),
    "norm_of_difference": bar(1.0), "cumsum": bar(1.0),
    # Functions of the user's own, beside gnp's like them.
    "own_distance": bar(1.0, 1.05, copy="norm_of_difference"), "own_scan": bar(1.0, 1.05, copy="cumsum"),
    "own_matvec": bar(1.0, copy=None),
}


class sizes:
    """Of program_rows.cpp."""

    def __init__(self, smaller):
        def sized(size):
            return max(size // smaller, 4)
        self.matrix = (sized(16384), 8192)
        self.many, self.points, self.bodies, self.board = sized(1 << 26), sized(1000000), sized(8192), sized(8192)
        self.sized = sized


def data(xp, s):
    """The inputs of each row, as functions that make them."""
    _, numbers, _, _ = inputs(xp)
    f32 = xp.float32

    def values(*shape, dtype="float32"):
        return (numbers(*shape) * f32(8) - f32(4)).astype(dtype)

    def network():
        wanted = (xp.arange(128).reshape(-1, 1) % 10 == xp.arange(10)).astype(f32)
        return [values(784, 256) * f32(0.02), xp.zeros(256, f32), values(256, 10) * f32(0.02), xp.zeros(10, f32),
                numbers(128, 784), wanted]

    def options():
        x = numbers(s.many)
        return [80 + 40 * x, 120 - 40 * x, f32(0.01) + f32(0.05) * x, f32(0.1) + f32(0.4) * x, 2 - x]

    def board():
        u = (numbers(s.board, s.board) < f32(0.35)).astype(xp.uint8)
        return [u, u.copy()]

    made = {
        "copy_26": lambda: [values(s.many)],
        "kmeans": lambda: [values(s.points, 16), values(64, 16)],
        "kmeans_matmul": lambda: [values(s.points, 16), values(64, 16)],
        "nbody": lambda: [values(s.bodies, 3), numbers(s.bodies, 1)], "lennard_jones": lambda: [values(s.bodies, 3)],
        "heat": lambda: [values(s.board, s.board), values(s.board, s.board)],
        "heat_in_place": lambda: [values(s.board, s.board)], "periodic": lambda: [values(s.board, s.board)],
        "jacobi": lambda: [values(s.board, s.board)],
        "life": board, "train_step": network, "dependent_100": lambda: [numbers(1000)], "black_scholes": options,
        "black_scholes_formula": options,
        "cross": lambda: [values(s.points, 3), numbers(s.points, 3)], "norm_of_3": lambda: [values(s.points, 3)],
        "centre_1000": lambda: [numbers(1000)], "sum_item_1000": lambda: [numbers(1000)],
        "own_matvec": lambda: [values(s.points, 3, 3), values(s.points, 3)],
    }
    for name in ("norm_of_difference", "own_distance"):
        made[name] = lambda: [values(s.many), numbers(s.many)]
    for name in ("cumsum", "own_scan"):
        made[name] = lambda: [numbers(s.many)]
    for name in ("copy", "softmax", "softmax_columns", "logsumexp", "standardize", "statistics"):
        made[name] = lambda: [values(*s.matrix)]
    made["softmax_columns_1000"] = made["standardize_1000"] = lambda: [values(1000, s.sized(65536))]
    made["rescale_2000"] = lambda: [values(2000, s.sized(32768))]
    for suffix, dtype in (("_half", "float16"), ("_double", "float64"), ("", "float32")):
        made["copy" + suffix] = lambda d=dtype: [values(*s.matrix, dtype=d)]
        made["softmax" + suffix] = made["copy" + suffix]
        made["layer_norm" + suffix] = lambda d=dtype: [values(*s.matrix, dtype=d), *[values(8192, dtype=d)] * 2]
    def classified(height, width):
        return [values(height, width), xp.arange(height) * 7 % width, xp.arange(height)]

    for n in CLASSES:
        made[f"cross_entropy_{n}"] = lambda n=n: classified(s.sized((1 << 26) // n), n)
    made["masked_softmax"] = lambda: [values(s.matrix[0], 4096), values(s.matrix[0], 4096) > -1]
    made["causal"] = lambda: [values(s.sized(32), 1024, 1024), xp.arange(1024)]
    made["alibi"] = lambda: [values(s.sized(32), 1024, 1024), xp.arange(1024).astype(f32), values(s.sized(32))]
    made["channels"] = lambda: [values(s.sized(64), 21, 224, 224)]
    made["channels_norm"] = lambda: [values(s.sized(64), 21, 224, 224), values(21, 1, 1), values(21, 1, 1)]
    made["unit_vectors"] = lambda: [values(3, s.sized(1 << 24))]
    made["lattice"] = lambda: [
        numbers(9, s.sized(2048), s.sized(2048)) + f32(0.5), numbers(9, 1, 1) / f32(4.5),
        xp.asarray([0, 1, 0, -1, 0, 1, -1, -1, 1], f32).reshape(9, 1, 1),
        xp.asarray([0, 0, 1, 0, -1, 1, 1, -1, -1], f32).reshape(9, 1, 1)]
    made["adam"] = lambda: [*(values(s.sized(1 << 24)) for _ in range(3)), numbers(s.sized(1 << 24))]
    made["centre_rows"] = made["norm_parts"] = lambda: [values(s.sized(16384), 4096)]
    made["mandelbrot"] = lambda: [values(s.sized(1 << 24)), values(s.sized(1 << 24))]
    made["reaction"] = lambda: [numbers(s.sized(4096), s.sized(4096)), numbers(s.sized(4096), s.sized(4096))]
    made["torus"] = made["reaction"]
    made["periodic_3d"] = lambda: [values(s.sized(512), s.sized(512), s.sized(512))]
    made["pairs_on_a_torus"] = lambda: [numbers(s.board, s.board)]
    made["mask_overlap"] = lambda: [numbers(s.sized(1 << 28)) > f32(0.5), numbers(s.sized(1 << 28)) < f32(0.75)]
    made["multiples"] = made["digits"] = lambda: [(numbers(s.many) * f32(1e9)).astype(xp.int32)]
    made["regression"] = lambda: [numbers(s.sized(16384), 2), numbers(s.sized(16384), 2), numbers(s.sized(16384))]
    made["density"] = lambda: [numbers(s.sized(1 << 17)), numbers(s.sized(4096))]
    made["normals"] = lambda: [numbers(s.sized(1 << 24)), numbers(s.sized(1 << 24))]
    made["waves"] = lambda: [numbers(s.sized(1 << 26)), numbers(s.sized(1 << 26))]
    made["logistic_loss"] = lambda: [values(s.sized(1 << 26)), values(s.sized(1 << 26))]
    made["total_variation"] = lambda: [numbers(s.sized(8192), 8192)]
    made["lags"] = lambda: [values(s.sized(1 << 26))]
    made["centring"] = made["shares"] = lambda: [numbers(s.sized(8192), 8192)]
    made["power"] = lambda: [numbers(s.sized(8192), 8192), numbers(8192)]
    made["predictions"] = lambda: [values(s.sized(1 << 20), 64), values(64)]
    made["outliers"] = lambda: [values(s.sized(8192), 8192)]
    made["residual"] = lambda: [values(s.sized(1 << 26)), values(s.sized(1 << 26))]
    made["shallow_water"] = lambda: [numbers(s.sized(4096), 4096) + f32(1), values(s.sized(4096), 4096) * f32(0.1),
                                     values(s.sized(4096), 4096) * f32(0.1)]
    made["triangle_areas"] = lambda: [values(s.sized(1 << 21), 3, 3)]
    made["mahalanobis"] = lambda: [values(s.sized(1 << 22), 4), values(4), numbers(4, 4)]
    made["polynomial"] = lambda: [values(6), numbers(s.sized(1 << 25))]
    made["places"] = lambda: [f32(8192) * numbers(s.sized(8192)), numbers(8192)]
    made["mixture"] = lambda: [numbers(s.sized(1 << 22)), numbers(8), numbers(8) + f32(0.1)]
    made["asymmetry"] = lambda: [values(s.sized(8192), s.sized(8192))]
    made["weighted_columns"] = lambda: [values(s.sized(8192), 8192), numbers(s.sized(8192))]
    made["huber"] = lambda: [values(s.sized(8192), 8192), values(s.sized(8192), 8192)]
    made["sums_of_8"] = lambda: [values(s.sized(1 << 23), 8)]
    made["outer"] = lambda: [values(s.sized(8192)), values(8192)]
    made["inside"] = lambda: [values(s.sized(16384), 2), numbers(16384, 2)]
    made["line"] = lambda: [values(s.sized(1 << 24)), numbers(s.sized(1 << 24))]
    made["accuracy"] = lambda: [values(s.sized(65536), 1000), xp.arange(s.sized(65536)) % 1000]
    made["embedding_bag"] = lambda: [values(100000, 64),
                                     (numbers(s.sized(65536), 16) * f32(100000)).astype(xp.int64)]
    made["embedding_norm"] = lambda: [values(30000, 768), (numbers(s.sized(128), 512) * f32(30000)).astype(xp.int64),
                                      values(512, 768)]
    made["edges"] = lambda: [values(100000, 32), (numbers(s.sized(1 << 20)) * f32(100000)).astype(xp.int64),
                             ((f32(1) - numbers(s.sized(1 << 20))) * f32(99991)).astype(xp.int64)]
    made["nearest"] = lambda: [values(s.sized(16384), 3), numbers(16384, 3)]
    made["overlaps"] = lambda: [numbers(s.bodies, 4)]
    made["distances"] = lambda: [values(s.bodies, 8), numbers(8192, 8)]
    made["manhattan"] = made["radial"] = lambda: [values(s.bodies, 64), numbers(8192, 64)]
    for name in ("moving_sum", "moving_max"):
        made[name] = lambda: [values(s.sized(1 << 24))]
    made["filter"] = lambda: [values(s.sized(1 << 24)), numbers(33)]
    made["blur"] = made["largest_around"] = lambda: [values(s.sized(4096), 4096)]
    made["segment_sums"] = lambda: [xp.zeros(s.sized(1 << 20), f32), xp.arange(s.sized(1 << 20) * 16) // 16,
                                    values(s.sized(1 << 20) * 16)]
    made["quaternions"] = lambda: [values(s.sized(1 << 22), 4), numbers(s.sized(1 << 22), 4)]
    made["products_of_3"] = lambda: [values(s.points, 3, 3), numbers(s.points, 3, 3)]
    made["rows_of_4"] = lambda: [values(s.sized(1 << 22), 4), numbers(4, 4)]
    made["gram"] = lambda: [values(s.sized(1 << 22), 4)]
    made["covariances"] = lambda: [values(s.sized(100000), 10, 3)]
    made["returns"] = lambda: [numbers(s.sized(10000), 4096) + f32(0.5)]
    made["rotary"] = lambda: [values(s.sized(64), 2048, 128), values(2048, 64), values(2048, 64)]
    made["grey"] = lambda: [(numbers(s.sized(256), 224, 224, 3) * 255).astype(xp.uint8), numbers(3) / f32(4)]
    made["pooling"] = lambda: [values(s.sized(64), 1024, 1024)]
    made["images"] = lambda: [(numbers(s.sized(256), 224, 224, 3) * 255).astype(xp.uint8), numbers(3),
                              numbers(3) + f32(0.5)]
    for n in LENGTHS:
        made[f"softmax_rows_{n}"] = lambda n=n: [values(s.sized((1 << 26) // n), n)]
    made["softmax_words"] = lambda: [values(s.sized((1 << 27) // 50257), 50257, dtype="float16")]
    return made


def rotated(q, c, s):
    a, b = q[..., :64], q[..., 64:]
    return a * c - b * s, b * c + a * s


def products(p, q):
    """Of quaternions, as the columns of the result."""
    (a, b, c, d), (e, f, g, h) = ([x[:, k] for k in range(4)] for x in (p, q))
    return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e]


def edges(h, i, j):
    return (h[i] * h[j]).sum(1), ((h[i] - h[j]) ** 2).sum(1)


def nearest(xp, x, c):
    apart = xp.square(x[:, None] - c).sum(-1)
    return (apart.min(1), apart.min(0)) if xp.__name__ != "torch" else (apart.amin(1), apart.amin(0))


def overlaps(xp, nothing, b):
    """How many boxes each overlaps by more than half of what both cover; nothing is 0 as xp's maximum takes it."""
    left, top, width, height = (b[:, k] for k in range(4))
    right, bottom = left + width, top + height
    across = xp.minimum(right[:, None], right) - xp.maximum(left[:, None], left)
    down = xp.minimum(bottom[:, None], bottom) - xp.maximum(top[:, None], top)
    both, area = xp.maximum(across, nothing) * xp.maximum(down, nothing), width * height
    return (both / (area[:, None] + area - both) > 0.5).sum(1)


def lattice(f, w, cx, cy):
    """A step of a fluid: what collides in each place."""
    rho = f.sum(0)
    ux, uy = (f * cx).sum(0) / rho, (f * cy).sum(0) / rho
    along = 3 * (cx * ux + cy * uy)
    return f - 0.6 * (f - w * rho * (1 + along + 0.5 * along * along - 1.5 * (ux * ux + uy * uy)))


def adam(p, g, m, v):
    mean, square = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 0.001 * (mean / 0.5) / ((square / 0.3) ** 0.5 + 1e-8), mean, square


def mandelbrot(x, y, where):
    a, b, steps = 0 * x, 0 * x, 0 * x
    for _ in range(10):
        a2, b2 = a * a, b * b
        inside = a2 + b2 < 4
        b, a = where(inside, 2 * a * b + y, b), where(inside, a2 - b2 + x, a)
        steps = steps + inside
    return steps


def residual(r, q):
    r = r - 0.3 * q
    return r, (r * r).sum()


def shallow_water(h, u, v, roll):
    def along(f, axis):
        return 0.5 * (roll(f, -1, axis) - roll(f, 1, axis))

    return (h - 0.1 * (along(h * u, 1) + along(h * v, 0)),
            u - 0.1 * (u * along(u, 1) + v * along(u, 0) + 9.8 * along(h, 1)),
            v - 0.1 * (u * along(v, 1) + v * along(v, 0) + 9.8 * along(h, 0)))


def mahalanobis(x, m, p):
    e = x - m
    return (e[:, :, None] * p * e[:, None, :]).sum((1, 2))


def huber(xp, x, y):
    e = x - y
    size = abs(e)
    near = size < 0.3
    return xp.where(near, 0.5 * e * e, 0.3 * (size - 0.15)).mean(1), xp.where(near, e, 0.3 * xp.sign(e))


def regression(exp, x, y, v):
    k = exp(((x[:, None] - y) ** 2).sum(-1) * -50.0)
    return (k * v).sum(1) / k.sum(1)


def density(exp, x, c):
    return exp(((x[:, None] - c) / 0.13) ** 2 * -0.5).mean(1)


def polynomial(c, x):
    y = c[0]
    for k in range(1, 6):
        y = y * x + c[k]
    return y


def norm_parts(x, rows):
    m = x.mean(**rows)
    c = x - m
    each = ((c * c).mean(**rows) + 1e-5) ** -0.5
    return c * each, m, each


def lags(x):
    """Products of a series with its next four elements, over its own."""
    def lag(by):
        return (x[by:] * x[:len(x) - by]).sum()
    return (lag(1) + lag(2) + lag(3) + lag(4)) / lag(0)


def shares(x, columns, rows):
    of_columns = x / x.sum(**columns)
    return of_columns / of_columns.sum(**rows)


def power(root, a, v):
    product = a @ v
    return product / root((product * product).sum())


def centre_rows(x, rows):
    c = x - x.mean(**rows)
    return c / ((c * c).mean(**rows) + 1e-5) ** 0.5


def torus(roll, u, v):
    def spread(x):
        return roll(x, 1, 0) + roll(x, -1, 0) + roll(x, 1, 1) + roll(x, -1, 1) - 4 * x
    return (u + 0.16 * spread(u) - u * v * v + 0.06 * (1 - u), v + 0.08 * spread(v) + u * v * v - 0.122 * v)


def jacobi(u):
    mean = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return mean, abs(mean - u[1:-1, 1:-1]).max()


def periodic_3d(roll, u):
    return roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) + roll(u, 1, 2) + roll(u, -1, 2) - 6 * u


def pairs_on_a_torus(roll, u):
    return (u * (roll(u, 1, 0) + roll(u, 1, 1))).sum()


def normals(xp, x, y):
    radius = xp.sqrt(-2 * xp.log(1 - x))
    return (radius * xp.cos(6.2831853 * y), radius * xp.sin(6.2831853 * y))


def line(x, y):
    from_mean = x - x.mean()
    slope = (from_mean * (y - y.mean())).sum() / (from_mean * from_mean).sum()
    return (slope, y.mean() - slope * x.mean())


def reaction(u, v):
    def spread(x):
        return x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * x[1:-1, 1:-1]
    a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
    return (a + 0.16 * spread(u) - a * b * b + 0.06 * (1 - a), b + 0.08 * spread(v) + a * b * b - 0.122 * b)


def energies(squared):
    s = 1 / (squared * squared * squared)
    return (4 * (s * s - s)).sum(1)


def numpy_like(xp, softmax, logsumexp, erfc, in_place):
    """The programs in NumPy's names: CuPy's, which write into arrays, and JAX's, which make new ones."""
    def put(array, where, value):
        if in_place:
            array[where] = value
            return array
        return array.at[where].set(value)

    def layer_norm(x, scale, shift):
        return (x - x.mean(1, keepdims=True)) / xp.sqrt(x.var(1, keepdims=True) + 1e-5) * scale + shift

    def embedding_norm(t, i, p):
        x = t[i] + p
        return (x - x.mean(-1, keepdims=True)) / xp.sqrt(x.var(-1, keepdims=True) + xp.float32(1e-5))

    def nbody(x, mass):
        apart = x[None] - x[:, None]
        squared = xp.square(apart).sum(-1, keepdims=True) + 0.01
        return (apart * (mass / (squared * xp.sqrt(squared)))).sum(1)

    inner = (slice(1, -1), slice(1, -1))

    def next_heat(u):
        return u[1:-1, 1:-1] + 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])

    def periodic(u):
        return xp.roll(u, 1, 0) + xp.roll(u, -1, 0) + xp.roll(u, 1, 1) + xp.roll(u, -1, 1) - 4 * u

    def life(u, v):
        near = (u[:-2, :-2] + u[:-2, 1:-1] + u[:-2, 2:] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, :-2] + u[2:, 1:-1]
                + u[2:, 2:])
        return put(v, inner, ((near == 3) | ((near == 2) & (u[1:-1, 1:-1] == 1))).astype(xp.uint8))

    def train(w1, b1, w2, b2, x, wanted):
        h = xp.maximum(x @ w1 + b1, 0)
        score = h @ w2 + b2
        p = softmax(score, axis=1)
        loss = -(wanted * xp.log(p)).sum(1).mean()
        d_score = (p - wanted) / x.shape[0]
        d_hidden = (d_score @ w2.T) * (h > 0)
        return (w1 - 0.01 * (x.T @ d_hidden), b1 - 0.01 * d_hidden.sum(0), w2 - 0.01 * (h.T @ d_score),
                b2 - 0.01 * d_score.sum(0), loss)

    def dependent(s):
        for _ in range(100):
            s = s * 0.99 + 0.01
        return s

    def black_scholes(spot, strike, rate, volatility, years):
        root = volatility * xp.sqrt(years)
        d1 = (xp.log(spot / strike) + (rate + volatility * volatility / 2) * years) / root
        d2 = d1 - root
        return 0.5 * (spot * erfc(-d1 * 0.70710678) - strike * xp.exp(-rate * years) * erfc(-d2 * 0.70710678))

    def cross_entropy(x, label, each):
        return (logsumexp(x, axis=1) - x[each, label]).mean()

    def segment_sums(y, i, x):
        if not in_place:
            return xp.zeros_like(y).at[i].add(x)
        y[...] = 0
        xp.add.at(y, i, x)
        return y

    programs = {
        **{f"cross_entropy_{n}": cross_entropy for n in CLASSES},
        "masked_softmax": lambda x, keep: softmax(xp.where(keep, x, xp.float32(-1e30)), axis=1),
        "causal": lambda x, i: softmax(xp.where(i[:, None] >= i, x, xp.float32(-xp.inf)), axis=-1),
        "alibi": lambda x, i, s: softmax(
            x * xp.float32(0.125) - xp.abs(s)[:, None, None] * xp.abs(i[:, None] - i), axis=-1),
        "accuracy": lambda x, label: (x.argmax(1) == label).astype(xp.float32).mean(),
        "images": lambda x, m, s: (x.astype(xp.float32) / xp.float32(255) - m) / s,
        "mask_overlap": lambda a, b: (a & b).sum() / (a | b).sum(),
        "multiples": lambda x: (x % 7 == 0).sum(), "digits": lambda x: x // 10 % 10,
        "regression": lambda x, y, v: regression(xp.exp, x, y, v),
        "density": lambda x, c: density(xp.exp, x, c),
        "grey": lambda x, w: (x.astype(xp.float32) * w).sum(-1).astype(xp.uint8),
        "channels": lambda x: softmax(x, axis=1), "lattice": lattice, "adam": adam, "reaction": reaction,
        "periodic_3d": lambda u: periodic_3d(xp.roll, u),
        "pairs_on_a_torus": lambda u: pairs_on_a_torus(xp.roll, u),
        "torus": lambda u, v: torus(xp.roll, u, v), "normals": lambda x, y: normals(xp, x, y), "line": line,
        "waves": lambda x, y: (xp.sin(x) * xp.cos(y)).mean(),
        "logistic_loss": lambda x, y: xp.logaddexp(xp.float32(0), -x * y).mean(),
        "total_variation": lambda x: xp.abs(xp.diff(x, axis=0)).sum() + xp.abs(xp.diff(x, axis=1)).sum(),
        "lags": lags, "centring": lambda x: x - x.mean(0) - x.mean(1, keepdims=True),
        "shares": lambda x: shares(x, {"axis": 0}, {"axis": 1, "keepdims": True}),
        "power": lambda a, v: power(xp.sqrt, a, v),
        "predictions": lambda x, w: 1 / (1 + xp.exp(-(x @ w))),
        "outliers": lambda x: (xp.abs(x - x.mean(0)) > xp.float32(1.5) * x.std(0)).sum(0),
        "residual": residual,
        "shallow_water": lambda h, u, v: shallow_water(h, u, v, xp.roll),
        "triangle_areas": lambda c: xp.float32(0.5) * xp.sqrt(
            xp.square(xp.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0])).sum(1)),
        "mahalanobis": mahalanobis,
        "polynomial": polynomial,
        "places": lambda at, rate: xp.sin(at[:, None] / xp.float32(10000) ** rate),
        "mixture": lambda x, w, s: softmax(
            xp.log(w + xp.float32(0.1)) - xp.log(s) - xp.float32(0.5) * xp.square((x[:, None] - w) / s), axis=1),
        "asymmetry": lambda x: abs(x - x.T).max(), "weighted_columns": lambda x, w: (x.T * w).sum(1),
        "huber": lambda x, y: huber(xp, x, y), "sums_of_8": lambda x: x.cumsum(1), "outer": xp.outer,
        "inside": lambda p, q: (p[:, None, 0] < q[:, 0]) & (p[:, None, 1] < q[:, 1]),
        "mandelbrot": lambda x, y: mandelbrot(x, y, xp.where),
        "centre_rows": lambda x: centre_rows(x, {"axis": 1, "keepdims": True}),
        "norm_parts": lambda x: norm_parts(x, {"axis": 1, "keepdims": True}),
        "channels_norm": lambda x, scale, shift: (
            (x - x.mean(1, keepdims=True)) / xp.sqrt(x.var(1, keepdims=True) + xp.float32(1e-5)) * scale + shift),
        "unit_vectors": lambda x: x / xp.sqrt((x * x).sum(0)),
        "pooling": lambda x: x.reshape(-1, 512, 2, 512, 2).max((2, 4)),
        "embedding_bag": lambda t, i: t[i].mean(1), "embedding_norm": embedding_norm, "edges": edges,
        "distances": lambda x, c: xp.sqrt(xp.square(x[:, None] - c).sum(-1)),
        "manhattan": lambda x, c: xp.abs(x[:, None] - c).sum(-1),
        "segment_sums": segment_sums,
        "radial": lambda x, c: xp.exp(xp.float32(-0.5) * xp.square(x[:, None] - c).sum(-1)),
        "quaternions": lambda p, q: xp.stack(products(p, q), 1),
        "products_of_3": xp.matmul, "rows_of_4": xp.matmul, "gram": lambda x: x.T @ x,
        "covariances": lambda x: xp.einsum("nki,nkj->nij", x, x),
        "returns": lambda p: (p[1:] / p[:-1] - xp.float32(1)).std(0),
        "rotary": lambda q, c, s: xp.concatenate(rotated(q, c, s), -1),
        "nearest": lambda x, c: nearest(xp, x, c), "overlaps": lambda b: overlaps(xp, xp.float32(0), b),
        "lennard_jones": lambda x: energies((xp.square(x[None] - x[:, None])).sum(-1) + xp.float32(1)),
        "softmax_columns": lambda x: softmax(x, axis=0),
        "logsumexp": lambda x: logsumexp(x, axis=1, keepdims=True),
        "standardize": lambda x: (x - x.mean(0)) / x.std(0),
        "softmax_columns_1000": lambda x: softmax(x, axis=0),
        "standardize_1000": lambda x: (x - x.mean(0)) / x.std(0),
        "rescale_2000": lambda x: (x - x.min(0)) / (x.max(0) - x.min(0)),
        "statistics": lambda x: (x.mean(), x.std(), x.min(), x.max()),
        "kmeans": lambda x, c: xp.square(x[:, None] - c[None]).sum(2).argmin(1),
        "kmeans_matmul": lambda x, c: (xp.square(c).sum(1) - 2 * (x @ c.T)).argmin(1),
        "nbody": nbody,
        "heat": lambda u, v: put(v, inner, next_heat(u)),
        "heat_in_place": lambda u: put(u, inner, next_heat(u)),
        "jacobi": jacobi, "periodic": periodic, "life": life, "train_step": train, "dependent_100": dependent,
        "black_scholes": black_scholes, "black_scholes_formula": black_scholes,
        "cross": xp.cross, "norm_of_3": lambda a: xp.linalg.norm(a, axis=1),
        "centre_1000": lambda x: x - x.mean(), "sum_item_1000": lambda x: x.sum(),
        "norm_of_difference": lambda x, y: xp.linalg.norm(x - y), "cumsum": lambda x: x.cumsum(),
        "own_distance": lambda x, y: xp.sqrt(xp.square(x - y).sum()),
        "own_matvec": lambda a, x: (a @ x[:, :, None])[:, :, 0],
    }
    for name in ROWS:
        if name.startswith("copy"):
            programs[name] = lambda x: x.copy()
        elif name.startswith("layer_norm"):
            programs[name] = layer_norm
        elif name.startswith("softmax") and name not in programs:
            programs[name] = lambda x: softmax(x, axis=1)
    return programs


def calls_of(programs, made, finish, bring=lambda arrays: arrays):
    """A function for each row that makes its inputs and returns the call; finish turns calls into others."""
    def maker(name, program):
        def make():
            given = bring(made[name]())
            return finish[name](program, given) if name in finish else lambda: program(*given)
        return make
    calls = {name: maker(name, program) for name, program in programs.items()}
    for name in [row for row in ROWS if row.endswith(("_graph", "_jit"))]:  # gnp's other ways to the same
        calls[name] = calls[name.removesuffix("_graph").removesuffix("_jit")]
    return calls


def step(count):
    """Of programs that return new values of their first `count` inputs: each call goes on from there."""
    def finish(program, given):
        def call():
            result = program(*given)
            given[:count] = result[:count] if isinstance(result, tuple) else [result]
            return (result[-1], *result[:-1]) if isinstance(result, tuple) else result
        return call
    return finish


def number(program, given):
    return lambda: float(program(*given))


def worker_cupy(s):
    import cupy as cp
    from cupyx.scipy.special import erfc, logsumexp, softmax
    programs = numpy_like(cp, softmax, logsumexp, erfc, in_place=True)
    windows = cp.lib.stride_tricks.sliding_window_view
    programs.update(
        moving_sum=lambda x: windows(x, 32).sum(1), moving_max=lambda x: windows(x, 200).max(1),
        filter=lambda x, w: (windows(x, 33) * w).sum(1), blur=lambda x: windows(x, (5, 5)).mean((2, 3)),
        largest_around=lambda x: windows(x, (7, 7)).max((2, 3)))
    programs["own_distance"] = cp.ReductionKernel(
        "T x, T y", "T r", "(x - y) * (x - y)", "a + b", "r = sqrt(a)", "0", "own_distance")
    serve(calls_of(programs, data(cp, s), {"train_step": step(4), "sum_item_1000": number}),
          lambda _: cp.cuda.Device().synchronize(), lambda result: checksums(cp, result))


def worker_jax(s):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")  # float32, not TF32
    programs = numpy_like(jnp, jax.nn.softmax, jax.nn.logsumexp, jax.scipy.special.erfc, in_place=False)
    programs["own_scan"] = jax.lax.cummax

    def reduced(x, start, function, *window):
        return jax.lax.reduce_window(x, jnp.float32(start), function, window, (1,) * len(window), "VALID")
    programs.update(
        moving_sum=lambda x: reduced(x, 0, jax.lax.add, 32),
        moving_max=lambda x: reduced(x, -jnp.inf, jax.lax.max, 200),
        filter=lambda x, w: jnp.convolve(x, w[::-1], "valid"),
        blur=lambda x: reduced(x, 0, jax.lax.add, 5, 5) / jnp.float32(25),
        largest_around=lambda x: reduced(x, -jnp.inf, jax.lax.max, 7, 7))
    given_away = {"heat": 1, "life": 1, "heat_in_place": 0, "train_step": (0, 1, 2, 3)}  # the results' memory
    jitted = {name: jax.jit(program, donate_argnums=given_away.get(name, ())) for name, program in programs.items()}

    def second(program, given):
        def call():
            given[1] = program(*given)
            return given[1]
        return call
    finish = {"train_step": step(4), "heat_in_place": step(1), "heat": second, "life": second, "sum_item_1000": number}
    serve(calls_of(jitted, data(jnp, s), finish), jax.block_until_ready, lambda result: checksums(jnp, result))


def torch_programs(torch):
    from torch.nn import functional

    def nbody(x, mass):
        apart = x[None] - x[:, None]
        squared = apart.square().sum(-1, keepdim=True) + 0.01
        return (apart * (mass / (squared * squared.sqrt()))).sum(1)

    def next_heat(u):
        return u[1:-1, 1:-1] + 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])

    def heat(u, v):
        v[1:-1, 1:-1] = next_heat(u)
        return v

    def periodic(u):
        return torch.roll(u, 1, 0) + torch.roll(u, -1, 0) + torch.roll(u, 1, 1) + torch.roll(u, -1, 1) - 4 * u

    def life(u, v):
        near = (u[:-2, :-2] + u[:-2, 1:-1] + u[:-2, 2:] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, :-2] + u[2:, 1:-1]
                + u[2:, 2:])
        v[1:-1, 1:-1] = ((near == 3) | ((near == 2) & (u[1:-1, 1:-1] == 1))).to(torch.uint8)
        return v

    def train(w1, b1, w2, b2, x, wanted):
        h = torch.relu(x @ w1 + b1)
        score = h @ w2 + b2
        p = torch.softmax(score, 1)
        loss = -(wanted * torch.log(p)).sum(1).mean()
        d_score = (p - wanted) / x.shape[0]
        d_hidden = (d_score @ w2.T) * (h > 0)
        w2 -= 0.01 * (h.T @ d_score)
        b2 -= 0.01 * d_score.sum(0)
        w1 -= 0.01 * (x.T @ d_hidden)
        b1 -= 0.01 * d_hidden.sum(0)
        return loss

    def dependent(s):
        for _ in range(100):
            s = s * 0.99 + 0.01
        return s

    def black_scholes(spot, strike, rate, volatility, years):
        root = volatility * torch.sqrt(years)
        d1 = (torch.log(spot / strike) + (rate + volatility * volatility / 2) * years) / root
        d2 = d1 - root
        erfc = torch.special.erfc
        return 0.5 * (spot * erfc(-d1 * 0.70710678) - strike * torch.exp(-rate * years) * erfc(-d2 * 0.70710678))

    def embedding_norm(t, i, p):
        x = t[i] + p
        return functional.layer_norm(x, (x.shape[-1],), eps=1e-5)

    def cross_entropy(x, label, each):
        return (torch.logsumexp(x, 1) - x[each, label]).mean()

    programs = {
        **{f"cross_entropy_{n}": cross_entropy for n in CLASSES},
        "masked_softmax": lambda x, keep: torch.softmax(torch.where(keep, x, -1e30), 1),
        "causal": lambda x, i: torch.softmax(torch.where(i[:, None] >= i, x, -torch.inf), -1),
        "alibi": lambda x, i, s: torch.softmax(x * 0.125 - s.abs()[:, None, None] * (i[:, None] - i).abs(), -1),
        "accuracy": lambda x, label: (x.argmax(1) == label).float().mean(),
        "images": lambda x, m, s: (x.float() / 255 - m) / s,
        "mask_overlap": lambda a, b: (a & b).sum() / (a | b).sum(),
        "multiples": lambda x: (x % 7 == 0).sum(), "digits": lambda x: x // 10 % 10,
        "regression": lambda x, y, v: regression(torch.exp, x, y, v),
        "density": lambda x, c: density(torch.exp, x, c),
        "grey": lambda x, w: (x.float() * w).sum(-1).to(torch.uint8),
        "channels": lambda x: torch.softmax(x, 1), "lattice": lattice, "adam": adam, "reaction": reaction,
        "periodic_3d": lambda u: periodic_3d(torch.roll, u),
        "pairs_on_a_torus": lambda u: pairs_on_a_torus(torch.roll, u),
        "torus": lambda u, v: torus(torch.roll, u, v), "normals": lambda x, y: normals(torch, x, y), "line": line,
        "waves": lambda x, y: (torch.sin(x) * torch.cos(y)).mean(),
        "logistic_loss": lambda x, y: torch.logaddexp(torch.zeros_like(x[0]), -x * y).mean(),
        "total_variation": lambda x: x.diff(dim=0).abs().sum() + x.diff(dim=1).abs().sum(),
        "lags": lags, "centring": lambda x: x - x.mean(0) - x.mean(1, keepdim=True),
        "shares": lambda x: shares(x, {"dim": 0}, {"dim": 1, "keepdim": True}),
        "power": lambda a, v: power(torch.sqrt, a, v),
        "predictions": lambda x, w: 1 / (1 + torch.exp(-(x @ w))),
        "outliers": lambda x: ((x - x.mean(0)).abs() > 1.5 * x.std(0, correction=0)).sum(0),
        "residual": residual,
        "shallow_water": lambda h, u, v: shallow_water(h, u, v, torch.roll),
        "triangle_areas": lambda c: 0.5 * torch.linalg.cross(
            c[:, 1] - c[:, 0], c[:, 2] - c[:, 0]).square().sum(1).sqrt(),
        "mahalanobis": mahalanobis,
        "polynomial": polynomial,
        "places": lambda at, rate: torch.sin(at[:, None] / 10000**rate),
        "mixture": lambda x, w, s: torch.softmax(
            (w + 0.1).log() - s.log() - 0.5 * ((x[:, None] - w) / s).square(), 1),
        "asymmetry": lambda x: (x - x.T).abs().max(), "weighted_columns": lambda x, w: (x.T * w).sum(1),
        "huber": lambda x, y: huber(torch, x, y), "sums_of_8": lambda x: x.cumsum(1), "outer": torch.outer,
        "inside": lambda p, q: (p[:, None, 0] < q[:, 0]) & (p[:, None, 1] < q[:, 1]),
        "mandelbrot": lambda x, y: mandelbrot(x, y, torch.where),
        "centre_rows": lambda x: centre_rows(x, {"dim": 1, "keepdim": True}),
        "norm_parts": lambda x: norm_parts(x, {"dim": 1, "keepdim": True}),
        "channels_norm": lambda x, scale, shift: (
            (x - x.mean(1, keepdim=True)) / (x.var(1, keepdim=True, correction=0) + 1e-5).sqrt() * scale + shift),
        "unit_vectors": lambda x: x / (x * x).sum(0).sqrt(),
        "pooling": lambda x: x.reshape(-1, 512, 2, 512, 2).amax((2, 4)),
        "embedding_bag": lambda t, i: t[i].mean(1), "embedding_norm": embedding_norm, "edges": edges,
        "distances": lambda x, c: (x[:, None] - c).square().sum(-1).sqrt(),
        "manhattan": lambda x, c: (x[:, None] - c).abs().sum(-1),
        "moving_sum": lambda x: x.unfold(0, 32, 1).sum(-1), "moving_max": lambda x: x.unfold(0, 200, 1).amax(-1),
        "filter": lambda x, w: functional.conv1d(x[None, None], w[None, None])[0, 0],
        "blur": lambda x: functional.avg_pool2d(x[None], 5, 1)[0],
        "largest_around": lambda x: functional.max_pool2d(x[None], 7, 1)[0],
        "segment_sums": lambda y, i, x: torch.zeros_like(y).index_add(0, i, x),
        "radial": lambda x, c: (-0.5 * (x[:, None] - c).square().sum(-1)).exp(),
        "quaternions": lambda p, q: torch.stack(products(p, q), 1),
        "products_of_3": torch.matmul, "rows_of_4": torch.matmul, "gram": lambda x: x.T @ x,
        "covariances": lambda x: torch.einsum("nki,nkj->nij", x, x),
        "returns": lambda p: (p[1:] / p[:-1] - 1).std(0, correction=0),
        "rotary": lambda q, c, s: torch.cat(rotated(q, c, s), -1),
        "nearest": lambda x, c: nearest(torch, x, c),
        "overlaps": lambda b: overlaps(torch, torch.zeros_like(b[0, 0]), b),
        "lennard_jones": lambda x: energies((x[None] - x[:, None]).square().sum(-1) + 1),
        "softmax_columns": lambda x: torch.softmax(x, 0),
        "logsumexp": lambda x: torch.logsumexp(x, 1, keepdim=True),
        "standardize": lambda x: (x - x.mean(0)) / x.std(0, correction=0),
        "softmax_columns_1000": lambda x: torch.softmax(x, 0),
        "standardize_1000": lambda x: (x - x.mean(0)) / x.std(0, correction=0),
        "rescale_2000": lambda x: (x - x.amin(0)) / (x.amax(0) - x.amin(0)),
        "statistics": lambda x: (x.mean(), x.std(correction=0), x.min(), x.max()),
        "kmeans": lambda x, c: (x[:, None] - c[None]).square().sum(2).argmin(1),
        "kmeans_matmul": lambda x, c: (c.square().sum(1) - 2 * (x @ c.T)).argmin(1),
        "nbody": nbody, "heat": heat, "heat_in_place": lambda u: heat(u, u), "jacobi": jacobi,
        "periodic": periodic, "life": life,
        "train_step": train, "dependent_100": dependent,
        "black_scholes": black_scholes, "black_scholes_formula": black_scholes,
        "cross": torch.linalg.cross, "norm_of_3": lambda a: torch.linalg.vector_norm(a, dim=1),
        "centre_1000": lambda x: x - x.mean(), "sum_item_1000": lambda x: x.sum(),
        "norm_of_difference": torch.dist, "cumsum": lambda x: x.cumsum(0),
        "own_distance": lambda x, y: (x - y).square().sum().sqrt(), "own_scan": lambda x: torch.cummax(x, 0).values,
        "own_matvec": lambda a, x: torch.bmm(a, x[:, :, None])[:, :, 0],
    }
    for name in ROWS:
        if name.startswith("copy"):
            programs[name] = lambda x: x.clone()
        elif name.startswith("layer_norm"):
            programs[name] = lambda x, scale, shift: functional.layer_norm(x, (x.shape[1],), scale, shift)
        elif name.startswith("softmax") and name not in programs:
            programs[name] = lambda x: torch.softmax(x, 1)
    return programs


def worker_torch(s, compiled=False):
    if compiled:
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # it is a process of several already
    import torch
    import cupy as cp  # makes the inputs
    programs = torch_programs(torch)
    if compiled:
        import torch._dynamo
        torch._dynamo.config.recompile_limit = 64  # a program of several rows is compiled for each
        programs = {name: torch.compile(program, dynamic=False) for name, program in programs.items()}

    def bring(arrays):
        tensors = [torch.from_dlpack(x).clone() for x in arrays]
        del arrays[:]
        cp.get_default_memory_pool().free_all_blocks()
        return tensors

    def trained(program, given):
        return lambda: (program(*given), *given[:4])

    def sums(result):
        several = result if isinstance(result, tuple) else [result]
        return checksums(cp, [cp.from_dlpack(x) if torch.is_tensor(x) else x for x in several])

    def sync(_):
        torch.cuda.synchronize()
    serve(calls_of(programs, data(cp, s), {"train_step": trained, "sum_item_1000": number}, bring), sync, sums)


class library:
    """The processes of one library, which share its rows."""

    def __init__(self, name, rows, command, count=1):
        self.name = name
        self.processes = [process(command) for _ in range(min(count, len(rows)))]
        self.of_row = {row: self.processes[i % len(self.processes)] for i, row in enumerate(rows)}

    def ask(self, what, row, until):
        """Milliseconds and checksums, or None."""
        self.of_row[row].tell(f"{what} {row}".strip())
        line = self.of_row[row].answer(until - time.perf_counter())
        if line is None:
            return None
        if line.startswith("#"):
            print(f"{self.name:>8} {line}", flush=True)
            return None
        return [float(number) for number in line.split()[1:]]

    def warm_up(self, until):
        """Each process by itself, one row after the other until the time is up; returns its threads."""
        self.warm = set()

        def go(mine):
            for row, one in self.of_row.items():
                if one is mine and time.perf_counter() < until and self.ask("warm", row, until + 10) is not None:
                    self.warm.add(row)
        threads = [threading.Thread(target=go, args=(one,)) for one in self.processes]
        for thread in threads:
            thread.start()
        return threads

    def end(self):
        for one in self.processes:
            one.end()


def verdict(row, times, copies):
    """The columns after the times, and whether a bar is missed."""
    limits, mine = ROWS[row], times["gnp"]
    best = min((t for who, t in times.items() if who != "gnp"), default=None)
    of_best = mine / best if best else None
    copy = copies.get(limits.copy)
    of_copy = mine / (copy * limits.arrays) if copy and limits.copy != row and not row.startswith("copy") else None
    bars, missed = [], False
    for limit, value, what in ((limits.of_best, of_best, "best"), (limits.of_copy, of_copy, "copy"),
                               (limits.ms, mine, "ms")):
        if limit is not None and value is not None:
            bars.append(f"{limit:.2f} {what}")
            missed |= value > limit
    columns = [f"{value:7.3f}" if value is not None else "      -" for value in (of_best, of_copy)]
    return " ".join(columns) + "  " + ", ".join(bars), missed


def main():
    workers = {"cupy": worker_cupy, "torch": worker_torch, "jax": worker_jax,
               "compile": lambda s: worker_torch(s, compiled=True)}
    if len(sys.argv) == 4 and sys.argv[1] == "worker":
        return workers[sys.argv[2]](sizes(int(sys.argv[3])))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=".", help="a regular expression of rows")
    parser.add_argument("--peers", default="torch,compile,jax,cupy")
    parser.add_argument("--budget", type=float, default=300, help="seconds for all, of which half to warm up")
    parser.add_argument("--program", help="program_rows, if it has been built")
    parser.add_argument("--smaller", type=int, default=1, help="divide the sizes by this, to try the rows")
    options = parser.parse_args()
    program = options.program or built("program_rows")
    begin = time.perf_counter()
    rows = [row for row in ROWS if re.search(options.only, row)]
    rows = [row for row in ROWS if row in rows or row in {ROWS[wanted].copy for wanted in rows}]
    smaller = str(options.smaller)
    gnp = library("gnp", rows, [program, "-", smaller])
    peers = [library(name, rows, [sys.executable, __file__, "worker", name, smaller],
                     COMPILERS if name == "compile" else 1) for name in options.peers.split(",") if name]
    for thread in [thread for peer in peers for thread in peer.warm_up(begin + options.budget / 2)]:
        thread.join()
    print(f"# warm after {time.perf_counter() - begin:.0f} s; milliseconds", flush=True)
    print(f"{'row':18}", f"{'gnp':>9}", *[f"{peer.name:>9}" for peer in peers], "of best of copy  bars", flush=True)
    copies, missed, differ, done = {}, 0, 0, 0
    for row in rows:
        found = {}
        for one in [gnp, *peers]:
            until = min(begin + options.budget, time.perf_counter() + 30)
            if one is gnp or row in one.warm:
                answer = one.ask("" if one is gnp else "time", row, until)
                if answer:
                    found[one.name] = answer
        if "gnp" not in found:
            continue
        times = {who: answer[0] for who, answer in found.items()}
        if any(other.copy == row for other in ROWS.values()):
            copies[row] = times["gnp"]
        tolerance = 5e-3 if row.endswith("half") else 1e-3
        same = all(agree(found["gnp"][1:], answer[1:], tolerance) for answer in found.values())
        text, above = verdict(row, times, copies)
        cells = [f"{times[one.name]:9.4f}" if one.name in times else f"{'-':>9}" for one in [gnp, *peers]]
        print(f"{row:18}", *cells, text + ("  above" if above else "") + ("" if same else "  ANSWERS DIFFER"),
              flush=True)
        if not same:
            for who, answer in found.items():
                print(f"# {row}: {who}", *answer[1:], flush=True)
        missed, differ, done = missed + above, differ + (not same), done + 1
    for one in [gnp, *peers]:
        one.end()
    print(f"# {done} of {len(rows)} rows, {missed} above a bar, {differ} with answers that differ, "
          f"{time.perf_counter() - begin:.0f} s")
    return int(missed > 0 or differ > 0 or done < len(rows))


if __name__ == "__main__":
    sys.exit(main())
