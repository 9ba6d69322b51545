# SPDX-License-Identifier: MIT
"""Writes tests/data/numerical.txt: what NumPy makes of windows, gradients, convolutions and the like."""

import sys

import numpy as np

sys.dont_write_bytecode = True
from named import Lines, numbers

f4, f8, i4, i8, f2, c8, c16, u1 = np.float32, np.float64, np.int32, np.int64, np.float16, np.complex64, np.complex128, np.uint8
a, b, d = numbers((2, 3)), numbers((4, 3)), numbers((4, 5), f8)
v, w, x = numbers(5), numbers(3, i4), numbers(9, f8)
cube = numbers((2, 3, 4), i8)
z = numbers(4, c16)
odd = np.array([0.0, -0.0, 1.5, -2.75, np.inf, -np.inf, np.nan, 1e-40, -7.0, 1e30], f4)
t = Lines()

# windows, parts of numbers
for name in ("bartlett", "blackman", "hamming", "hanning"):
    t.add(name, getattr(np, name)(9))
    t.add(name + " even", getattr(np, name)(6))
t.add("hanning one", np.hanning(1))
t.add("hanning none", np.hanning(0))
t.add("kaiser", np.kaiser(12, 8.6))
t.add("kaiser odd", np.kaiser(7, 0.5))
t.add("i0", np.i0(np.linspace(-20, 20, 41)))
t.add("frexp", np.frexp(odd))
t.add("frexp integers", np.frexp(w))
t.add("modf", np.modf(odd))
t.add("modf half", np.modf(numbers(5, f2)))
t.add("divmod", np.divmod(v, f4(0.5)))
t.add("divmod integers", np.divmod(cube - 9, i8(4)))
t.add("spacing", np.spacing(odd))
t.add("spacing double", np.spacing(x))
t.add("spacing half", np.spacing(numbers(7, f2)))
t.add("bitwise_count", np.bitwise_count(cube * 12345678901 - 5))
t.add("bitwise_count bytes", np.bitwise_count(np.arange(-128, 128, 7).astype(np.int8)))
t.add("bitwise_count bool", np.bitwise_count(numbers(4, bool)))
t.add("isreal", np.isreal(z))
t.add("iscomplex", np.iscomplex(z))
t.add("isreal of reals", np.isreal(v))
t.add("geomspace", np.geomspace(1, 1000, 7))
t.add("geomspace down", np.geomspace(-256, -1, 9))
t.add("geomspace open", np.geomspace(2, 32, 4, endpoint=False))
t.add("geomspace zero", lambda: np.geomspace(0, 1))

# bits
flags = numbers((3, 11), bool)
t.add("packbits", np.packbits(flags))
t.add("packbits axis 1", np.packbits(flags, axis=1))
t.add("packbits axis 0 little", np.packbits(flags, axis=0, bitorder="little"))
t.add("packbits integers", np.packbits(numbers(16, i4)))
t.add("unpackbits", np.unpackbits(numbers((2, 3), u1)))
t.add("unpackbits axis 0", np.unpackbits(numbers((2, 3), u1), axis=0))
t.add("unpackbits axis 1 little", np.unpackbits(numbers((2, 3), u1), axis=1, bitorder="little"))
t.add("unpackbits count", np.unpackbits(numbers(3, u1), count=13))
t.add("unpackbits count negative", np.unpackbits(numbers(3, u1), count=-5))
t.add("packbits axis 1 little", np.packbits(flags, 1, "little"))
t.add("unpackbits axis 1 count", np.unpackbits(numbers((2, 3), u1), 1, 19))
t.add("unpackbits count more", np.unpackbits(numbers(1, u1) + u1(77), count=12))

