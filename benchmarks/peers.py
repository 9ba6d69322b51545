#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of gnp_benchmarks beside NumPy, CuPy, PyTorch and JAX, in one run on one machine.

    python3 benchmarks/peers.py --gnp build/release/benchmarks/gnp_benchmarks [--quick] [--compile] [--json FILE]

Prints one table. Exits with 1 where a row missed its bar or gave a wrong answer. A peer that is missing, or
that fails, is 'n/a' with its reason under the table.
"""

import argparse
import glob
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# A difference smaller than this between two CPU timings is noise; "no slower" allows for it.
CPU_NOISE = 0.03

# row, gnp's case, what the bar is about, the bar, words for the table.
ROWS = [
    ("copy", "copy/gnp", None, None, "copy 2^28 f32"),
    ("copy_driver", "copy/driver", None, None, "copy 2^28 f32, driver's memcpy"),
    ("sin_f32", "sin_mul_add/float32", "of_copy", 0.96, "sin(x)*y+x 2^28 f32"),
    ("sin_f64", "sin_mul_add/float64", "of_copy", 0.96, "sin(x)*y+x 2^27 f64"),
    ("sin_f16", "sin_mul_add/float16", "of_copy", 0.96, "sin(x)*y+x 2^29 f16"),
    ("where_f32", "where/float32", "of_copy", 0.96, "where(a>.5,a,c) 2^28 f32"),
    ("where_f64", "where/float64", "of_copy", 0.96, "where(a>.5,a,c) 2^27 f64"),
    ("where_f16", "where/float16", "of_copy", 0.96, "where(a>.5,a,c) 2^29 f16"),
    ("scale_f32", "scale_in_place/float32", "of_copy", 0.96, "x = x*2+1 in place 2^28 f32"),
    ("scale_f64", "scale_in_place/float64", "of_copy", 0.96, "x = x*2+1 in place 2^27 f64"),
    ("scale_f16", "scale_in_place/float16", "of_copy", 0.96, "x = x*2+1 in place 2^29 f16"),
    ("mul_c64", "multiply/complex64", "of_copy", 0.96, "a*b 2^27 complex64"),
    ("compare", "compare/float32_to_bool", "of_copy", 0.96, "a>.5 -> bool 2^28 f32"),
    ("astype", "astype/float16_to_float32", "of_copy", 0.96, "astype f16 -> f32 2^28"),
    ("row_add", "broadcast_add/row", "of_copy", 0.85, "a + row 16384^2 f32"),
    ("column_add", "broadcast_add/column", "of_copy", 0.85, "a + column 16384^2 f32"),
    ("slice_2d", "slice_copy/columns", "of_copy", 0.85, "copy a[:, ::2] 16384^2 f32"),
    ("slice_1d", "slice_copy/step_2", "of_copy", 0.85, "copy a[::2] 2^28 f32"),
    ("permute_201", "permute_copy/201", "of_copy", 0.85, "permute (2,0,1) 256x1024x1024"),
    ("permute_102", "permute_copy/102", "of_copy", 0.85, "permute (1,0,2) 256x1024x1024"),
    ("transpose", "transpose_copy", "of_copy", 0.92, "copy a.T 16384^2 f32"),
    ("add_transpose", "add_transpose", "of_copy", 0.92, "a + a.T 16384^2 f32"),
    ("large_u8", "large/uint8_2p32_7", "right", None, "a + 1, 2^32+7 uint8"),
    ("large_f32", "large/float32_2p31_9", "right", None, "a + 1, 2^31+9 f32"),
    ("uniform", "random/uniform/float32", "of_curand", 1.05, "uniform 2^28 f32"),
    ("uniform_ab", "random/uniform_between/float32", "of_curand", 1.05, "uniform(-1, 3) 2^28 f32"),
    ("normal", "random/normal/float32", "of_curand", 1.05, "normal 2^28 f32"),
    ("uniform_f64", "random/uniform/float64", "of_curand", 1.05, "uniform 2^27 f64"),
    ("normal_f64", "random/normal/float64", "of_curand", 1.05, "normal 2^27 f64"),
    ("integers", "random/integers/int64", None, None, "integers(0, 10) 2^27 int64"),
    ("exponential", "random/exponential/float32", None, None, "exponential 2^28 f32"),
    ("poisson", "random/poisson_100/int64", None, None, "poisson(100) 2^24"),
    ("latency_uniform", "latency/uniform", None, None, "uniform, 1024 elements"),
    ("latency_add", "latency/add", "of_torch_add", 0.70, "a+b, 1000 elements"),
    ("latency_five", "latency/five_operators", "of_torch_add", 0.70, "5 operators, 1000 elements"),
    ("first_cold", "first_call/cold", "ms", 60.0, "first call, cold cache"),
    ("first_warm", "first_call/warm_disk_cache", "ms", 3.0, "first call, warm disk cache"),
    ("to_device", "transfer/to_device_pageable", None, None, "host -> device 256 MiB"),
    ("to_device_pinned", "transfer/to_device_pinned", None, None, "host -> device, page-locked"),
    ("to_host", "transfer/to_host_pageable", None, None, "device -> host 256 MiB"),
    ("to_host_pinned", "transfer/to_host_pinned", None, None, "device -> host, page-locked"),
    ("cpu_sin", "cpu/sin_mul_add/gnp/threads_1/into_output", "no_slower", None, "CPU sin(x)*y+x 2^24, out"),
    ("cpu_sin_2", "cpu/sin_mul_add/gnp/threads_2/into_output", "faster_than", "cpu_sin", "  the same, 2 threads"),
    ("cpu_sin_new", "cpu/sin_mul_add/gnp/threads_1/allocating", "no_slower", None, "CPU sin(x)*y+x 2^24, new"),
    ("cpu_sin_new_2", "cpu/sin_mul_add/gnp/threads_2/allocating", "faster_than", "cpu_sin_new", "  the same, 2 threads"),
    ("cpu_fma", "cpu/mul_add/gnp/threads_1/into_output", "no_slower", None, "CPU x*y+z 2^24, out"),
    ("cpu_fma_2", "cpu/mul_add/gnp/threads_2/into_output", "faster_than", "cpu_fma", "  the same, 2 threads"),
    ("cpu_fma_new", "cpu/mul_add/gnp/threads_1/allocating", "no_slower", None, "CPU x*y+z 2^24, new"),
    ("cpu_fma_new_2", "cpu/mul_add/gnp/threads_2/allocating", "faster_than", "cpu_fma_new", "  the same, 2 threads"),
]

# The CPU's linear algebra, where each of gnp's cases brings Eigen's time along, and sums, which NumPy has too.
CPU_LINALG = [f"svd/{t}/{n}" for t in ("float32", "float64") for n in (64, 256, 512, 1024)]
CPU_LINALG += [f"eig/{t}/{n}" for t in ("float32", "float64") for n in (64, 256)]
CPU_LINALG += [f"matmul/{t}/{n}" for t in ("float32", "float64") for n in (64, 256, 1024)]
CPU_SUMS = ["sum/float32", "norm/float32"]


def shared_on_cpu(name):
    """Do two threads share it? 64 x 64 is too small, and most of an eig of 256 x 256 is one step after the other."""
    return not name.endswith("/64") and not name.startswith("eig/")


for name in CPU_LINALG + CPU_SUMS:
    size = " 2^24" if name in CPU_SUMS else ""
    ROWS.append((f"cpu_{name}", f"cpu/{name}/threads_1", "no_slower", None, f"CPU {name.replace('/', ' ')}{size}"))
    if shared_on_cpu(name):
        ROWS.append((f"cpu_{name}_2", f"cpu/{name}/threads_2", "faster_than", f"cpu_{name}", "  the same, 2 threads"))

# matmul: NumPy's name of the type, then the shape of both operands; row names are made of them.
MATMULS = [("float32", (64,)), ("float32", (512,)), ("float32", (4096,)), ("float64", (64,)), ("float64", (4096,)),
           ("float16", (64,)), ("float16", (4096,)), ("bfloat16", (4096,)), ("complex64", (4096,)),
           ("float32", (256, 128, 128)), ("float16", (256, 128, 128))]


def matmul_row(dtype, shape):
    return f"matmul/{dtype}/" + "x".join(map(str, shape))


ROWS += [(matmul_row(*m), matmul_row(*m), "of_cublas", 0.97, "matmul " + matmul_row(*m)[7:]) for m in MATMULS]

# Reductions and scans: gnp's case, the bar, shape and dtype of the input, and what is called. x and y are arrays of the
# library, linalg its module; axis= and these names are common to all three.
BILLION = (16384, 16384)
REDUCTIONS = [
    ("sum/all", 0.93, BILLION, "float32", lambda x, y, linalg: x.sum()),
    ("sum/axis_0", 0.93, BILLION, "float32", lambda x, y, linalg: x.sum(axis=0)),
    ("sum/axis_1", 0.93, BILLION, "float32", lambda x, y, linalg: x.sum(axis=1)),
    ("sum/transposed", 0.93, BILLION, "float32", lambda x, y, linalg: x.T.sum(axis=1)),
    ("sum/cube_axis_1", 0.93, (256, 1024, 1024), "float32", lambda x, y, linalg: x.sum(axis=1)),
    ("sum/float16", 0.93, (1 << 29,), "float16", lambda x, y, linalg: x.sum()),
    ("sum/int32", 0.93, (1 << 28,), "int32", lambda x, y, linalg: x.sum()),
    ("sum/1000000x2_axis_1", None, (1000000, 2), "float32", lambda x, y, linalg: x.sum(axis=1)),
    ("sum/2x1000000_axis_0", None, (2, 1000000), "float32", lambda x, y, linalg: x.sum(axis=0)),
    ("norm", 0.93, BILLION, "float32", lambda x, y, linalg: linalg.norm(x)),
    ("sum_of_products", 0.93, BILLION, "float32", lambda x, y, linalg: (x * y).sum()),
    ("mean_squared_distance", 0.93, BILLION, "float32", lambda x, y, linalg: ((x - y) * (x - y)).mean()),
    ("argmax", 0.93, (1 << 28,), "float32", lambda x, y, linalg: x.argmax()),
    ("var", 0.93, BILLION, "float32", lambda x, y, linalg: x.var()),
    ("cumsum/all", 0.80, (1 << 28,), "float32", lambda x, y, linalg: x.cumsum(0)),
    ("cumsum/axis_0", 0.80, BILLION, "float32", lambda x, y, linalg: x.cumsum(0)),
    ("cumsum/axis_1", 0.80, BILLION, "float32", lambda x, y, linalg: x.cumsum(1)),
]
WITH_TWO = ("sum_of_products", "mean_squared_distance")
ROWS += [(name, name, "of_copy" if bar else "no_slower_than_peers", bar, name.replace("_", " ") + " " + dtype)
         for name, bar, shape, dtype, call in REDUCTIONS]
ROWS += [("latency_sum", "latency/sum", "of_torch_sum", 0.70, "sum, 1000 elements")]


# Sorting and searching: shape, dtype, and which of sort_call's calls.
SORTS = [(f"sort/{dtype}", (1 << 26,), dtype, "sort") for dtype in ("float32", "int32", "int64", "float64", "float16")]
SORTS += [(f"argsort/{dtype}", (1 << 26,), dtype, "argsort") for dtype in ("float32", "int32", "int64", "float64")]
SORTS += [(f"sort/rows_{rows}x{columns}", (rows, columns), "float32", "sort")
          for rows, columns in ((1 << 20, 64), (1 << 16, 1024), (1024, 65536))]
SORTS += [("sort/columns_1024x65536", (1024, 65536), "float32", "sort_columns"),
          ("top_k/2p26", (1 << 26,), "float32", "top_k"), ("top_k/65536x1024", (65536, 1024), "float32", "top_k"),
          ("searchsorted/2p24_in_2p20", (1 << 24,), "float32", "searchsorted")]
ROWS += [(name, name, "no_slower_than_peers", 0.80, name.replace("/", " ").replace("_", " ")) for name, *_ in SORTS]
ROWS += [("latency_sort", "latency/sort", "no_slower_than_peers", 0.70, "sort, 1000 elements")]


def add_sorts(row, to_device, sort, argsort, top_k, searchsorted, transform=lambda f: f):
    """The rows of SORTS with one library, which may lack top_k."""
    import numpy as np

    def make(shape, dtype, what):
        generator = np.random.default_rng(7)
        if dtype.startswith("int"):
            ends = np.iinfo(dtype)
            host = generator.integers(ends.min, ends.max, shape, dtype)
        else:
            host = generator.standard_normal(shape, np.float32).astype(dtype)
        x = to_device(host)
        if what == "searchsorted":
            table = to_device(np.sort(host[:1 << 20]))
            run = transform(searchsorted)
            return lambda: run(table, x)
        run = transform({"sort": lambda x: sort(x, -1), "sort_columns": lambda x: sort(x, 0),
                         "argsort": lambda x: argsort(x, -1), "top_k": lambda x: top_k(x, 10)}[what])
        return lambda: run(x)

    for name, *what in SORTS:
        if top_k is not None or what[-1] != "top_k":
            row(name, lambda: make(*what))
    row("latency_sort", lambda: make((1000,), "float32", "sort"), least=1000)


# What the field's tutorials show, on arrays of the library and with the way from NumPy's arrays and back: the shape and
# dtype of the input, whether there are two, and what is called. xp is the library, x and y are its arrays.
SELU = (1.05070098, 1.67326324)
TUTORIALS = [
    ("matmul_2048_float32", (2048, 2048), "float32", 2, lambda xp, x, y: x @ y),
    ("dot_1000_float64", (1000, 1000), "float64", 2, lambda xp, x, y: x @ y),
    ("add_10000000", (10000000,), "float32", 2, lambda xp, x, y: x + y),
    ("cos2_sin2_10000000", (10000000,), "float32", 1, lambda xp, x: xp.cos(x) ** 2 + xp.sin(x) ** 2),
    ("selu_1000000", (1000000,), "float32", 1,
     lambda xp, x: SELU[0] * xp.where(x > 0, x, SELU[1] * xp.expm1(x))),
    ("svd_64", (64, 64), "float32", 1, lambda xp, x: tuple(xp.linalg.svd(x))),
]
ROWS += [(f"tutorial/{name}{end}", f"tutorial/{name}{end}", "no_slower_than_peers", None,
          f"tutorial {name.replace('_', ' ')}{words}")
         for name, *_ in TUTORIALS for end, words in (("", ""), ("/transfers", ", with transfers"))]


def add_tutorials(row, xp, to_device, to_host, transform=lambda f: f):
    """The rows of TUTORIALS with one library."""
    import numpy as np

    def make(shape, dtype, count, call, transfers):
        generator = np.random.default_rng(1)
        hosts = [generator.uniform(-1, 1, shape).astype(dtype) for _ in range(count)]
        run = transform(lambda *arrays: call(xp, *arrays))
        if not transfers:
            arrays = [to_device(host) for host in hosts]
            return lambda: run(*arrays)

        def there_and_back():
            result = run(*(to_device(host) for host in hosts))
            if isinstance(result, tuple):
                return tuple(to_host(part) for part in result)
            return to_host(result)

        return there_and_back

    for name, *what in TUTORIALS:
        row(f"tutorial/{name}", lambda: make(*what, False))
        row(f"tutorial/{name}/transfers", lambda: make(*what, True))


def add_reductions(row, waves, dtype_of, linalg, transform=lambda f: f):
    """The rows of REDUCTIONS with one library: `waves` makes an input, `transform` compiles where one would."""

    def make(shape, dtype, call, two):
        x = waves(shape, 0.37, dtype_of(dtype))
        y = waves(shape, 0.11, dtype_of(dtype)) if two else None
        run = transform(lambda x, y: call(x, y, linalg))
        return lambda: run(x, y)

    for name, _, shape, dtype, call in REDUCTIONS:
        row(name, lambda: make(shape, dtype, call, name in WITH_TWO))
    row("latency_sum", lambda: make((1000,), "float32", lambda x, y, linalg: x.sum(), False), least=1000)


# Fourier transforms: gnp's case, the shape and dtype of the input, what is called.
FFTS = [
    ("fft/2^24/complex64", (1 << 24,), "complex64", lambda fft, x: fft.fft(x)),
    ("fft/1000x4096/complex64", (1000, 4096), "complex64", lambda fft, x: fft.fft(x)),
    ("fft/256x256x256/complex64", (256, 256, 256), "complex64", lambda fft, x: fft.fftn(x)),
    ("fft/1000003/complex64", (1000003,), "complex64", lambda fft, x: fft.fft(x)),
    ("fft/rfft_2^26/float32", (1 << 26,), "float32", lambda fft, x: fft.rfft(x)),
]
ROWS += [(name, name, "of_cufft", 1.02, name.replace("/", " ")) for name, *_ in FFTS]
ROWS += [("latency_fft", "latency/fft", "no_slower_than_peers", None, "fft, 1000 elements")]


def add_ffts(row, to_device, fft, transform=lambda f: f):
    """The rows of FFTS with one library."""
    import numpy as np

    def make(shape, dtype, call):
        x = to_device(np.random.default_rng(1).uniform(-1, 1, shape).astype(dtype))
        run = transform(lambda x: call(fft, x))
        return lambda: run(x)

    for name, *what in FFTS:
        row(name, lambda: make(*what))
    row("latency_fft", lambda: make((1000,), "complex64", lambda fft, x: fft.fft(x)), least=1000)


EIGEN_CASES = {
    "cpu_sin": "cpu/sin_mul_add/eigen/into_output",
    "cpu_sin_new": "cpu/sin_mul_add/eigen/allocating",
    "cpu_fma": "cpu/mul_add/eigen/into_output",
    "cpu_fma_new": "cpu/mul_add/eigen/allocating",
}

COLUMNS = ["numpy", "eigen", "cupy", "cupy.fuse", "torch", "torch.compile", "jax"]
TITLES = {"numpy": "NumPy", "eigen": "Eigen", "cupy": "CuPy", "cupy.fuse": "CuPy fuse", "torch": "PyTorch",
          "torch.compile": "t.compile", "jax": "JAX"}


# ------------------------------------------------------------------------------------------------ a worker
# Each peer runs in a process of its own: their memory pools and their imports stay apart. A worker prints one
# line of JSON for each row as soon as it has it, so that what it did before a time limit is kept.


def say(**record):
    print("PEER " + json.dumps(record), flush=True)


class Worker:
    def __init__(self, peer, quick):
        self.peer = peer
        self.quick = quick

    def per_call(self, call, sync, least=2):
        """Seconds a call: the median of batches of back-to-back calls, each of 25 ms or more, ended by one sync."""

        def batch(calls):
            sync(None)
            start = time.perf_counter()
            result = None
            for _ in range(calls):
                result = call()
            sync(result)
            return (time.perf_counter() - start) / calls

        sync(None)
        time.sleep(0.1)  # as rest.hpp does, and for its reason
        batch(least)
        guess = batch(least)
        calls = 2 * max((least + 1) // 2, math.ceil(0.0125 / guess))
        return statistics.median(batch(calls) for _ in range(3 if self.quick else 7))

    def row(self, row, make, sync, column=None, least=2):
        """`make` builds the inputs and returns the call to time; whatever it raises costs this row alone."""
        column = column or self.peer
        try:
            call = make()
            seconds = self.per_call(call, sync, least)
            say(column=column, row=row, ms=seconds * 1e3)
        except Exception as error:  # a peer's failure is a fact for the table, never ours
            say(column=column, row=row, error=f"{type(error).__name__}: {error}".splitlines()[0][:200])


def fastest(call, quick):
    """As the C++ cases: milliseconds of the fastest of single calls."""
    call()
    times = []
    for _ in range(11 if quick else 31):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def worker_numpy(w):
    import numpy as np

    say(info=f"NumPy {np.__version__}")
    none = lambda result: None
    a, b = np.sin(np.arange(1000, dtype=np.float32)), np.cos(np.arange(1000, dtype=np.float32)) + 2
    w.row("latency_add", lambda: lambda: a + b, none, least=10000)
    w.row("latency_five", lambda: lambda: (a + b) * a - b / (a + 3), none, least=10000)

    i = np.arange(1 << 24)
    x = (i % 65521).astype(np.float32) * np.float32(4e-4) - np.float32(13)
    y = (i % 32749).astype(np.float32) * np.float32(1e-4) + np.float32(0.25)
    z = (i % 8191).astype(np.float32) * np.float32(1e-3) - np.float32(4)
    out = np.empty_like(x)

    def sin_out():
        np.sin(x, out=out)
        np.multiply(out, y, out=out)
        np.add(out, x, out=out)

    def fma_out():
        np.multiply(x, y, out=out)
        np.add(out, z, out=out)

    say(column="numpy", row="cpu_sin", ms=fastest(sin_out, w.quick))
    say(column="numpy", row="cpu_sin_new", ms=fastest(lambda: np.sin(x) * y + x, w.quick))
    say(column="numpy", row="cpu_fma", ms=fastest(fma_out, w.quick))
    say(column="numpy", row="cpu_fma_new", ms=fastest(lambda: x * y + z, w.quick))


def worker_numpy_sums(w):
    import numpy as np

    x = (np.arange(1 << 24) % 65521).astype(np.float32) * np.float32(4e-4) - np.float32(13)
    say(column="numpy", row="cpu_sum/float32", ms=fastest(lambda: np.sum(x), w.quick))
    say(column="numpy", row="cpu_norm/float32", ms=fastest(lambda: np.linalg.norm(x), w.quick))


def worker_cupy(w):
    import cupy as cp
    import cupyx
    import numpy as np

    say(info=f"CuPy {cp.__version__} on {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}")
    sync = lambda result: cp.cuda.get_current_stream().synchronize()
    pool = cp.get_default_memory_pool()
    fuse = named_fuse(cp)

    def waves(shape, step, dtype):
        n = math.prod(shape)
        out = cp.empty(n, dtype)
        for first in range(0, n, 1 << 26):
            size = min(1 << 26, n - first)
            out[first:first + size] = cp.sin((cp.arange(size, dtype=cp.float64) + first) * step)
        return out.reshape(shape)

    def row(name, make, **more):
        w.row(name, make, sync, **more)
        pool.free_all_blocks()

    types = {"f32": (cp.float32, 1 << 28), "f64": (cp.float64, 1 << 27), "f16": (cp.float16, 1 << 29)}

    def two(dtype, n):
        return waves((n,), 0.37, dtype), waves((n,), 0.11, dtype)

    def make_copy():
        a = waves((1 << 28,), 0.37, cp.float32)
        out = cp.empty_like(a)
        return lambda: cp.copyto(out, a)

    def make_sin(t):
        x, y = two(*types[t])
        return lambda: cp.sin(x) * y + x

    def make_sin_fused(t):
        x, y = two(*types[t])
        fused = fuse("sin_mul_add", lambda x, y: cp.sin(x) * y + x)
        return lambda: fused(x, y)

    def make_where(t):
        a, c = two(*types[t])
        return lambda: cp.where(a > 0.5, a, c)

    def make_where_fused(t):
        a, c = two(*types[t])
        fused = fuse("where_greater", lambda a, c: cp.where(a > 0.5, a, c))
        return lambda: fused(a, c)

    def make_scale(t):
        dtype, n = types[t]
        x = waves((n,), 0.37, dtype)
        turn = [(0.5, -0.5), (2.0, 1.0)]  # each call undoes the one before, so that the values stay finite

        def call():
            nonlocal x
            turn.reverse()
            scale, offset = turn[0]
            x *= scale
            x += offset

        return call

    for t in types:
        row("sin_" + t, lambda: make_sin(t))
        row("sin_" + t, lambda: make_sin_fused(t), column="cupy.fuse")
        row("where_" + t, lambda: make_where(t))
        row("where_" + t, lambda: make_where_fused(t), column="cupy.fuse")
        row("scale_" + t, lambda: make_scale(t))
    row("copy", make_copy)

    def make_complex():
        re, im = two(cp.float32, 1 << 27)
        a, b = (re + 1j * im).astype(cp.complex64), (im - 1j * re).astype(cp.complex64)
        return lambda: a * b

    row("mul_c64", make_complex)

    def with_vector(call):
        def make():
            a = waves((1 << 28,), 0.37, cp.float32)
            return lambda: call(a)
        return make

    def with_matrix(call, *more):
        def make():
            a = waves((16384, 16384), 0.37, cp.float32)
            rest = [waves(shape, 0.11, cp.float32) for shape in more]
            return lambda: call(a, *rest)
        return make

    def with_cube(axes):
        def make():
            a = waves((256, 1024, 1024), 0.37, cp.float32)
            return lambda: cp.ascontiguousarray(a.transpose(axes))
        return make

    def make_astype():
        a = waves((1 << 28,), 0.37, cp.float16)
        return lambda: a.astype(cp.float32)

    row("compare", with_vector(lambda a: a > 0.5))
    row("astype", make_astype)
    row("row_add", with_matrix(lambda a, v: a + v, (16384,)))
    row("column_add", with_matrix(lambda a, v: a + v, (16384, 1)))
    row("slice_2d", with_matrix(lambda a: a[:, ::2].copy()))
    row("slice_1d", with_vector(lambda a: a[::2].copy()))
    row("permute_201", with_cube((2, 0, 1)))
    row("permute_102", with_cube((1, 0, 2)))
    row("transpose", with_matrix(lambda a: cp.ascontiguousarray(a.T)))
    row("add_transpose", with_matrix(lambda a: a + a.T))

    rng = cp.random.default_rng(5)
    row("uniform", lambda: lambda: rng.random(1 << 28, dtype=cp.float32))
    row("uniform_ab", lambda: lambda: cp.random.uniform(-1, 3, 1 << 28, dtype=cp.float32))
    row("normal", lambda: lambda: rng.standard_normal(1 << 28, dtype=cp.float32))
    row("uniform_f64", lambda: lambda: rng.random(1 << 27))
    row("normal_f64", lambda: lambda: rng.standard_normal(1 << 27))
    row("integers", lambda: lambda: rng.integers(0, 10, 1 << 27))
    row("exponential", lambda: lambda: rng.standard_exponential(1 << 28, dtype=cp.float32))
    row("poisson", lambda: lambda: rng.poisson(100, 1 << 24))
    row("latency_uniform", lambda: lambda: rng.random(1024, dtype=cp.float32), least=2000)

    def small(call):
        def make():
            a, b = waves((1000,), 0.37, cp.float32), waves((1000,), 0.11, cp.float32) + 2
            return lambda: call(a, b)
        return make

    row("latency_add", small(lambda a, b: a + b), least=2000)
    row("latency_five", small(lambda a, b: (a + b) * a - b / (a + 3)), least=2000)
    add_reductions(row, waves, cp.dtype, cp.linalg)
    add_tutorials(row, cp, cp.asarray, cp.asnumpy)
    add_ffts(row, cp.asarray, cp.fft)
    add_sorts(row, cp.asarray, cp.sort, cp.argsort, None, cp.searchsorted)
    for dtype, shape in MATMULS:
        if dtype != "bfloat16":
            square = shape if len(shape) > 1 else shape * 2
            row(matmul_row(dtype, shape), lambda: (lambda a, b: lambda: cp.matmul(a, b))(
                waves(square, 0.37, dtype), waves(square, 0.11, dtype)))
    five = fuse("five_operators", lambda a, b: (a + b) * a - b / (a + 3))
    row("latency_five", small(five), column="cupy.fuse", least=2000)

    def make_to_device(pinned):
        host = cupyx.empty_pinned(1 << 26, np.float32) if pinned else np.empty(1 << 26, np.float32)
        host[:] = np.arange(1 << 26) % 65521
        return lambda: cp.asarray(host)

    def make_to_host(pinned):
        a = waves((1 << 26,), 0.37, cp.float32)
        host = cupyx.zeros_pinned(1 << 26, np.float32) if pinned else np.ones(1 << 26, np.float32)
        return lambda: a.get(out=host)

    row("to_device", lambda: make_to_device(False))
    row("to_device_pinned", lambda: make_to_device(True))
    row("to_host", lambda: make_to_host(False))
    row("to_host_pinned", lambda: make_to_host(True))


def first_calls(functions, arguments, sync):
    """The median time of each function's first call, ms."""
    times = []
    for function in functions:
        sync(None)
        start = time.perf_counter()
        sync(function(*arguments))
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def five_functions(m):
    return [
        lambda a, b: (a - b) * (a - b) / (1 + a * a) + 1,
        lambda a, b: b / (1 + m.exp(-a)),
        lambda a, b: m.sin(a) * b + a,
        lambda a, b: m.where(a > 0.5, a, b) * 3,
        lambda a, b: m.sqrt(a * a + b * b) - m.tanh(a),
    ]


