#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/data/files/*.npy and *.npz: what NumPy's own save, savez and savez_compressed make, for files_test.

Every file holds the same numbers, f(i) for i counted in row-major order, of shape (2, 3, 5), in one dtype and byte
order each, so that the test knows what to expect: i - 7 for signed, i for unsigned and i % 3 == 1 for bool; i / 4 - 2 for
floating types; the same with the imaginary part i for complex ones. bfloat16 is written as ml_dtypes' arrays are: two raw
bytes.
"""
import pathlib

import numpy as np
from numpy.lib import format as npy

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data" / "files"
SHAPE = (2, 3, 5)
TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def values(code, shape=SHAPE):
    i = np.arange(np.prod(shape)).reshape(shape)
    if code == "b1":
        return i % 3 == 1
    if code[0] == "i":
        return (i - 7).astype(code)
    if code[0] == "u":
        return i.astype(code)
    real = i / 4 - 2
    return (real if code[0] == "f" else real + 1j * i).astype(code)


def bfloat16(shape=SHAPE):
    bits = values("f4", shape).view(np.uint32) >> 16
    return bits.astype("<u2").view("V2")


def write_version(path, array, version):
    with open(path, "wb") as file:
        npy.write_array(file, array, version=version)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for code in TYPES:
        little, big = values(code).astype("<" + code), values(code).astype(">" + code)
        np.save(FOLDER / f"{code}-little.npy", little)
        np.save(FOLDER / f"{code}-big.npy", big)
        np.save(FOLDER / f"{code}-fortran.npy", np.asfortranarray(little))
    np.save(FOLDER / "V2-little.npy", bfloat16())
    np.save(FOLDER / "V2-fortran.npy", np.asfortranarray(bfloat16()))
    for version in [(1, 0), (2, 0), (3, 0)]:
        write_version(FOLDER / f"version-{version[0]}.npy", values("f4"), version)
    np.save(FOLDER / "rank-0.npy", np.float64(2.5))
    np.save(FOLDER / "rank-16.npy", values("i4", (1,) * 14 + (2, 3)))
    np.save(FOLDER / "empty.npy", np.zeros((0, 3), np.int16))
    everything = {code: values(code) for code in TYPES} | {"f": np.asfortranarray(values("f8"))}
    np.savez(FOLDER / "stored.npz", np.arange(3), **everything)
    np.savez_compressed(FOLDER / "deflated.npz", np.arange(3), b16=bfloat16(), long=np.arange(100000) % 1000, **everything)
    # What gnp has no type for.
    np.save(FOLDER / "objects.npy", np.array([{}, None]), allow_pickle=True)
    np.save(FOLDER / "text.npy", np.array(["a", "bc"]))
    np.save(FOLDER / "records.npy", np.zeros(2, [("x", "f4"), ("y", "i8")]))
    np.save(FOLDER / "dates.npy", np.array(["2020-01-01"], "M8[D]"))
    np.save(FOLDER / "long-double.npy", np.zeros(2, np.longdouble))
    print(len(list(FOLDER.glob("*.np?"))), "files,", sum(p.stat().st_size for p in FOLDER.glob("*.np?")), "bytes")