# sums and differences
t.add("cumulative_sum", np.cumulative_sum(w))
t.add("cumulative_sum initial", np.cumulative_sum(a, axis=1, include_initial=True))
t.add("cumulative_prod", np.cumulative_prod(w + 1))
t.add("cumulative_prod initial", np.cumulative_prod(b, axis=0, include_initial=True))
t.add("cumulative_sum axis", lambda: np.cumulative_sum(a))
t.add("maximum_accumulate", np.maximum.accumulate(cube, axis=2))
t.add("minimum_accumulate", np.minimum.accumulate(b))
t.add("maximum_accumulate nan", np.maximum.accumulate(odd))
t.add("minimum_accumulate half", np.minimum.accumulate(numbers(9, f2)))
t.add("maximum_accumulate bool", np.maximum.accumulate(flags, axis=1))
t.add("maximum_accumulate complex", np.maximum.accumulate(z))
t.add("gradient", np.gradient(x))
t.add("gradient distance", np.gradient(v, 0.25))
t.add("gradient places", np.gradient(x, np.arange(9.0) ** 2))
t.add("gradient order 2", np.gradient(d, axis=1, edge_order=2))
t.add("gradient places order 2", np.gradient(d, np.array([0, 1, 3, 3.5]), axis=0, edge_order=2))
t.add("gradient integers", np.gradient(cube, axis=2))
t.add("gradient complex", np.gradient(z))
t.add("gradients", np.gradient(d))
t.add("gradient short", lambda: np.gradient(v[:1]))
t.add("trapezoid", np.trapezoid(x))
t.add("trapezoid dx", np.trapezoid(b, dx=0.5, axis=0))
t.add("trapezoid places", np.trapezoid(d, np.arange(5.0) ** 2))
t.add("trapezoid integers", np.trapezoid(cube, axis=1))
t.add("ediff1d", np.ediff1d(b))
t.add("ediff1d ends", np.ediff1d(w, to_end=[88, 99], to_begin=-9))
t.add("unwrap", np.unwrap(x * 3))
t.add("unwrap rows", np.unwrap(d * 4, axis=0))
t.add("unwrap period", np.unwrap(x * 2, period=4))
t.add("unwrap discont", np.unwrap(x * 3, discont=5))

# interpolation, repeats by count
xp = np.array([-3.0, -1, 0, 2, 2.5])
at = np.array([[-4.0, -3, -0.25], [2.25, 2.5, 9], [np.nan, 0, np.inf]])
t.add("interp", np.interp(at, xp, v))
t.add("interp ends", np.interp(at, xp, v, left=-99, right=np.nan))
t.add("interp integers", np.interp(w, np.arange(0, 30, 6), np.arange(5) ** 2))
t.add("interp complex", np.interp(at, xp[:4], z))
t.add("interp infinite", np.interp(at, xp, np.array([1.0, np.inf, np.inf, 2, 2])))
t.add("interp period", np.interp(x * 3, np.array([190.0, -190, 5, 300]), z.real, period=360))
t.add("interp one", np.interp(0.5, xp, v))
t.add("interp single", np.interp(at, xp[:1], v[:1]))
t.add("interp lengths", lambda: np.interp(at, xp, w))
t.add("repeat counts", np.repeat(v, [0, 2, 1, 0, 3]))
t.add("repeat counts axis 1", np.repeat(b, [2, 0, 1], axis=1))
t.add("repeat counts flat", np.repeat(a, [1, 0, 2, 0, 0, 3]))
t.add("repeat counts wrong", lambda: np.repeat(v, [1, 2]))
t.add("repeat counts negative", lambda: np.repeat(v, [1, 2, -1, 0, 0]))

# convolutions
k = numbers(40, f8) / 7
for mode in ("full", "same", "valid"):
    t.add(f"convolve {mode}", np.convolve(x, v, mode))
    t.add(f"convolve short {mode}", np.convolve(w, x[:4], mode))
    t.add(f"convolve long {mode}", np.convolve(k, numbers(90, f8), mode))
    t.add(f"correlate {mode}", np.correlate(x, v, mode))
    t.add(f"correlate short {mode}", np.correlate(z[:3], z, mode))
t.add("convolve integers", np.convolve(numbers(6, np.int8), numbers(3, np.int8)))
t.add("convolve half", np.convolve(numbers(6, f2), numbers(3, f2)))
t.add("convolve bool", np.convolve(numbers(6, bool), numbers(3, bool)))
t.add("convolve empty", lambda: np.convolve(v, v[:0]))

# views and functions
t.add("sliding_window_view", np.lib.stride_tricks.sliding_window_view(v, 3))
t.add("sliding_window_view 2", np.lib.stride_tricks.sliding_window_view(d, (2, 3)))
t.add("sliding_window_view axis", np.lib.stride_tricks.sliding_window_view(cube, 2, axis=1))
t.add("sliding_window_view large", lambda: np.lib.stride_tricks.sliding_window_view(v, 7))
t.add("as_strided", np.lib.stride_tricks.as_strided(x, (3, 4), (16, 8)))
t.add("apply_along_axis", np.apply_along_axis(lambda line: line[0] * 2 - line[-1], 1, cube))
t.add("apply_along_axis line", np.apply_along_axis(np.cumsum, 0, b))
t.add("apply_along_axis matrix", np.apply_along_axis(np.diag, 1, cube))
t.add("apply_over_axes", np.apply_over_axes(np.sum, cube, (0, 2)))

if __name__ == "__main__":
    t.write("numerical.txt")
