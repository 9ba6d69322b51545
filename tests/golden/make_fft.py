# SPDX-License-Identifier: MIT
"""Writes tests/data/fft.txt: NumPy's np.fft on small arrays.

A line is: function;real or complex;shape;view;n or s;axis or axes;norm;shape of the result;its elements. Empty: not
given; a comma: no axes. Complex numbers are two. NumPy's ValueError is 'error' for the shape. The array is computed by operand() below and by the test alike; view is what is done
to it first: T transposed, r reversed along all axes, s every other element of the last axis.
"""
import pathlib

import numpy as np

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
TWO = ("fft2", "ifft2", "rfft2", "irfft2")
MANY = ("fftn", "ifftn", "rfftn", "irfftn")


def operand(shape, kind):
    j = np.arange(int(np.prod(shape)), dtype=np.int64)
    real = ((j * 7 + j // 5) % 11 - 4) / 4
    if kind == "complex":
        real = real + 1j * ((j * 5 + j // 3) % 7 - 3) / 4
    return real.reshape(shape)


def viewed(x, view):
    if view == "T":
        return x.T
    if view == "r":
        return x[tuple(slice(None, None, -1) for _ in x.shape)]
    if view == "s":
        return x[..., ::2]
    return x


def text(values):
    return "" if values is None else ",".join(str(v) for v in np.atleast_1d(values))


lines = []


def add(function, kind, shape, view="", n=None, axis=None, norm=None):
    if kind == "complex" and function in ("rfft", "ihfft", "rfft2", "rfftn"):
        return
    keywords = {}
    many = function not in ONE
    if n is not None:
        keywords["s" if many else "n"] = n
    if axis is not None:
        keywords["axes" if many else "axis"] = axis
    if norm is not None:
        keywords["norm"] = norm
    head = [function, kind, text(shape), view, text(n), "," if axis == () else text(axis), norm or ""]
    try:
        result = getattr(np.fft, function)(viewed(operand(shape, kind), view), **keywords)
    except ValueError:
        lines.append(";".join([*head, "error", ""]))
        return
    if axis == () or shape == ():
        result = result.astype(complex)  # NumPy leaves the array as it is
    shape_text = text(result.shape)
    result = np.ascontiguousarray(result)
    numbers = result.view(np.float64).ravel()
    # What is zero but for rounding is no more than that elsewhere.
    numbers = np.where(abs(numbers) < 1e-13, 0.0, numbers)
    lines.append(";".join([*head, shape_text, " ".join(f"{v:.16g}" for v in numbers)]))


for kind in ("real", "complex"):
    for function in ONE:
        for shape in ((1,), (2,), (3,), (6,), (7,), (17,)):
            if shape[0] == 1 and function in ("irfft", "hfft"):
                add(function, kind, shape, n=1)
            else:
                add(function, kind, shape)
        for n in (1, 2, 3, 4, 5, 8, 9, 13, 22):
            add(function, kind, (6,), n=n)
            add(function, kind, (5,), view="r", n=n)
        for norm in ("backward", "ortho", "forward"):
            add(function, kind, (6,), norm=norm)
            add(function, kind, (2, 5), n=7, axis=0, norm=norm)
        for axis in (0, 1, 2, -1, -3):
            add(function, kind, (3, 4, 2), axis=axis, n=5 if axis in (2, -1) else None)
        for view in ("T", "r", "s"):
            add(function, kind, (3, 6), view=view)
            add(function, kind, (3, 6), view=view, axis=0)
            add(function, kind, (3, 6), view=view, axis=0, n=4)
        add(function, kind, (0, 4))
    for function in TWO:
        add(function, kind, (4, 6))
        add(function, kind, (3, 5))
        add(function, kind, (2, 3, 4), norm="ortho")
        add(function, kind, (3, 4), n=(2, 6))
        add(function, kind, (3, 4), n=(-1, 3))
        add(function, kind, (3, 4, 2), axis=(0, 1), norm="forward")
        add(function, kind, (4, 3), axis=(1, 0))
        for view in ("T", "r", "s"):
            add(function, kind, (3, 6), view=view)
        add(function, kind, (0, 3, 4))
    for function in MANY:
        add(function, kind, (6,))
        add(function, kind, (2, 3, 4))
        add(function, kind, (2, 3, 2, 3), norm="ortho")
        add(function, kind, (2, 3, 4), axis=(0, 2))
        add(function, kind, (2, 3, 4), axis=(-1, 1))
        add(function, kind, (2, 3, 4), axis=(0,))
        add(function, kind, (2, 4), axis=(1, 1))
        add(function, kind, (3, 4), n=(2, 5), axis=(1, 1))
        add(function, kind, (3, 4, 2), n=(4, 3), axis=(0, 2), norm="forward")
        add(function, kind, (3, 4, 2), n=(2, -1, 3), axis=(0, 1, 2))
        add(function, kind, (4, 1, 3), axis=(0, 1))
        for view in ("T", "r", "s"):
            add(function, kind, (2, 3, 4), view=view, axis=(0, 1))
    add("fftn", kind, (2, 3), axis=())
    add("fftn", kind, ())

for function in ("fftshift", "ifftshift"):
    for shape, axes in (((5,), None), ((4,), None), ((2, 3, 4), None), ((3, 5), 0), ((3, 5), (-1,)), ((3, 5), (0, 0)), ((0, 3), None),
                        ((1,), None), ((3, 4), ())):  # fmt: skip
        result = np.ascontiguousarray(getattr(np.fft, function)(operand(shape, "real"), axes=axes))
        lines.append(";".join([function, "real", text(shape), "", "", "," if axes == () else text(axes), "", text(result.shape),
                               " ".join(f"{v:g}" for v in result.ravel())]))  # fmt: skip

for function in ("fftfreq", "rfftfreq"):
    for n in (1, 2, 3, 4, 5, 8, 9, 100):
        for d in (1.0, 0.1, -2.5):
            result = getattr(np.fft, function)(n, d)
            lines.append(";".join([function, "real", "", "", str(n), "", f"{d:g}", text(result.shape),
                                   " ".join(f"{v:.17g}" for v in result)]))  # fmt: skip

path = pathlib.Path(__file__).parent.parent / "data" / "fft.txt"
path.write_text("\n".join(lines) + "\n")
