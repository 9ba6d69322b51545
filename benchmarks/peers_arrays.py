#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Indexing, joining, sorting, statistics and FFTs on one GPU: gnp beside CuPy, PyTorch and JAX.

Each library runs in a process of its own, on the same numbers; the means of the results are compared before the
times are. Times are of back-to-back calls, from Python where the library is called from Python.

  peers_arrays.py --only 'sort|mask' --peers cupy,torch
"""
import argparse
import math
import os
import subprocess
import sys

from peers_rows import built, inputs, measure

# What gnp's time over the best peer's must not exceed; rows of the copy bandwidth have their own bar.
BARS = {"mask": 0.45, "nonzero": 0.7, "mask_assign": 0.7, "take": 0.95, "take_fused": 0.95, "take_along_axis": 0.95,
        "fft_2^24": 1.02, "fft_1000x4096": 1.02, "fft_256^3": 1.02, "fft_prime": 1.02, "rfft_2^26": 1.02,
        "small": 0.7}
BANDWIDTH = {"concatenate_2", "concatenate_64", "stack", "tile", "repeat", "roll", "tril"}
OF_COPY = {"tile": 17 / 32, "repeat": 17 / 32}  # of the bytes that the copy moves


def numpy_like(xp):
    """The rows in NumPy's names, as CuPy and JAX have them."""
    _, numbers, places, keys = inputs(xp)
    many, mega, half = 1 << 26, 1 << 20, 1 << 27
    rows = {}

    def row(name, call, *data):
        def make():
            made = [d() for d in data]
            return lambda: call(*made)
        rows[name] = make

    row("mask", lambda x: x[x > 0.5], lambda: numbers(many))
    row("nonzero", lambda x: xp.flatnonzero(x > 0.5), lambda: numbers(many))
    row("take", lambda x, i: xp.take(x, i), lambda: numbers(many), lambda: places(many, many))
    row("take_fused", lambda x, i: x[i] * 2 + 1, lambda: numbers(many), lambda: places(many, many))
    row("take_along_axis", lambda x, i: xp.take_along_axis(x, i, 1), lambda: numbers(8192, 8192),
          lambda: places(8192, 8192, 8192))
    row("copy", lambda x: x.copy(), lambda: numbers(2 * half))
    row("concatenate_2", lambda a, b: xp.concatenate([a, b]), lambda: numbers(half), lambda: numbers(half))
    row("concatenate_64", lambda parts: xp.concatenate(parts),
          lambda: [numbers(2 * half // 64) for _ in range(64)])
    row("stack", lambda a, b: xp.stack([a, b], axis=1), lambda: numbers(half), lambda: numbers(half))
    row("tile", lambda a: xp.tile(a, 16), lambda: numbers(half // 8))
    row("repeat", lambda a: xp.repeat(a, 16), lambda: numbers(half // 8))
    row("roll", lambda a: xp.roll(a, 12345), lambda: numbers(2 * half))
    row("tril", lambda a: xp.tril(a), lambda: numbers(16384, 16384))
    for dtype in ("float32", "int32", "int64", "float64", "float16"):
        row(f"sort_{dtype}", xp.sort, lambda dtype=dtype: keys(dtype, many))
        row(f"argsort_{dtype}", xp.argsort, lambda dtype=dtype: keys(dtype, many))
    row("sort_rows_64", lambda x: xp.sort(x, axis=1), lambda: numbers(mega, 64))
    row("sort_rows_1024", lambda x: xp.sort(x, axis=1), lambda: numbers(mega // 16, 1024))
    row("sort_rows_65536", lambda x: xp.sort(x, axis=1), lambda: numbers(1024, 65536))
    row("sort_columns", lambda x: xp.sort(x, axis=0), lambda: numbers(1024, 65536))
    row("median_rows", lambda x: xp.median(x, axis=1), lambda: numbers(65536, 1024))
    row("unique_1000", xp.unique, lambda: places(1000, many).astype(xp.int32))
    row("unique_10m", xp.unique, lambda: places(10000000, many).astype(xp.int32))
    row("searchsorted", xp.searchsorted, lambda: xp.sort(numbers(mega)), lambda: numbers(16 * mega))
    for bins in (10, 1000, 1000000):
        row(f"bincount_{bins}", xp.bincount, lambda bins=bins: places(bins, many).astype(xp.int32))
    row("histogram", lambda x: xp.histogram(x, 100), lambda: numbers(many))

    def waves(*shape):
        return (numbers(*shape) - xp.float32(0.5)).astype(xp.complex64) * xp.complex64(1 + 0.5j)
    row("fft_2^24", lambda x: xp.fft.fft(x).real, lambda: waves(16 * mega))
    row("fft_1000x4096", lambda x: xp.fft.fft(x).real, lambda: waves(1000, 4096))
    row("fft_256^3", lambda x: xp.fft.fftn(x).real, lambda: waves(256, 256, 256))
    row("fft_prime", lambda x: xp.fft.fft(x).real, lambda: waves(1000003))
    row("rfft_2^26", lambda x: xp.fft.rfft(x).real, lambda: numbers(many))
    row("small_mask", lambda x: x[x > 0.5], lambda: numbers(1000))
    row("small_take", lambda x, i: xp.take(x, i), lambda: numbers(1000), lambda: places(1000, 1000))
    row("small_sort", xp.sort, lambda: numbers(1000))
    row("small_concatenate", lambda a, b: xp.concatenate([a, b]), lambda: numbers(1000), lambda: numbers(1000))
    row("small_unique", xp.unique, lambda: places(100, 1000).astype(xp.int32))
    row("small_bincount", xp.bincount, lambda: places(100, 1000).astype(xp.int32))
    return rows


def worker_cupy(only):
    import cupy as cp
    rows = numpy_like(cp)
    _, numbers, _, _ = inputs(cp)

    def mask_assign():
        x, m = numbers(1 << 26), numbers(1 << 26) > 0.5

        def call():
            x[m] = 0.25
            return x
        return call
    rows["mask_assign"] = mask_assign
    measure(rows, only, lambda _: cp.cuda.Device().synchronize())


def worker_jax(only):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    rows = numpy_like(jnp)

    def waited_for(make):
        def made():
            call = make()
            return lambda: jax.block_until_ready(call())
        return made
    measure({name: waited_for(make) for name, make in rows.items()}, only, lambda _: None)


def worker_torch(only):
    import torch
    import cupy as cp  # makes the inputs
    _, numbers, places, keys = inputs(cp)

    def there(x):
        return torch.from_dlpack(x)
    many, mega, half = 1 << 26, 1 << 20, 1 << 27
    rows = {}

    def row(name, call, *data):
        def make():
            made = [there(d()) if not isinstance(d, list) else [there(x()) for x in d] for d in data]
            cp.get_default_memory_pool().free_all_blocks()
            return lambda: call(*made)
        rows[name] = make

    def assign(x, m):
        x[m] = 0.25
        return x
    row("mask", lambda x: x[x > 0.5], lambda: numbers(many))
    row("nonzero", lambda x: torch.nonzero(x > 0.5), lambda: numbers(many))
    row("mask_assign", assign, lambda: numbers(many), lambda: numbers(many) > 0.5)
    row("take", torch.take, lambda: numbers(many), lambda: places(many, many))
    row("take_fused", lambda x, i: x[i] * 2 + 1, lambda: numbers(many), lambda: places(many, many))
    row("take_along_axis", lambda x, i: torch.take_along_dim(x, i, 1), lambda: numbers(8192, 8192),
        lambda: places(8192, 8192, 8192))
    row("copy", lambda x: x.clone(), lambda: numbers(2 * half))
    row("concatenate_2", lambda a, b: torch.cat([a, b]), lambda: numbers(half), lambda: numbers(half))
    row("concatenate_64", torch.cat, [lambda: numbers(2 * half // 64)] * 64)
    row("stack", lambda a, b: torch.stack([a, b], 1), lambda: numbers(half), lambda: numbers(half))
    row("tile", lambda a: torch.tile(a, (16,)), lambda: numbers(half // 8))
    row("repeat", lambda a: torch.repeat_interleave(a, 16), lambda: numbers(half // 8))
    row("roll", lambda a: torch.roll(a, 12345), lambda: numbers(2 * half))
    row("tril", torch.tril, lambda: numbers(16384, 16384))
    for dtype in ("float32", "int32", "int64", "float64", "float16"):
        row(f"sort_{dtype}", lambda x: torch.sort(x)[0], lambda dtype=dtype: keys(dtype, many))
        row(f"argsort_{dtype}", lambda x: torch.argsort(x, stable=True), lambda dtype=dtype: keys(dtype, many))
    row("sort_rows_64", lambda x: torch.sort(x, 1)[0], lambda: numbers(mega, 64))
    row("sort_rows_1024", lambda x: torch.sort(x, 1)[0], lambda: numbers(mega // 16, 1024))
    row("sort_rows_65536", lambda x: torch.sort(x, 1)[0], lambda: numbers(1024, 65536))
    row("sort_columns", lambda x: torch.sort(x, 0)[0], lambda: numbers(1024, 65536))
    row("top_10", lambda x: torch.topk(x, 10)[0], lambda: numbers(many))
    row("top_10_rows", lambda x: torch.topk(x, 10, 1)[0], lambda: numbers(65536, 1024))
    row("median_rows", lambda x: torch.quantile(x[:, :], 0.5, dim=1) if x.numel() <= 16000000 else torch.median(x, 1)[0],
        lambda: numbers(65536, 1024))
    row("unique_1000", torch.unique, lambda: places(1000, many).astype(cp.int32))
    row("unique_10m", torch.unique, lambda: places(10000000, many).astype(cp.int32))
    row("searchsorted", torch.searchsorted, lambda: cp.sort(numbers(mega)), lambda: numbers(16 * mega))
    for bins in (10, 1000, 1000000):
        row(f"bincount_{bins}", torch.bincount, lambda bins=bins: places(bins, many).astype(cp.int32))
    row("histogram", lambda x: torch.histc(x, 100, 0, 1), lambda: numbers(many))

    def waves(*shape):
        return (numbers(*shape) - cp.float32(0.5)).astype(cp.complex64) * cp.complex64(1 + 0.5j)
    row("fft_2^24", lambda x: torch.fft.fft(x).real, lambda: waves(16 * mega))
    row("fft_1000x4096", lambda x: torch.fft.fft(x).real, lambda: waves(1000, 4096))
    row("fft_256^3", lambda x: torch.fft.fftn(x).real, lambda: waves(256, 256, 256))
    row("fft_prime", lambda x: torch.fft.fft(x).real, lambda: waves(1000003))
    row("rfft_2^26", lambda x: torch.fft.rfft(x).real, lambda: numbers(many))
    row("small_mask", lambda x: x[x > 0.5], lambda: numbers(1000))
    row("small_take", torch.take, lambda: numbers(1000), lambda: places(1000, 1000))
    row("small_sort", lambda x: torch.sort(x)[0], lambda: numbers(1000))
    row("small_concatenate", lambda a, b: torch.cat([a, b]), lambda: numbers(1000), lambda: numbers(1000))
    row("small_unique", torch.unique, lambda: places(100, 1000).astype(cp.int32))
    row("small_bincount", torch.bincount, lambda: places(100, 1000).astype(cp.int32))

    def as_array(make):
        def made():
            call = make()

            class result:
                def __init__(self, tensor):
                    self.tensor = tensor[0] if isinstance(tensor, (tuple, list)) else tensor
                    self.size = self.tensor.numel()

                def astype(self, _):
                    return self.tensor.to(torch.float64)
            first = [True]

            def once():
                answer = call()
                if first[0]:
                    first[0] = False
                    return result(answer)
                return answer
            return once
        return made
    measure({name: as_array(make) for name, make in rows.items()}, only, lambda _: torch.cuda.synchronize())


def main():
    workers = {"cupy": worker_cupy, "torch": worker_torch, "jax": worker_jax}
    if len(sys.argv) == 4 and sys.argv[1] == "worker":
        return workers[sys.argv[2]](sys.argv[3])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=".")
    parser.add_argument("--peers", default="cupy,torch,jax")
    parser.add_argument("--budget", type=float, default=600, help="seconds for each library")
    parser.add_argument("--program", help="array_rows, if it has been built")
    arguments = parser.parse_args()
    program = arguments.program or built("array_rows")
    peers = [p for p in arguments.peers.split(",") if p]
    found = {}
    for who in ["gnp", *peers]:
        command = [program, arguments.only] if who == "gnp" else [sys.executable, __file__, "worker", who, arguments.only]
        try:
            text = subprocess.run(command, capture_output=True, text=True, timeout=arguments.budget).stdout
        except subprocess.TimeoutExpired as late:
            text = (late.stdout or b"").decode()
        found[who] = {}
        for line in text.splitlines():
            if line.startswith("#"):
                print(who, line)
                continue
            name, milliseconds, total = line.split()[:3]
            found[who][name] = (float(milliseconds), float(total))
    print(f"{'row':18}", *[f"{who:>10}" for who in found], f"{'to best':>8} {'bar':>5}")
    copy = found["gnp"].get("copy", (math.nan, 0))[0]
    failed = 0
    for name, (mine, total) in found["gnp"].items():
        theirs = [found[p][name] for p in peers if name in found[p]]
        best = min((t[0] for t in theirs), default=math.nan)
        bar, ratio = BARS.get(name, BARS["small"] if name.startswith("small") else 0.8), mine / best
        if name in BANDWIDTH:  # of the copy bandwidth
            bar, ratio = 1 / 0.92, mine / (copy * OF_COPY.get(name, 1.0))
        agrees = all(math.isclose(total, t[1], rel_tol=1e-3, abs_tol=1e-2) for t in theirs)
        good = ratio <= bar or name == "copy" or not theirs
        failed += not good
        print(f"{name:18}", *[f"{found[w][name][0]:10.4f}" if name in found[w] else f"{'-':>10}" for w in found],
              f"{ratio:8.2f} {bar:5.2f}{'' if good else '  above'}{'' if agrees else '  ANSWERS DIFFER'}")
    print(f"{len(found['gnp'])} rows, {failed} above their bar")


main()