def named_fuse(cp):
    """cupy.fuse for lambdas: the kernel is called as the function is, and '<lambda>' is no name in CUDA."""

    def fuse(name, function):
        function.__name__ = name
        return cp.fuse(function)

    return fuse


def worker_cupy_first(w, row):
    # Run twice with one CUPY_CACHE_DIR: the first time it is empty.
    import cupy as cp

    sync = lambda result: cp.cuda.get_current_stream().synchronize()
    a, b = cp.sin(cp.arange(1000000, dtype=cp.float32)), cp.cos(cp.arange(1000000, dtype=cp.float32))
    fuse = named_fuse(cp)
    sync(fuse("warm", lambda a, b: a + b)(a, b))
    try:
        functions = [fuse(f"first_{k}", f) for k, f in enumerate(five_functions(cp))]
        say(column="cupy.fuse", row=row, ms=first_calls(functions, (a, b), sync))
    except Exception as error:
        say(column="cupy.fuse", row=row, error=f"{type(error).__name__}: {error}".splitlines()[0][:200])


def worker_torch(w, with_compile=False):
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no CUDA device")
    say(info=f"PyTorch {torch.__version__} on {torch.cuda.get_device_name(0)}")
    torch.set_grad_enabled(False)
    cuda = torch.device("cuda", 0)
    sync = lambda result: torch.cuda.synchronize()

    def waves(shape, step, dtype):
        n = math.prod(shape)
        out = torch.empty(n, dtype=dtype, device=cuda)
        for first in range(0, n, 1 << 26):
            size = min(1 << 26, n - first)
            out[first:first + size] = torch.sin(
                (torch.arange(size, dtype=torch.float64, device=cuda) + first) * step)
        return out.reshape(shape)

    column = "torch.compile" if with_compile else "torch"
    transform = torch.compile if with_compile else (lambda f: f)

    def row(name, make, **more):
        w.row(name, make, sync, column=column, **more)
        torch.cuda.empty_cache()

    types = {"f32": (torch.float32, 1 << 28), "f64": (torch.float64, 1 << 27), "f16": (torch.float16, 1 << 29)}

    def two(dtype, n):
        return waves((n,), 0.37, dtype), waves((n,), 0.11, dtype)

    def make_sin(t):
        x, y = two(*types[t])
        f = transform(lambda x, y: torch.sin(x) * y + x)
        return lambda: f(x, y)

    def make_where(t):
        a, c = two(*types[t])
        f = transform(lambda a, c: torch.where(a > 0.5, a, c))
        return lambda: f(a, c)

    def make_scale(t):
        dtype, n = types[t]
        x = waves((n,), 0.37, dtype)

        def there(x):
            x.mul_(2.0).add_(1.0)

        def back(x):
            x.mul_(0.5).add_(-0.5)

        turn = [transform(there), transform(back)]  # each undoes the other: the values stay finite

        def call():
            turn[0](x)
            turn.reverse()

        return call

    for t in types:
        row("sin_" + t, lambda: make_sin(t))
        row("where_" + t, lambda: make_where(t))
        row("scale_" + t, lambda: make_scale(t))
    if with_compile:
        return

    def make_copy():
        a = waves((1 << 28,), 0.37, torch.float32)
        out = torch.empty_like(a)
        return lambda: out.copy_(a)

    def make_complex():
        re, im = two(torch.float32, 1 << 27)
        a, b = torch.complex(re, im), torch.complex(im, -re)
        return lambda: a * b

    def with_vector(call):
        def make():
            a = waves((1 << 28,), 0.37, torch.float32)
            return lambda: call(a)
        return make

    def with_matrix(call, *more):
        def make():
            a = waves((16384, 16384), 0.37, torch.float32)
            rest = [waves(shape, 0.11, torch.float32) for shape in more]
            return lambda: call(a, *rest)
        return make

    def with_cube(axes):
        def make():
            a = waves((256, 1024, 1024), 0.37, torch.float32)
            return lambda: a.permute(axes).contiguous()
        return make

    def make_astype():
        a = waves((1 << 28,), 0.37, torch.float16)
        return lambda: a.to(torch.float32)

    row("copy", make_copy)
    row("mul_c64", make_complex)
    row("compare", with_vector(lambda a: a > 0.5))
    row("astype", make_astype)
    row("row_add", with_matrix(lambda a, v: a + v, (16384,)))
    row("column_add", with_matrix(lambda a, v: a + v, (16384, 1)))
    row("slice_2d", with_matrix(lambda a: a[:, ::2].contiguous()))
    row("slice_1d", with_vector(lambda a: a[::2].contiguous()))
    row("permute_201", with_cube((2, 0, 1)))
    row("permute_102", with_cube((1, 0, 2)))
    row("transpose", with_matrix(lambda a: a.T.contiguous()))
    row("add_transpose", with_matrix(lambda a: a + a.T))

    def make_random(count, dtype, fill):
        return lambda: lambda: fill(torch.empty(count, dtype=dtype, device=cuda))

    row("uniform", make_random(1 << 28, torch.float32, lambda x: x.uniform_()))
    row("uniform_ab", make_random(1 << 28, torch.float32, lambda x: x.uniform_(-1, 3)))
    row("normal", make_random(1 << 28, torch.float32, lambda x: x.normal_()))
    row("uniform_f64", make_random(1 << 27, torch.float64, lambda x: x.uniform_()))
    row("normal_f64", make_random(1 << 27, torch.float64, lambda x: x.normal_()))
    row("integers", make_random(1 << 27, torch.int64, lambda x: x.random_(0, 10)))
    row("exponential", make_random(1 << 28, torch.float32, lambda x: x.exponential_()))
    row("poisson", lambda: lambda: torch.poisson(torch.full((1 << 24,), 100.0, device=cuda)))
    row("latency_uniform", make_random(1024, torch.float32, lambda x: x.uniform_()), least=2000)

    def small(call):
        def make():
            a, b = waves((1000,), 0.37, torch.float32), waves((1000,), 0.11, torch.float32) + 2
            return lambda: call(a, b)
        return make

    row("latency_add", small(lambda a, b: a + b), least=2000)
    row("latency_five", small(lambda a, b: (a + b) * a - b / (a + 3)), least=2000)

    if not with_compile:
        add_reductions(row, waves, lambda dtype: getattr(torch, dtype), torch.linalg)
        add_tutorials(row, torch, lambda host: torch.from_numpy(host).to(cuda), lambda x: x.cpu().numpy())
        add_ffts(row, lambda host: torch.from_numpy(host).to(cuda), torch.fft)
        add_sorts(row, lambda host: torch.from_numpy(host).to(cuda), lambda x, axis: torch.sort(x, axis).values,
                  torch.argsort, torch.topk, torch.searchsorted)
    torch.backends.cuda.matmul.allow_tf32 = False
    for dtype, shape in MATMULS if not with_compile else []:
        square = shape if len(shape) > 1 else shape * 2
        row(matmul_row(dtype, shape), lambda: (lambda a, b: lambda: torch.matmul(a, b))(
            waves(square, 0.37, getattr(torch, dtype)), waves(square, 0.11, getattr(torch, dtype))))

    def host(pinned):
        t = (torch.arange(1 << 26) % 65521).to(torch.float32)
        return t.pin_memory() if pinned else t

    def make_to_device(pinned):
        t = host(pinned)
        return lambda: t.to(cuda, non_blocking=pinned)

    def make_to_host(pinned):
        t, a = host(pinned), waves((1 << 26,), 0.37, torch.float32)
        return lambda: t.copy_(a, non_blocking=pinned)

    row("to_device", lambda: make_to_device(False))
    row("to_device_pinned", lambda: make_to_device(True))
    row("to_host", lambda: make_to_host(False))
    row("to_host_pinned", lambda: make_to_host(True))


