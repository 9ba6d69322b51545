#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The factorisations of linalg_bench.cpp beside PyTorch, CuPy and JAX, on one machine in one run.

    python3 benchmarks/peers_linalg.py [--gnp EXECUTABLE] [--only REGEX] [--turns N] [--seconds ALL] [--json FILE]

Milliseconds per call, each ended by a synchronisation; a row whose answer is wrong has no time. Each library has a
process of its own, so that memory pools and imports stay apart, and the processes take turns: what else a machine does
makes a host a third slower for seconds at a time, and one of its processors slower than another. In each turn the
libraries work on the same processor, one after the other, and what they took in the same turn is compared: `of best` is
the median, over the turns, of gnp's time over that of the peer beside which it is slowest. Status 1 where a bar was
missed.
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
# A row ends after so many turns, or seconds if there were three.
ENOUGH = 2.5
# eig is the host's work for the most part, and what passes there for 50 ms is 40 or 60.
EIG_TURNS, EIG_ENOUGH = 16, 20

STOPPED = "stopped"


def row_names():
    """What takes long last, that is: what is left out where time is short."""
    types = ("float32", "float64")
    for n in ("64", "256", "1024"):
        yield from (f"eig/{dtype}/{n}" for dtype in types)
    for dtype in types:
        for size in ("64", "256", "1024", "2048", "1000x32", "500x100"):
            functions = ("cholesky", "solve", "inv", "qr", "eigh", "det", *(["lstsq"] if "x" not in size else []))
            yield from (f"{function}/{dtype}/{size}" for function in functions)
    for size in ("64", "256", "512", "1024", "4096x64", "100000x64", "1000x32x32", "2048", "4096"):
        yield from (f"svd/{dtype}/{size}" for dtype in types)


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
            times = [seconds_of(call)]
            if times[0] < 0.02:  # does not count: the GPU has just worked for another process
                times = []
                while len(times) < 10 and sum(times) < 0.005:
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
        self.rows = {}  # name: milliseconds of each turn, or why there are none

    def move_to(self, processors):
        """With all its threads: JAX does not call cuSOLVER from the first."""
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                os.sched_setaffinity(int(thread), processors)
            except ProcessLookupError:  # it has just ended
                pass

    def turn(self, name, processors):
        """Milliseconds of this turn; or why there are none."""
        try:
            self.move_to(processors)
            self.process.stdin.write(name + "\n")
            line = self.process.stdout.readline().rstrip("\n")
        except OSError:
            line = ""
        _, value, *why = line.split(" ") if line else (name, "n/a", STOPPED)
        return float(value) if value != "n/a" else " ".join(why)


def take_turns(libraries, name, most_turns):
    if name.startswith("eig/"):
        most_turns, enough = max(most_turns, EIG_TURNS), EIG_ENOUGH
    else:
        enough = ENOUGH
    all_processors = os.sched_getaffinity(0)
    # The first makes what the libraries keep, threads among it, which may run anywhere.
    for library in libraries:
        outcome = library.turn(name, all_processors)
        library.rows[name] = [] if isinstance(outcome, float) else outcome
    began = time.monotonic()
    for turn in range(most_turns):
        if turn >= 3 and time.monotonic() - began > enough:
            break
        processor = {sorted(all_processors)[turn % len(all_processors)]}
        # Each is the first as often as the others: a processor that has slept is slow at first.
        first = turn % len(libraries)
        for library in libraries[first:] + libraries[:first]:
            if isinstance(library.rows[name], list):
                time.sleep(0.005)  # the threads of the one before have stopped waiting for work
                outcome = library.turn(name, processor)
                if isinstance(outcome, float):
                    library.rows[name].append(outcome)
                else:
                    library.rows[name] = outcome


def ratio_of_times(times, others):
    return statistics.median(mine / other for mine, other in zip(times, others))


def bar(name):
    """How long gnp may take of the best of these peers' time."""
    function, _, size = name.split("/")
    if function == "svd":  # CuPy's svd is cuSOLVER's gesvd, the slowest of the three
        return (0.6 if size.isdigit() and int(size) >= 256 else 1.0), ("torch", "jax")
    return 1.03, PEERS


def judge(name, libraries):
    """Prints a row; gnp's time over the peers', and what that means."""
    limit, rivals = bar(name)
    times = {peer: library.rows[name] for peer, library in libraries.items() if isinstance(library.rows[name], list)}
    times = {peer: row for peer, row in times.items() if row}
    beside = [ratio_of_times(times["gnp"], times[peer]) for peer in rivals if peer in times and "gnp" in times]
    ratio = max(beside, default=None)
    why = "" if "gnp" in times else libraries["gnp"].rows[name]
    if ratio:
        outcome = "pass" if ratio <= limit else "FAIL"
    else:
        outcome = "" if not why or why == STOPPED else "FAIL"
    shown = [f"{statistics.median(times[peer]):10.3f}" if peer in times else f"{'n/a':>10}" for peer in libraries]
    verdict = f"{limit:g} {outcome} {why}".rstrip()
    print(f"{name:24} " + " ".join(shown), f" {ratio:7.2f}" if ratio else f" {'':7}", f" {verdict}", flush=True)
    return ratio, outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gnp", help="the gnp_benchmarks executable (default: the newest under build*/)")
    parser.add_argument("--only", default="", help="rows whose names match")
    parser.add_argument("--turns", type=int, default=16, help="the most for a row")
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
    print(gpu_name() or "no CUDA device")
    print(f"{'row':24} {'gnp ms':>10} " + " ".join(f"{peer:>10}" for peer in PEERS) + "  of best  bar", flush=True)
    judged = {"pass": 0, "FAIL": 0, "": 0}
    ahead = 0
    try:
        for name in row_names():
            if re.search(options.only, name):
                take_turns(list(libraries.values()), name, options.turns)
                ratio, outcome = judge(name, libraries)
                judged[outcome] += 1
                ahead += bool(ratio and ratio < 1)
    finally:
        stop.cancel()
        for library in libraries.values():
            library.process.kill()

    print(f"\n{judged['pass']} bars passed, {judged['FAIL']} failed, {judged['']} not judged; ahead on {ahead}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({name: library.rows for name, library in libraries.items()}, file, indent=1)
    return 1 if judged["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
