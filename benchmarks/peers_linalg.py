#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The factorisations of linalg_bench.cpp beside PyTorch, CuPy and JAX, on one machine in one run.

    python3 benchmarks/peers_linalg.py [--gnp EXECUTABLE] [--only REGEX] [--seconds ALL] [--json FILE]

Milliseconds per call, each ended by a synchronisation; a row whose answer is wrong has no time. Each library has a
process of its own, so that memory pools and imports stay apart, and the processes take turns: what else a machine does
makes a host a third slower for seconds at a time, and one of its processors slower than another. In each turn the
libraries work on the same processor, one after the other, and the median of a library's turns counts. Status 1 where a
bar was missed.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time

PEERS = ("torch", "cupy", "jax")
TURNS = 15
ENOUGH = 6.0  # seconds for all turns of a row, if there were three


def row_names():
    for dtype in ("float32", "float64"):
        for size in ("64", "256", "1024", "2048", "1000x32", "500x100"):
            for function in ("cholesky", "solve", "inv", "qr", "eigh", "det"):
                yield f"{function}/{dtype}/{size}"
            if "x" not in size:
                yield f"lstsq/{dtype}/{size}"
            if size in ("64", "256", "1024"):
                yield f"eig/{dtype}/{size}"
        for size in ("64", "256", "512", "1024", "2048", "4096", "4096x64", "100000x64", "1000x32x32"):
            yield f"svd/{dtype}/{size}"


def run_worker(peer):
    """For each name read, `name milliseconds` of its row, or `name n/a why`, as linalg_turns() of linalg_bench.cpp."""
    import numpy as np

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

    def noise(dtype, *shape):
        """The numbers of noise.hpp: how long an eig takes depends on the matrix."""
        state = np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        bits = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
        return ((bits >> np.uint64(11)) / 2.0**52 - 1).astype(dtype).reshape(shape)

    def call_of(name):
        function, dtype, size = name.split("/")
        *stack, n = map(int, size.split("x"))
        if function == "svd":
            svd = compiled(lambda a: linalg.svd(a, full_matrices=False))
            a = on_gpu(noise(dtype, *(stack or [n]), n))
            return lambda: svd(a)
        call = compiled(getattr(linalg, function))
        a = noise(dtype, *stack, n, n)
        if function in ("cholesky", "eigh"):
            a = a + np.swapaxes(a, -1, -2)
        if function == "cholesky":
            a = a + 2 * n * np.eye(n, dtype=dtype)
        a = on_gpu(a)
        if function in ("solve", "lstsq"):
            b = on_gpu(noise(dtype, *stack, n, 1))
            return lambda: call(a, b)
        return lambda: call(a)

    def seconds_of(call):
        start = time.perf_counter()
        wait(call())
        return time.perf_counter() - start

    known = None
    for line in sys.stdin:
        name = line.strip()
        try:
            if name != known:
                call = None  # and the memory of the row before
                call, known = call_of(name), name
                seconds_of(call)
            times = []
            if seconds_of(call) < 0.02:  # the GPU has just worked for another process
                while len(times) < 10 and sum(times) < 0.005:
                    times.append(seconds_of(call))
            else:
                times.append(seconds_of(call))
            print(name, f"{statistics.median(times) * 1e3:.4f}", flush=True)
        except Exception as error:  # a peer's failure is a fact for the table
            known = None
            print(name, "n/a", f"{type(error).__name__}: {str(error).splitlines()[0][:100]}", flush=True)


class Library:
    """A process that makes calls when its turn comes."""

    def __init__(self, command, environment):
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process = subprocess.Popen(command, **pipes, text=True, bufsize=1, env=environment)
        self.rows = {}

    def turn(self, name, processors):
        """Milliseconds of this turn; or why there are none."""
        try:
            os.sched_setaffinity(self.process.pid, processors)
            self.process.stdin.write(name + "\n")
            line = self.process.stdout.readline().rstrip("\n")
        except OSError:
            line = ""
        _, value, *why = line.split(" ") if line else (name, "n/a", "stopped")
        return float(value) if value != "n/a" else " ".join(why)