def worker_jax(w):
    import jax
    import jax.numpy as jnp
    import numpy as np

    jax.config.update("jax_enable_x64", True)  # for the float64 rows; float32 arrays stay float32
    jax.config.update("jax_default_matmul_precision", "highest")  # float32, not TF32
    if jax.default_backend() != "gpu":
        raise RuntimeError(f"JAX runs on '{jax.default_backend()}' here, not on a GPU")
    say(info=f"JAX {jax.__version__} on {jax.devices()[0].device_kind}")
    sync = lambda result: jax.block_until_ready(result)  # one device, one stream: the last result is the end

    def waves(shape, step, dtype):
        n = math.prod(shape)
        # The step is an argument: XLA would try to fold an array made of constants alone.
        make = jax.jit(lambda step: jnp.sin(jnp.arange(n, dtype=jnp.float64) * step).astype(dtype).reshape(shape))
        return jax.block_until_ready(make(step))

    def row(name, make, **more):
        w.row(name, make, sync, **more)

    types = {"f32": (jnp.float32, 1 << 28), "f64": (jnp.float64, 1 << 27), "f16": (jnp.float16, 1 << 29)}

    def two(dtype, n):
        return waves((n,), 0.37, dtype), waves((n,), 0.11, dtype)

    def make_sin(t):
        x, y = two(*types[t])
        f = jax.jit(lambda x, y: jnp.sin(x) * y + x)
        return lambda: f(x, y)

    def make_where(t):
        a, c = two(*types[t])
        f = jax.jit(lambda a, c: jnp.where(a > 0.5, a, c))
        return lambda: f(a, c)

    def make_scale(t):
        dtype, n = types[t]
        x = waves((n,), 0.37, dtype)
        turn = [jax.jit(lambda x: x * 2.0 + 1.0, donate_argnums=0),  # each undoes the other
                jax.jit(lambda x: x * 0.5 - 0.5, donate_argnums=0)]

        def call():
            nonlocal x
            x = turn[0](x)
            turn.reverse()
            return x

        return call

    for t in types:
        row("sin_" + t, lambda: make_sin(t))
        row("where_" + t, lambda: make_where(t))
        row("scale_" + t, lambda: make_scale(t))

    def make_complex():
        re, im = two(jnp.float32, 1 << 27)
        a, b = jax.lax.complex(re, im), jax.lax.complex(im, -re)
        f = jax.jit(lambda a, b: a * b)
        return lambda: f(a, b)

    def with_array(function, dtype, *shapes):
        def make():
            arrays = [waves(shape, 0.37 if k == 0 else 0.11, dtype) for k, shape in enumerate(shapes)]
            f = jax.jit(function)
            return lambda: f(*arrays)
        return make

    vector, matrix, cube = (1 << 28,), (16384, 16384), (256, 1024, 1024)
    row("copy", with_array(lambda a: jnp.copy(a), jnp.float32, vector))
    row("mul_c64", make_complex)
    row("compare", with_array(lambda a: a > 0.5, jnp.float32, vector))
    row("astype", with_array(lambda a: a.astype(jnp.float32), jnp.float16, vector))
    row("row_add", with_array(lambda a, v: a + v, jnp.float32, matrix, (16384,)))
    row("column_add", with_array(lambda a, v: a + v, jnp.float32, matrix, (16384, 1)))
    row("slice_2d", with_array(lambda a: a[:, ::2], jnp.float32, matrix))
    row("slice_1d", with_array(lambda a: a[::2], jnp.float32, vector))
    row("permute_201", with_array(lambda a: a.transpose(2, 0, 1), jnp.float32, cube))
    row("permute_102", with_array(lambda a: a.transpose(1, 0, 2), jnp.float32, cube))
    row("transpose", with_array(lambda a: a.T, jnp.float32, matrix))
    row("add_transpose", with_array(lambda a: a + a.T, jnp.float32, matrix))

    def with_key(f):
        def make():
            key, jitted = jax.random.key(5), jax.jit(f)
            return lambda: jitted(key)

        return make

    row("uniform", with_key(lambda k: jax.random.uniform(k, (1 << 28,))))
    row("normal", with_key(lambda k: jax.random.normal(k, (1 << 28,))))

    def small(function):
        def make():
            a, b = waves((1000,), 0.37, jnp.float32), waves((1000,), 0.11, jnp.float32) + 2
            f = jax.jit(function)
            return lambda: f(a, b)
        return make

    add_reductions(row, waves, jnp.dtype, jnp.linalg, lambda f: jax.jit(f))
    add_tutorials(row, jnp, jnp.asarray, np.asarray, lambda f: jax.jit(f))
    add_ffts(row, jnp.asarray, jnp.fft, lambda f: jax.jit(f))
    add_sorts(row, jnp.asarray, jnp.sort, jnp.argsort, jax.lax.top_k, jnp.searchsorted, lambda f: jax.jit(f))
    for dtype, shape in MATMULS:
        square = shape if len(shape) > 1 else shape * 2
        row(matmul_row(dtype, shape), lambda: (lambda a, b, f: lambda: f(a, b))(
            waves(square, 0.37, jnp.dtype(dtype)), waves(square, 0.11, jnp.dtype(dtype)), jax.jit(jnp.matmul)))
    row("latency_add", small(lambda a, b: a + b), least=1000)
    row("latency_five", small(lambda a, b: (a + b) * a - b / (a + 3)), least=1000)

    def make_to_device():
        host = (np.arange(1 << 26) % 65521).astype(np.float32)
        return lambda: jax.device_put(host)

    row("to_device", make_to_device)
    try:
        times = []
        a = waves((1 << 26,), 0.37, jnp.float32)
        for k in range(3 if w.quick else 7):
            fresh = jax.block_until_ready(a + k)  # an array remembers its host copy
            start = time.perf_counter()
            np.asarray(fresh)
            times.append((time.perf_counter() - start) * 1e3)
        say(column="jax", row="to_host", ms=statistics.median(times))
        small_arrays = waves((1000, 1000), 0.37, jnp.float32), waves((1000, 1000), 0.11, jnp.float32)
        cold = first_calls([jax.jit(f) for f in five_functions(jnp)], small_arrays, sync)
        say(column="jax", row="first_cold", ms=cold)
    except Exception as error:
        say(column="jax", row="first_cold", error=f"{type(error).__name__}: {error}".splitlines()[0][:200])


