# SPDX-License-Identifier: MIT
"""Writes tests/data/differences.txt: NumPy's diff with edges.

A line is: dtype;shape;n;axis;prepend;append;shape of the result;its elements - or 'error' for the last two. An edge is
empty, '=' and a number, or the shape of an array. Element j of operand i - the array, what is prepended, what is
appended - is computed by operand() below and by the test alike.
"""
import pathlib

import numpy as np


def operand(i, shape, dtype):
    j = np.arange(int(np.prod(shape)), dtype=np.int64)
    real = (j * 7 + i * 3 + j // 5) % 11
    if dtype == "bool":
        values = real > 4
    elif dtype.startswith("complex"):
        values = real / 4 + 1j * ((j * 5 + i) % 7) / 4
    elif dtype.startswith("float"):
        values = real / 4
    else:
        values = real * 23
    return np.asarray(values).astype(dtype).reshape(shape)


def number(value):
    if isinstance(value, complex):
        return f"{value.real:g},{value.imag:g}"
    return f"{value:.17g}" if isinstance(value, float) else str(int(value))


lines = []
cases = [  # shape, axis, prepend, append
    ((5,), -1, "=1", ""), ((5,), -1, "", "=1"), ((5,), 0, "=1", "=0"), ((5,), -1, (1,), ""), ((5,), -1, (3,), (2,)),
    ((5,), -1, (0,), ""), ((5,), -1, (), ()), ((2, 3), -1, "=1", ""), ((2, 3), 0, "=1", "=1"), ((2, 3), 0, (1, 3), ""),
    ((2, 3), 0, (2, 3), (0, 3)), ((2, 3), 1, (2, 1), (2, 4)), ((2, 3), -2, (), (1, 3)), ((2, 3, 2), 1, (2, 1, 2), "=1"),
    ((2, 3, 2), 0, "=0", (1, 3, 2)), ((2, 3, 2), 2, "=1", ()), ((0,), -1, "=1", ""), ((0,), -1, "=1", "=0"), ((1,), 0, "", ""),
    ((0, 3), 0, "=1", "=1"), ((0, 3), 1, "=1", ""), ((2, 0), 0, "=1", ""), ((2, 0), 1, (2, 2), "=1"), ((3, 1), 1, "=1", "=0"),
    # What does not fit, and what only broadcasting would make fit.
    ((2, 3), 1, (3,), ""), ((2, 3), 1, "", (1, 1)), ((2, 3), 0, (2, 2), ""), ((2, 3), 0, (1, 2, 3), ""), ((5,), 0, (1, 1), ""),
    ((2, 3), 2, "=1", ""), ((), 0, "=1", ""), ((2, 3), 1, "=1", (2,)),
]  # fmt: skip
for dtype in ("bool", "uint8", "int32", "float32", "complex64"):
    for shape, axis, *edges in cases:
        for n in (0, 1, 2, 7):
            x = operand(0, shape, dtype)
            keywords = {}
            texts = []
            for i, (name, edge) in enumerate(zip(("prepend", "append"), edges)):
                if isinstance(edge, tuple):
                    keywords[name] = operand(i + 1, edge, dtype)
                    texts.append("," if edge == () else ",".join(map(str, edge)))
                else:
                    texts.append(edge)
                    if edge:  # of the array's type, as a number is in gnp
                        keywords[name] = np.asarray(int(edge[1:])).astype(dtype)
            head = f"{dtype};{','.join(map(str, shape))};{n};{axis};{texts[0]};{texts[1]};"
            try:
                result = np.diff(x, n, axis, **keywords)
            except (ValueError, np.exceptions.AxisError):
                lines.append(head + "error;error")
                continue
            assert result.dtype == dtype
            values = " ".join(number(v) for v in result.ravel().tolist())
            lines.append(head + ",".join(map(str, result.shape)) + ";" + values)
path = pathlib.Path(__file__).resolve().parent.parent / "data" / "differences.txt"
path.write_text("\n".join(lines) + "\n")
print(len(lines), "records,", path.stat().st_size, "bytes")