def take_turns(libraries, name):
    all_processors = os.sched_getaffinity(0)
    # The first makes what the libraries keep, threads among it, which may run anywhere.
    outcome = {library: library.turn(name, all_processors) for library in libraries}
    times = {library: [] for library in libraries if isinstance(outcome[library], float)}
    began = time.monotonic()
    for turn in range(TURNS):
        if turn >= 3 and time.monotonic() - began > ENOUGH:
            break
        processor = {sorted(all_processors)[turn % len(all_processors)]}
        for library in list(times):
            time.sleep(0.005)  # the threads of the one before have stopped waiting for work
            outcome[library] = library.turn(name, processor)
            if isinstance(outcome[library], float):
                times[library].append(outcome[library])
            else:
                del times[library]
    for library in libraries:
        library.rows[name] = statistics.median(times[library]) if times.get(library) else outcome[library]


def bar(name):
    """How long gnp may take of the best of these peers' time."""
    function, _, size = name.split("/")
    if function == "svd":  # CuPy's svd is cuSOLVER's gesvd, the slowest of the three
        return (0.6 if size.isdigit() and int(size) >= 256 else 1.0), ("torch", "jax")
    return 1.03, PEERS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gnp", help="the gnp_benchmarks executable (default: the newest under build*/)")
    parser.add_argument("--only", default="", help="rows whose names match")
    parser.add_argument("--seconds", type=float, default=600, help="after which what is left is not measured")
    parser.add_argument("--json", help="write the times here too")
    parser.add_argument("--worker", choices=PEERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        run_worker(options.worker)
        return 0

    from peers import find_executable, gpu_name

    executable = options.gnp or find_executable()
    if executable is None:
        parser.error("no gnp_benchmarks under build*/; name it with --gnp")
    environment = dict(os.environ, XLA_PYTHON_CLIENT_PREALLOCATE="false")
    worker = [sys.executable, os.path.abspath(__file__), "--worker"]
    libraries = {"gnp": Library([executable, "--turns"], environment)}
    libraries.update((peer, Library([*worker, peer], environment)) for peer in PEERS)
    stop = threading.Timer(options.seconds, lambda: [library.process.kill() for library in libraries.values()])
    stop.start()
    try:
        for name in row_names():
            if re.search(options.only, name):
                take_turns(libraries.values(), name)
    finally:
        stop.cancel()
        for library in libraries.values():
            library.process.kill()
            library.process.communicate()
    tables = {name: library.rows for name, library in libraries.items()}

    print(gpu_name() or "no CUDA device")
    print(f"{'row':24} {'gnp ms':>10} " + " ".join(f"{peer:>10}" for peer in PEERS) + "  of best  bar")
    judged = {"pass": 0, "FAIL": 0, "": 0}
    ahead = 0
    for name, ms in tables.get("gnp", {}).items():
        limit, rivals = bar(name)
        shown = [tables.get(peer, {}).get(name) for peer in PEERS]
        best = min((t for peer, t in zip(PEERS, shown) if peer in rivals and isinstance(t, float)), default=None)
        number = lambda t: f"{t:10.3f}" if isinstance(t, float) else f"{'n/a':>10}"
        ratio = ms / best if best and isinstance(ms, float) else None
        outcome = "" if ratio is None and isinstance(ms, float) else "pass" if ratio and ratio <= limit else "FAIL"
        judged[outcome] += 1
        ahead += bool(ratio and ratio < 1)
        wrong = "" if isinstance(ms, float) else f"  {ms}"
        print(f"{name:24} {number(ms)} " + " ".join(map(number, shown)) +
              (f"  {ratio:7.2f}" if ratio else f"  {'':7}") + f"  {limit:g} {outcome}{wrong}")
    print(f"\n{judged['pass']} bars passed, {judged['FAIL']} failed, {judged['']} not judged; ahead on {ahead}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(tables, file, indent=1)
    return 1 if judged["FAIL"] or not tables.get("gnp") else 0


if __name__ == "__main__":
    sys.exit(main())
