# SPDX-License-Identifier: MIT
"""Writes tests/data/products.txt: NumPy's results of matmul, einsum, tensordot and the other products.

A line is: function;arguments;dtype;shapes of the operands;shape of the result;its elements - or 'error' for
the last two. Operands are not in the file: element j of operand i is a small multiple of 1/4 (an integer for
integer types) that operand() below and the test compute alike, so that sums are exact in any order.
"""
import pathlib
import warnings

import numpy as np

warnings.simplefilter("error")
lines = []


def operand(i, shape, dtype):
    count = int(np.prod(shape))
    j = np.arange(count, dtype=np.int64)
    real = (j * 7 + i * 3 + j // 5) % 11 - 5
    if dtype == "bool":
        values = real > 2
    elif dtype.startswith("complex"):
        values = real / 4 + 1j * ((j * 5 + i) % 7 - 3) / 4
    elif dtype.startswith("float"):
        values = real / 4
    else:
        values = real * 23
    return np.asarray(values).astype(dtype).reshape(shape)


def text_of(value):
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value.real!r},{value.imag!r}".replace("np.float64(", "").replace(")", "")
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return repr(value.item() if isinstance(value, np.generic) else value)


def add(function, arguments, shapes, call, dtypes=("float64",)):
    for dtype in dtypes:
        operands = [operand(i, shape, dtype) for i, shape in enumerate(shapes)]
        shape_text = "|".join(",".join(map(str, s)) for s in shapes)
        head = f"{function};{arguments};{dtype};{shape_text};"
        try:
            result = np.asarray(call(*operands))
        except (ValueError, IndexError, np.linalg.LinAlgError, TypeError):
            lines.append(head + "error;error")
            continue
        values = " ".join(text_of(v) for v in result.ravel().tolist())
        lines.append(head + ",".join(map(str, result.shape)) + f":{result.dtype};" + values)


every = ("bool", "int8", "int32", "uint64", "float64", "complex128")

for shapes in [((3, 4), (4, 2)), ((4,), (4, 3)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 2)),
               ((2, 1, 3, 4), (5, 4, 2)), ((4,), (2, 4, 3)), ((2, 3, 4), (4,)), ((3, 0), (0, 2)),
               ((0, 3), (3, 2)), ((1, 1), (1, 1)), ((3, 4), (3, 4)), ((2, 3, 4), (3, 4, 2)), ((3,), (4,))]:
    add("matmul", "", shapes, np.matmul, every)
for shapes in [((3,), (3,)), ((3, 4), (4, 2)), ((2, 3, 4), (4,)), ((2, 3, 4), (5, 4, 2)), ((4,), (2, 4, 3)),
               ((), (2, 3)), ((2, 3), ()), ((), ()), ((0,), (0,)), ((3, 4), (3,)), ((2, 3), (2, 3))]:
    add("dot", "", shapes, np.dot, every)
for shapes in [((3,), (3,)), ((3, 4), (4,)), ((2, 3, 4), (5, 4)), ((), (2, 3)), ((3, 4), (3,)), ((2, 0), (3, 0))]:
    add("inner", "", shapes, np.inner, every)
