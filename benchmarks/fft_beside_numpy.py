#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fourier transforms of gnp's CPU device beside NumPy's, which has one thread. The two take turns; of each the fastest
turn counts, one thread in its own time.

  fft_beside_numpy.py --threads 1,2 --types float32,float64
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def numpy_rows(dtype):
    import numpy as np
    generator, fft = np.random.default_rng(1), np.fft

    def real(*shape):
        return generator.uniform(-1, 1, shape).astype(dtype)

    def complex_(*shape):
        return real(*shape) + np.array(1j, np.result_type(dtype, np.complex64)) * real(*shape)

    def row(name, call):
        call()
        best, total = math.inf, 0.0
        while total < 0.1:
            begin = time.thread_time()
            call()
            taken = time.thread_time() - begin
            best, total = min(best, taken), total + taken
        print(name, f"{1e3 * best:.5f}")

    for n in (8, 100, 1000, 1009, 4096, 65536, 1000003, 1048576):
        z, x = complex_(n), real(n)
        half = fft.rfft(x)
        row(f"fft/{n}", lambda: fft.fft(z))
        row(f"ifft/{n}", lambda: fft.ifft(z))
        row(f"rfft/{n}", lambda: fft.rfft(x))
        row(f"irfft/{n}", lambda: fft.irfft(half, n))
        row(f"real_fft/{n}", lambda: fft.fft(x))
    square = complex_(1000, 1000)
    row("rows/1000", lambda: fft.fft(square))
    row("columns/1000", lambda: fft.fft(square, axis=0))
    row("fft2/1000", lambda: fft.fft2(square))
    row("transposed/1000", lambda: fft.fft(square.T))
    many = complex_(100000, 8)
    row("rows/100000x8", lambda: fft.fft(many))
    cube = complex_(64, 64, 64)
    row("fftn/64x64x64", lambda: fft.fftn(cube))
    image = real(1024, 1024)
    row("rfft2/1024", lambda: fft.rfft2(image))


def rows_of(command):
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name: float(value) for name, value in (line.split() for line in answer.stdout.splitlines())}


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "numpy":
        return numpy_rows(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--types", default="float32,float64")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--folder", default=os.environ.get("TMPDIR", "/tmp"))
    arguments = parser.parse_args()
    program = f"{arguments.folder}/gnp_fft_beside_numpy"
    subprocess.run([arguments.compiler, "-std=c++20", "-O2", "-DGNP_NO_CUDA", f"-I{HERE.parent / 'include'}",
                    str(HERE / "beside_numpy" / "fft.cpp"), "-o", program, "-ldl", "-pthread"], check=True)
    slower = 0
    for dtype in arguments.types.split(","):
        theirs, ours = {}, {}
        for _ in range(arguments.turns):
            for name, value in rows_of([sys.executable, __file__, "numpy", dtype]).items():
                theirs[name] = min(value, theirs.get(name, math.inf))
            for threads in arguments.threads.split(","):
                for name, value in rows_of([program, threads, dtype]).items():
                    ours[name, threads] = min(value, ours.get((name, threads), math.inf))
        for name, numpy_time in theirs.items():
            times = "".join(f"{ours[name, t]:12.5f} ({numpy_time / ours[name, t]:5.2f} x, {t} threads)"
                            for t in arguments.threads.split(","))
            print(f"{dtype} {name:18} NumPy {numpy_time:12.5f} ms, gnp{times}")
            slower += ours[name, arguments.threads.split(",")[0]] > numpy_time
    print(f"{slower} rows slower than NumPy")
    return slower > 0


if __name__ == "__main__":
    sys.exit(main())
