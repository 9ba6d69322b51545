# SPDX-License-Identifier: MIT
"""files.py write <folder>, and then files.py compare <folder> <gnp's folder>: arrays of all kinds, as NumPy has them."""
import sys

import numpy as np

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def arrays():
    rng = np.random.default_rng(7)
    for code in TYPES:
        for shape in [(), (0,), (1,), (7, 5), (3, 0, 2), (2, 3, 4, 5), (70001,)]:
            bits = rng.integers(0, 256, int(np.prod(shape)) * np.dtype(code).itemsize, np.uint8)
            x = (bits & 1).view(bool) if code == "?" else bits.view(code)
            name = f"{np.dtype(code).name}-{'x'.join(map(str, shape))}"
            yield name, x.reshape(shape)
            if len(shape) > 1:
                yield name + "-big", x.reshape(shape).astype(np.dtype(code).newbyteorder(">"))
                yield name + "-fortran", np.asfortranarray(x.reshape(shape))


def same(a, b):
    return a.dtype == b.dtype.newbyteorder("=") and a.shape == b.shape and a.tobytes() == b.astype(a.dtype).tobytes()


if __name__ == "__main__":
    folder = sys.argv[2]
    table = np.random.default_rng(8).standard_normal((100, 3)) * 1e10
    if sys.argv[1] == "write":
        everything = dict(arrays())
        for name, x in everything.items():
            np.save(f"{folder}/{name}.npy", x)
        np.savez(f"{folder}/stored.npz", **everything)
        np.savez_compressed(f"{folder}/deflated.npz", **everything)
        np.savetxt(f"{folder}/text.txt", table)
    else:
        ours = sys.argv[3]
        count = 0
        archives = [np.load(f"{ours}/{kind}.npz") for kind in ("npy", "stored", "deflated")]
        for name, x in arrays():
            for y in [np.load(f"{ours}/{name}.npy"), *(archive[name] for archive in archives)]:
                assert same(y, x), f"{name}: {y!r} where {x!r} was written"
                assert y.flags.f_contiguous == x.flags.f_contiguous, f"{name}: another order"
                count += 1
        assert (np.loadtxt(f"{ours}/text.txt") == table).all()
        print(count, "arrays are what they were")