for shapes in [((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (6,)), ((), ()), ((2, 3), (5,)), ((0,), (0,))]:
    add("vdot", "", shapes, np.vdot, every)
for shapes in [((3,), (4,)), ((2, 3), (2,)), ((), (3,)), ((0,), (3,))]:
    add("outer", "", shapes, np.outer, every)
for axis, shapes in [(-1, ((3, 4), (3, 4))), (-1, ((2, 3, 4), (4,))), (0, ((3, 4), (3, 1))), (1, ((2, 3, 4), (2, 3, 4))),
                     (-1, ((3, 4), (3,))), (0, ((2, 3), (2,))), (-1, ((3, 0), (0,))), (5, ((3, 4), (3, 4)))]:
    add("vecdot", axis, shapes, lambda a, b: np.vecdot(a, b, axis=axis), every)
for shapes in [((3, 4), (4,)), ((2, 3, 4), (4,)), ((3, 4), (5, 4)), ((2, 3, 4), (2, 4)), ((3, 4), (3,)), ((4,), (4,))]:
    add("matvec", "", shapes, np.matvec, every)
for shapes in [((3,), (3, 4)), ((5, 3), (3, 4)), ((2, 3), (2, 3, 4)), ((4,), (3, 4))]:
    add("vecmat", "", shapes, np.vecmat, every)
for axes, shapes in [(2, ((2, 3, 4), (3, 4, 5))), (1, ((2, 3), (3, 4))), (0, ((2, 3), (4,))), (((0, 1), (1, 0)), ((3, 4, 2), (4, 3, 5))),
                     (((-1,), (0,)), ((2, 3), (3, 2))), (((0, 1), (0, 1)), ((2, 3), (2, 3))), (((0, 2), (2, 0)), ((2, 3, 4), (4, 3, 2))),
                     (1, ((2, 3), (4, 3))), (3, ((2, 3), (2, 3))), (((0, 0), (0, 1)), ((2, 2), (2, 2))), (1, ((2, 0), (0, 3)))]:
    if isinstance(axes, int):
        arguments = str(axes)
    else:
        arguments = ":".join(",".join(map(str, a)) for a in axes)
    add("tensordot", arguments, shapes, lambda a, b: np.tensordot(a, b, axes), every)
for shapes in [((2,), (3,)), ((2, 3), (2, 2)), ((2, 3), (4,)), ((2,), (3, 1, 2)), ((), (2, 2)), ((2, 2), ()), ((0, 2), (3, 3))]:
    add("kron", "", shapes, np.kron, every)
for axis, shapes in [("", ((3,), (3,))), ("", ((4, 3), (3,))), ("", ((2, 1, 3), (5, 3))), (0, ((3, 4), (3, 4))), (1, ((2, 3, 4), (2, 3, 4))),
                     ("", ((4,), (4,))), ("", ((0, 3), (3,)))]:
    keywords = {} if axis == "" else {"axis": axis}
    add("cross", axis, shapes, lambda a, b: np.cross(a, b, **keywords), ("int32", "float64", "complex128"))
for arguments in ["0,0,1", "1,0,1", "-2,0,1", "0,1,2", "5,0,1", "0,-1,0", "0,0,0", "0,0,3"]:
    offset, axis1, axis2 = map(int, arguments.split(","))
    for shape in [(3, 4), (4, 3, 2), (3,), (0, 3)]:
        add("diagonal", arguments, (shape,), lambda a: np.diagonal(a, offset, axis1, axis2), ("int8", "float64"))
        add("trace", arguments, (shape,), lambda a: np.trace(a, offset, axis1, axis2), every)
for subscripts, shapes in [
        ("ij,jk->ik", ((3, 4), (4, 2))), ("ij,jk", ((3, 4), (4, 2))), ("ji,jk->ki", ((4, 3), (4, 2))), ("ba", ((2, 3),)), ("ij->ji", ((2, 3),)),
        ("ii", ((3, 3),)), ("ii->i", ((3, 3),)), ("iij->j", ((3, 3, 2),)), ("iii", ((3, 3, 3),)), ("ij->", ((2, 3),)), ("ij->j", ((2, 3),)),
        ("i,i", ((4,), (4,))), ("i,j->ij", ((3,), (4,))), ("i,i->i", ((4,), (4,))), ("ij,ij->i", ((3, 4), (3, 4))), ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))),
        ("bij,bkj->bik", ((2, 3, 4), (2, 5, 4))), ("...ij,...jk->...ik", ((2, 3, 4), (4, 5))), ("...ij,...jk", ((2, 1, 3, 4), (5, 4, 2))),
        ("i...->...", ((3, 2, 2),)), ("...", ((2, 3),)), ("...->...", ((2, 3),)), ("i...j,j->i...", ((2, 3, 4), (4,))), ("ijk,jil->kl", ((2, 3, 4), (3, 2, 5))),
        ("ij,kj,lk->il", ((2, 3), (4, 3), (5, 4))), ("ea,fb,abcd,gc,hd->efgh", ((3, 2), (3, 2), (2, 2, 2, 2), (3, 2), (3, 2))),
        ("i,i,i->", ((4,), (4,), (4,))), ("ij,jk,kl,lm->im", ((2, 3), (3, 4), (4, 3), (3, 2))), ("a,b,c->cab", ((2,), (3,), (2,))),
        ("ij,j->i", ((3, 4), (4,))), ("ij,ik->ijk", ((3, 2), (3, 4))), (",ij->ij", ((), (2, 3))), (",", ((), ())), ("ij,ij", ((3, 4), (3, 4))),
        ("iJ,Jk->ik", ((2, 3), (3, 2))), ("bA,Ac", ((2, 3), (3, 2))), (" i j , j k -> i k ", ((2, 3), (3, 2))), ("ij,jk->ik", ((2, 1), (3, 4))),
        ("i,i->i", ((1,), (3,))), ("ii,i->i", ((3, 3), (3,))), ("ij,jj->i", ((2, 3), (3, 3))), ("ijk,ilm,njm->nlk", ((2, 3, 4), (2, 5, 2), (3, 3, 2))),
        ("ij,jk->ik", ((0, 3), (3, 2))), ("ij,jk->ik", ((2, 0), (0, 3))), ("ij->i", ((2, 0),)), ("...i->...", ((2, 3),)), ("i->", ((5,),)),
        ("...a,...a->...", ((2, 3), (3,))), ("...,...->...", ((2, 3), (3,))), ("k...,jk", ((3, 2), (4, 3))),
        ("ij,jk->ikk", ((2, 3), (3, 4))), ("ij->k", ((2, 3),)), ("ii", ((2, 3),)), ("ii->", ((1, 3),)), ("i", ((2, 3),)), ("ij,jk", ((2, 3),)), ("ij", ((2, 3), (2, 3))),
        ("i$", ((2, 3),)), ("ij,jk", ((2, 3), (4, 2))), ("...i->i", ((2, 3),)), ("ijk", ((2, 3),)), ("i..j", ((2, 3),)), ("ij-ji", ((2, 3),)), ("......", ((2, 3),))]:
    add("einsum", subscripts, shapes, lambda *a: np.einsum(subscripts, *a), every)
for shapes in [((2, 3), (3, 4)), ((2, 3), (3, 4), (4, 5)), ((3,), (3, 4), (4,)), ((3,), (3, 4)), ((2, 3), (3,)), ((8, 2), (2, 9), (9, 1), (1, 7)), ((2, 3), (4, 5)), ((2, 3), (3,), (3, 2))]:
    add("multi_dot", "", shapes, lambda *a: np.linalg.multi_dot(a), ("int32", "float64", "complex128"))
for power in [0, 1, 2, 3, 7]:
    for shape in [(3, 3), (2, 2, 2), (0, 2, 2), (2, 3)]:
        add("matrix_power", power, (shape,), lambda a: np.linalg.matrix_power(a, power), ("int32", "float64", "complex128"))

path = pathlib.Path(__file__).resolve().parent.parent / "data" / "products.txt"
path.write_text("\n".join(lines) + "\n")
print(len(lines), "records,", path.stat().st_size, "bytes")
