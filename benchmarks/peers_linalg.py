#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The factorisations of linalg_bench.cpp in PyTorch, CuPy or JAX: milliseconds per call.

    python3 benchmarks/peers_linalg.py torch|cupy|jax [SECONDS]

One peer a process, so that memory pools and imports stay apart. SECONDS ends the run early.
"""

import statistics
import sys
import time

import numpy as np

peer = sys.argv[1]
limit = float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
began = time.time()

compiled = lambda function: function
if peer == "torch":
    import torch

    linalg = torch.linalg
    on_gpu = lambda a: torch.from_numpy(a).cuda()
    wait = lambda result: torch.cuda.synchronize()
elif peer == "cupy":
    import cupy

    linalg = cupy.linalg
    on_gpu = cupy.asarray
    wait = lambda result: cupy.cuda.Device().synchronize()
else:
    import jax

    jax.config.update("jax_enable_x64", True)
    linalg = jax.numpy.linalg
    on_gpu = jax.numpy.asarray
    wait = jax.block_until_ready
    compiled = jax.jit


def row(name, function, *arguments):
    """The median of single calls, each ended by a synchronisation, as linalg_bench.cpp takes it."""
    if time.time() - began > limit:
        return
    try:
        call = compiled(function)
        wait(call(*arguments))
        times = []
        while sum(times) < 0.1 and len(times) < 15:
            start = time.perf_counter()
            wait(call(*arguments))
            times.append(time.perf_counter() - start)
        print(f"{peer} {name} {statistics.median(times) * 1e3:.3f}", flush=True)
    except Exception as error:  # a peer's failure is a fact for the table
        print(f"{peer} {name} n/a {type(error).__name__}: {str(error).splitlines()[0][:100]}", flush=True)


random = np.random.default_rng(0)
for dtype in ("float32", "float64"):
    noise = lambda *shape: random.uniform(-1, 1, shape).astype(dtype)
    svd = lambda a: linalg.svd(a, full_matrices=False)
    for n in (64, 256, 512, 1024, 2048, 4096):
        row(f"svd/{dtype}/{n}", svd, on_gpu(noise(n, n)))
    for m in (4096, 100000):
        row(f"svd/{dtype}/{m}x64", svd, on_gpu(noise(m, 64)))
    row(f"svd/{dtype}/1000x32x32", svd, on_gpu(noise(1000, 32, 32)))
    for stack, n in ((), 64), ((), 256), ((), 1024), ((), 2048), ((1000,), 32), ((500,), 100):
        a = noise(*stack, n, n)
        symmetric = a + np.swapaxes(a, -1, -2)
        positive = on_gpu(symmetric + 2 * n * np.eye(n, dtype=dtype))
        symmetric, a, b = on_gpu(symmetric), on_gpu(a), on_gpu(noise(*stack, n, 1))
        size = "x".join(map(str, (*stack, n)))
        row(f"cholesky/{dtype}/{size}", linalg.cholesky, positive)
        row(f"solve/{dtype}/{size}", linalg.solve, a, b)
        row(f"inv/{dtype}/{size}", linalg.inv, a)
        row(f"qr/{dtype}/{size}", linalg.qr, a)
        row(f"eigh/{dtype}/{size}", linalg.eigh, symmetric)
        row(f"det/{dtype}/{size}", linalg.det, a)
        if not stack and n <= 1024:
            row(f"eig/{dtype}/{size}", linalg.eig, a)