WORKERS = {
    "numpy": worker_numpy,
    "torch": worker_torch,
    "cupy": worker_cupy,
    "jax": worker_jax,
    "torch.compile": lambda w: worker_torch(w, with_compile=True),
    "numpy.sums": worker_numpy_sums,
    "cupy.first_cold": lambda w: worker_cupy_first(w, "first_cold"),
    "cupy.first_warm": lambda w: worker_cupy_first(w, "first_warm"),
}


def run_worker(name, quick):
    try:
        WORKERS[name](Worker(name, quick))
    except Exception as error:
        say(peer=name, error=f"{type(error).__name__}: {error}".splitlines()[0][:300])


# --------------------------------------------------------------------------------------------- the whole run


class Run:
    def __init__(self, budget):
        self.end = time.monotonic() + budget
        self.times = {row[0]: {} for row in ROWS}  # row -> column -> ms
        self.notes = []
        self.info = []

    def left(self):
        return self.end - time.monotonic()

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def peer(self, name, quick, limit, environment=None):
        limit = min(limit, self.left() - 3)
        if limit < 5:
            self.note(f"{name}: not run, the time budget was spent")
            return
        command = [sys.executable, os.path.abspath(__file__), "--worker", name] + (["--quick"] if quick else [])
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=dict(os.environ, **(environment or {})))
        errors = []
        drain = threading.Thread(target=lambda: errors.extend(process.stderr.readlines()[-3:]), daemon=True)
        drain.start()
        killer = threading.Timer(limit, process.kill)
        killer.start()
        for line in process.stdout:
            if line.startswith("PEER "):
                self.take(json.loads(line[5:]), name)
        code = process.wait()
        timed_out = not killer.is_alive()
        killer.cancel()
        drain.join(2)
        if timed_out:
            self.note(f"{name}: stopped after {limit:.0f} s; the rows it had not reached are n/a")
        elif code != 0:
            self.note(f"{name}: ended with status {code}: {' '.join(errors).strip()[-300:]}")
        print(f"  {name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)

    def take(self, record, name):
        if "info" in record:
            if record["info"] not in self.info:
                self.info.append(record["info"])
        elif "row" not in record:
            self.note(f"{name}: {record['error']}")
        elif "ms" in record:
            self.keep_fastest(record["row"], record["column"], record["ms"])
        else:
            self.note(f"{record['column']}, {record['row']}: {record['error']}")

    def keep_fastest(self, row, column, ms):
        self.times[row][column] = min(ms, self.times[row].get(column, ms))

    def sums_in_turns(self, executable, quick):
        """What reads memory and does little else takes a fifth longer while other programs read it too, for seconds
        at a time: gnp and NumPy take turns, and the fastest of all calls counts."""
        for _ in range(3):
            for case, record in self.gnp(executable, quick, 30, "^cpu/(sum|norm)/").items():
                row = next((row[0] for row in ROWS if row[1] == case), None)
                if row and "fastest_ms" in record:
                    self.keep_fastest(row, "gnp", record["fastest_ms"])
            self.peer("numpy.sums", quick, 20)

    def gnp(self, executable, quick, limit, only=None):
        """gnp's own rows: case -> its JSON record."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "gnp.json")
            command = [executable, f"--benchmark_out={out}", "--benchmark_out_format=json"]
            command += [f"--benchmark_filter={only}"] if only else []
            try:
                done = subprocess.run(command + (["--quick"] if quick else []), stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, timeout=min(limit, self.left()))
                if done.returncode != 0:
                    self.note(f"gnp_benchmarks ended with status {done.returncode}: {done.stdout.strip()[-300:]}")
            except subprocess.TimeoutExpired:
                self.note(f"gnp_benchmarks: stopped after {limit:.0f} s")
            except OSError as error:
                self.note(f"gnp_benchmarks: {error}")
            return read_gnp(out, self.note)


def read_gnp(path, note):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            data = json.loads(text)
        except json.JSONDecodeError:  # cut short by the time limit: close the list where it ended
            data = json.loads(text[:text.rindex("}") + 1] + "]}")
    except (OSError, ValueError) as error:
        note(f"gnp_benchmarks wrote no results: {error}")
        return {}
    to_ms = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
    records = {}
    for record in data.get("benchmarks", []):
        if record.get("run_type") == "aggregate":
            continue
        name = re.sub(r"/(iterations:\d+|manual_time|real_time|repeats:\d+)", "", record["name"])
        if not record.get("error_occurred") and "real_time" in record:
            record["ms"] = record["real_time"] * to_ms[record["time_unit"]]
        records[name] = record
    return records


def verdict(row, bar, limit, record, run):
    """(what the bar says, 'pass' | 'FAIL' | '' where there is no bar, or nothing to hold it against)."""
    times = run.times[row]
    ms = times.get("gnp")
    if bar is None:
        return "", ""
    if bar == "right":
        text = "right"
    elif bar == "of_copy":
        text = f">= {limit:.2f} of copy"
    elif bar == "of_cublas":
        text = f">= {limit:.2f} of cuBLAS"
    elif bar == "of_cufft":
        text = f"<= {limit:.2f} x cuFFT"
    elif bar == "of_curand":
        text = f"<= {limit:.2f} x cuRAND"
    elif bar == "of_torch_add":
        text = f"<= {limit:.2f} x torch a+b"
    elif bar == "ms":
        text = f"<= {limit:g} ms"
    elif bar == "of_torch_sum":
        text = f"<= {limit:.2f} x torch sum"
    elif bar == "no_slower_than_peers":
        text = "<= best peer" if limit is None else f"<= {limit:.2f} x best peer"
    elif bar == "no_slower":
        text = "<= NumPy, Eigen"
    else:
        text = "< 1 thread"
    if ms is None:
        skipped = record is None or record.get("error_message", "").startswith("skipped")
        return text, "" if skipped else "FAIL"
    if bar == "right":
        return text, "pass"
    if bar == "of_copy":
        return text, "pass" if record["of_copy"] >= limit else "FAIL"
    if bar == "of_cublas":
        return text, "pass" if record["of_cublas"] >= limit else "FAIL"
    if bar == "of_cufft":
        return text, "" if "of_cufft" not in record else "pass" if record["of_cufft"] <= limit else "FAIL"
    if bar == "of_curand":
        return text, "" if "of_curand" not in record else "pass" if record["of_curand"] <= limit else "FAIL"
    if bar == "no_slower_than_peers":
        peers = [times[c] for c in ("cupy", "torch", "jax") if c in times]
        return text, "" if not peers else "pass" if ms <= min(peers) * (limit or 1 + CPU_NOISE) else "FAIL"
    if bar == "of_torch_sum":
        return text, "" if "torch" not in times else "pass" if ms <= limit * times["torch"] else "FAIL"
    if bar == "of_torch_add":
        torch = run.times["latency_add"].get("torch")
        return text, "" if torch is None else "pass" if ms <= limit * torch else "FAIL"
    if bar == "ms":
        return text, "pass" if ms <= limit else "FAIL"
    if bar == "no_slower":
        rivals = [times[c] for c in ("numpy", "eigen") if c in times]
        return text, "" if not rivals else "pass" if ms <= min(rivals) * (1 + CPU_NOISE) else "FAIL"
    one_thread = run.times[limit].get("gnp")
    return text, "" if one_thread is None else "pass" if ms < one_thread else "FAIL"


def number(ms, row):
    if ms is None:
        return ""
    if row.startswith("latency") or ms < 0.1:
        return f"{ms * 1e3:.2f} µs"
    return f"{ms:.3f}" if ms < 10 else f"{ms:.2f}" if ms < 100 else f"{ms:.0f}"


def rate(row, record):
    """gnp's fraction of the copy bandwidth; for transfers GB/s."""
    if record is None or "ms" not in record:
        return ""
    if "of_copy" in record:
        return f"{record['of_copy']:.3f}"
    return f"{record['GB_per_s']:.1f} GB/s" if "GB_per_s" in record else ""


def table(run, records):
    used = [c for c in COLUMNS if any(c in times for times in run.times.values())]
    head = ["row (ms)", "gnp"] + [TITLES[c] for c in used] + ["best/gnp", "of copy", "bar", ""]
    lines, result, failed = [head], [], 0
    for row, case, bar, limit, words in ROWS:
        record = records.get(case)
        times = run.times[row]
        # NumPy works on the CPU: on a GPU row it is a number to look at, no rival.
        rivals = [c for c in used if c in times and (row.startswith("cpu") or c not in ("numpy", "eigen"))]
        best = min(rivals, key=lambda c: times[c]) if rivals else None
        ratio = times[best] / times["gnp"] if best and "gnp" in times else None
        text, outcome = verdict(row, bar, limit, record, run)
        failed += outcome == "FAIL"
        if record is None:
            run.note(f"gnp, {row}: the case {case} did not run")
        elif "ms" not in record:
            run.note(f"gnp, {row}: {record.get('error_message', 'no time')}")
        cells = [words, number(times.get("gnp"), row) or "n/a"]
        cells += [number(times.get(c), row) or ("-" if (row, c) not in EXPECTED else "n/a") for c in used]
        cells += [f"{ratio:.2f}x" if ratio else "", rate(row, record), text, outcome]
        lines.append(cells)
        result.append({"row": row, "case": case, "words": words, "ms": dict(times), "best_peer": best,
                       "best_over_gnp": ratio, "of_copy": (record or {}).get("of_copy"),
                       "GB_per_s": (record or {}).get("GB_per_s"), "bar": text, "outcome": outcome,
                       "error": (record or {}).get("error_message")})
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    for k, line in enumerate(lines):
        last = len(line) - 2
        print("  ".join(cell.ljust(width) if j == 0 or j >= last else cell.rjust(width)
                        for j, (cell, width) in enumerate(zip(line, widths))).rstrip())
        if k == 0:
            print("-" * (sum(widths) + 2 * (len(widths) - 1)))
    return result, failed


def expected_cells():
    """The cells that a peer has a case for: empty, they are 'n/a'; all others are '-'."""
    elementwise = [f"{op}_{t}" for op in ("sin", "where", "scale") for t in ("f32", "f64", "f16")]
    arrays = ["copy", "mul_c64", "compare", "astype", "row_add", "column_add", "slice_2d", "slice_1d", "permute_201",
              "permute_102", "transpose", "add_transpose", "latency_add", "latency_five", "to_device", "to_host"]
    pinned = ["to_device_pinned", "to_host_pinned"]
    arrays += [matmul_row(*m) for m in MATMULS] + [r[0] for r in REDUCTIONS] + ["latency_sum"]
    arrays += [f"tutorial/{name}{end}" for name, *_ in TUTORIALS for end in ("", "/transfers")]
    cells = {(row, peer) for row in elementwise + arrays for peer in ("cupy", "torch", "jax")}
    cells -= {(matmul_row(*m), "cupy") for m in MATMULS if m[0] == "bfloat16"}
    random = ["uniform", "uniform_ab", "normal", "uniform_f64", "normal_f64", "integers", "exponential", "poisson",
              "latency_uniform"]
    cells |= {(row, peer) for row in pinned + random for peer in ("cupy", "torch")}
    cells |= {("uniform", "jax"), ("normal", "jax")}
    cells |= {(row, "torch.compile") for row in elementwise}
    cells |= {(row, "cupy.fuse") for row in elementwise if not row.startswith("scale")}
    cells |= {("latency_five", "cupy.fuse"), ("first_cold", "cupy.fuse"), ("first_warm", "cupy.fuse"),
              ("first_cold", "jax"), ("latency_add", "numpy"), ("latency_five", "numpy")}
    cells |= {(row, column) for row in EIGEN_CASES for column in ("numpy", "eigen")}
    cells |= {(f"cpu_{name}{end}", "eigen") for name in CPU_LINALG for end in ("", "_2") if not end or shared_on_cpu(name)}
    cells |= {(f"cpu_{name}", "numpy") for name in CPU_SUMS}
    return cells


EXPECTED = expected_cells()


def find_executable():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = glob.glob(os.path.join(root, "build*", "**", "gnp_benchmarks"), recursive=True)
    return max(found, key=os.path.getmtime) if found else None


def gpu_name():
    try:
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        answer = subprocess.run(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=20)
        return answer.stdout.splitlines()[0].strip() if answer.returncode == 0 and answer.stdout else None
    except (OSError, subprocess.TimeoutExpired):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gnp", help="the gnp_benchmarks executable (default: the newest under build*/)")
    parser.add_argument("--peers", default="torch,cupy,jax,numpy", help="which to run, of torch,cupy,jax,numpy")
    parser.add_argument("--compile", action="store_true", help="the elementwise rows with torch.compile too (slow)")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--json", help="write everything here too")
    parser.add_argument("--budget", type=float, default=225, help="seconds for the whole run")
    parser.add_argument("--worker", choices=sorted(WORKERS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        run_worker(options.worker, options.quick)
        return 0

    executable = options.gnp or find_executable()
    if executable is None:
        parser.error("no gnp_benchmarks under build*/; name it with --gnp")
    peers = [peer for peer in options.peers.split(",") if peer]
    for peer in peers:
        if peer not in ("torch", "cupy", "jax", "numpy"):
            parser.error(f"no peer called {peer}")

    run = Run(options.budget)
    gpu = gpu_name()
    started = time.monotonic()
    records = run.gnp(executable, options.quick, limit=options.budget * 0.49)
    print(f"  gnp: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    for column, cases in (("gnp", {row[0]: row[1] for row in ROWS}), ("eigen", EIGEN_CASES)):
        for row, case in cases.items():
            record = records.get(case, {})
            if "ms" in record:
                # On the CPU the fastest of the calls, for every library: other programs only ever add time.
                run.times[row][column] = record.get("fastest_ms", record["ms"])
            if "eigen_ms" in record:
                run.times[row]["eigen"] = record["eigen_ms"]

    # NumPy first: the CPU rows' rivals should meet the machine in the state that gnp left it in.
    if "numpy" in peers:
        run.peer("numpy", options.quick, 40)
        run.sums_in_turns(executable, options.quick)
    has_gpu = gpu is not None or "ms" in records.get("copy/gnp", {})
    for peer in ("torch", "cupy", "jax"):
        if peer not in peers:
            continue
        if not has_gpu:
            run.note(f"{peer}: not run, no CUDA device")
            continue
        run.peer(peer, options.quick, options.budget * 0.31, {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"})
        if peer == "cupy":
            with tempfile.TemporaryDirectory() as folder:
                caches = {"CUPY_CACHE_DIR": os.path.join(folder, "cupy"), "CUDA_CACHE_PATH": os.path.join(folder, "nv")}
                run.peer("cupy.first_cold", options.quick, 30, caches)
                run.peer("cupy.first_warm", options.quick, 30, caches)
    if options.compile and has_gpu:
        run.peer("torch.compile", options.quick, 90)

    copies = [records[c]["GB_per_s"] for c in ("copy/driver", "copy/gnp") if "GB_per_s" in records.get(c, {})]
    print(f"{gpu or 'no CUDA device'}; {'; '.join(run.info) or 'no peers'}")
    if copies:
        print(f"the copy bandwidth of this run: {max(copies):.0f} GB/s, read and written")
    print()
    rows, failed = table(run, records)
    if run.notes:
        print("\nn/a, and why:")
        for note in run.notes:
            print("  " + note)
    passed = sum(row["outcome"] == "pass" for row in rows)
    print(f"\n{passed} bars passed, {failed} failed, {sum(bool(r[2]) for r in ROWS) - passed - failed} not measured; "
          f"{time.monotonic() - started:.0f} s")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"gpu": gpu, "info": run.info, "copy_GB_per_s": max(copies) if copies else None, "rows": rows,
                       "notes": run.notes, "gnp": records}, file, indent=1)
    return 1 if failed or not records else 0


if __name__ == "__main__":
    sys.exit(main())
