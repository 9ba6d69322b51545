# SPDX-License-Identifier: MIT
"""What tests/named_golden.hpp reads: results under names, as lines of text."""

import pathlib

import numpy as np

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def numbers(shape, dtype=np.float32):
    """The same numbers as the C++ side's numbers<T>(shape)."""
    shape = (shape,) if isinstance(shape, int) else shape
    i = np.arange(int(np.prod(shape)))
    n = i * 7 % 23
    dtype = np.dtype(dtype)
    if dtype == bool:
        values = n > 11
    elif dtype.kind == "c":
        values = (n - 9) / 4 + 1j * (i % 5)
    elif dtype.kind in "iu":
        values = n
    else:
        values = (n - 9) / 4
    return values.astype(dtype).reshape(shape)


class Lines:
    def __init__(self):
        self.lines = []

    def add(self, name, result):
        """A result, several of them, or what raises an error when it is called."""
        if callable(result):
            try:
                result()
            except Exception:
                self.lines.append(f"{name} | error")
                return
            raise AssertionError(f"{name}: NumPy does not refuse it")
        if isinstance(result, (list, tuple)):
            for i, part in enumerate(result):
                self.add(f"{name} {i}", part)
            return
        a = np.asarray(result)
        flat = a.ravel()
        if a.dtype.kind == "c":
            flat = np.stack([flat.real, flat.imag], -1).ravel()
        if flat.dtype.kind == "f":
            words = [repr(float(v)) for v in flat]
        else:
            words = [str(int(v)) for v in flat]
        shape = str(tuple(int(n) for n in a.shape))
        self.lines.append(f"{name} | {a.dtype} | {shape} | {' '.join(words)}")

    def write(self, file):
        (DATA / file).write_text("\n".join(self.lines) + "\n")
        print(len(self.lines), "results in", file)
