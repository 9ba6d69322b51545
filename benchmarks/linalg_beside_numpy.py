#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products and factorisations of gnp's CPU device beside NumPy's, both with one OpenBLAS: NumPy's own where it
brings one. The two take turns; of each the fastest turn counts.

  linalg_beside_numpy.py --threads 1,16 --sizes 64,256,1024,2048 --types float32,float64
"""
import argparse
import glob
import math
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def numpy_rows(size, dtype):
    import numpy as np
    generator, la = np.random.default_rng(1), np.linalg

    def noise(rows, columns):
        x = generator.uniform(-1, 1, (rows, columns))
        if "complex" in dtype:
            x = x + 1j * generator.uniform(-1, 1, (rows, columns))
        return x.astype(dtype)

    def row(name, call):
        call()
        best, total = math.inf, 0.0
        while total < 0.1:
            begin = time.perf_counter()
            call()
            taken = time.perf_counter() - begin
            best, total = min(best, taken), total + taken
        print(name, f"{1e3 * best:.5f}")

    a, b = noise(size, size), noise(size, size)
    hermitian = a + a.conj().T
    definite = a @ a.conj().T + size * np.eye(size, dtype=dtype)
    tall, sides = noise(2 * size, size // 2), noise(2 * size, 3)
    row("matmul", lambda: a @ b)
    row("solve", lambda: la.solve(a, b))
    row("inv", lambda: la.inv(a))
    row("det", lambda: la.det(a))
    row("cholesky", lambda: la.cholesky(definite))
    row("qr", lambda: la.qr(a))
    row("lstsq", lambda: la.lstsq(tall, sides, rcond=None))
    row("eigh", lambda: la.eigh(hermitian))
    row("eigvalsh", lambda: la.eigvalsh(hermitian))
    row("svd", lambda: la.svd(a))
    row("svdvals", lambda: la.svdvals(a))
    if size <= 1024:
        row("eig", lambda: la.eig(a))
        row("eigvals", lambda: la.eigvals(a))


def numpys_openblas():
    import numpy
    folder = pathlib.Path(numpy.__file__).parent.parent / "numpy.libs"
    found = sorted(glob.glob(str(folder / "lib*openblas*.so*")))
    return found[0] if found else None


def rows_of(command, environment):
    answer = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in (line.split() for line in answer.stdout.splitlines())}


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "numpy":
        return numpy_rows(int(sys.argv[2]), sys.argv[3])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default=f"1,{os.cpu_count()}")
    parser.add_argument("--sizes", default="64,256,1024")
    parser.add_argument("--types", default="float32,float64,complex64,complex128")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--bar", type=float, default=1.1)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--folder", default=os.environ.get("TMPDIR", "/tmp"))
    arguments = parser.parse_args()
    program = f"{arguments.folder}/gnp_linalg_beside_numpy"
    subprocess.run([arguments.compiler, "-std=c++20", "-O2", "-DGNP_NO_CUDA", f"-I{HERE.parent / 'include'}",
                    str(HERE / "beside_numpy" / "linalg.cpp"), "-o", program, "-ldl", "-pthread"], check=True)
    lapack = os.environ.get("GNP_LAPACK") or numpys_openblas() or "libopenblas.so.0"
    print(f"gnp with {lapack}")
    ratios = []
    for threads in arguments.threads.split(","):
        environment = {"GNP_LAPACK": lapack, "GNP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        for size in arguments.sizes.split(","):
            for dtype in arguments.types.split(","):
                best = [{}, {}]
                for _ in range(arguments.turns):
                    for i, command in enumerate(([program, threads, size, dtype],
                                                 [sys.executable, __file__, "numpy", size, dtype])):
                        for name, value in rows_of(command, environment).items():
                            best[i][name] = min(value, best[i].get(name, math.inf))
                for name, mine in best[0].items():
                    ratio = mine / best[1][name]
                    ratios.append(ratio)
                    mark = "  above the bar" if ratio > arguments.bar else ""
                    print(f"{threads:>3} threads {size:>5} {dtype:10} {name:9} {mine:10.4f} ms  NumPy {best[1][name]:10.4f}"
                          f"  {ratio:5.2f}{mark}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{len(ratios)} rows, geometric mean {mean:.3f}, above {arguments.bar}: "
          f"{sum(r > arguments.bar for r in ratios)}")


main()
