# SPDX-License-Identifier: MIT
"""Writes tests/data/norms.txt: NumPy's norms of the operands of make_products.py.

A line is: function;order;axes (none where empty);keepdims;dtype;shape;shape of the result:dtype;its elements -
or 'error' for the last two.
"""
import pathlib
import sys
import warnings

import numpy as np

sys.dont_write_bytecode = True
warnings.simplefilter("ignore")


def operand(shape, dtype):
    j = np.arange(int(np.prod(shape)), dtype=np.int64)
    real = (j * 7 + j // 5) % 11 - 5
    if dtype.startswith("complex"):
        values = real / 4 + 1j * ((j * 5) % 7 - 3) / 4
    elif dtype.startswith("float"):
        values = real / 4
    else:
        values = real * 23
    return np.asarray(values).astype(dtype).reshape(shape)


lines = []
orders = ["", "fro", "nuc", "inf", "-inf", "0", "1", "-1", "2", "-2", "3", "0.5"]
cases = [("", (5,)), ("", (3, 4)), ("", (2, 3, 4)), ("0", (3, 4)), ("-1", (2, 3, 4)), ("0,1", (3, 4)), ("1,0", (3, 4)),
         ("0,2", (2, 3, 4)), ("2,1", (2, 3, 4)), ("-2,-1", (2, 3, 4)), ("0,0", (3, 3)), ("0,1,2", (2, 3, 4)), ("3", (2, 2)), ("", (1,)), ("", (2, 1))]
for function in ["norm", "vector_norm", "matrix_norm"]:
    for order in orders:
        for axis_text, shape in cases:
            axes = tuple(map(int, axis_text.split(","))) if axis_text else None
            if function == "matrix_norm" and axes is not None:
                continue
            if function == "vector_norm" and order in ("fro", "nuc"):
                continue
            for keepdims in (0, 1):
                for dtype in ("float64", "complex128", "int32"):
                    x = operand(shape, dtype)
                    keywords = {"keepdims": bool(keepdims)}
                    if order:
                        keywords["ord"] = order if order in ("fro", "nuc") else float(order)
                    if function != "matrix_norm":
                        keywords["axis"] = axes[0] if axes is not None and len(axes) == 1 else axes
                    head = f"{function};{order};{axis_text};{keepdims};{dtype};{','.join(map(str, shape))};"
                    try:
                        result = np.asarray(getattr(np.linalg, function)(x, **keywords))
                    except (ValueError, IndexError, np.linalg.LinAlgError, TypeError):
                        lines.append(head + "error;error")
                        continue
                    values = " ".join(repr(v) for v in result.ravel().tolist())
                    lines.append(head + ",".join(map(str, result.shape)) + f":{result.dtype};" + values)
path = pathlib.Path(__file__).resolve().parent.parent / "data" / "norms.txt"
path.write_text("\n".join(lines) + "\n")
print(len(lines), "records,", path.stat().st_size, "bytes")
