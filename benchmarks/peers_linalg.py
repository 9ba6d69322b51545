#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The factorisations of linalg_bench.cpp beside PyTorch, CuPy and JAX, on one machine in one run.

    python3 benchmarks/peers_linalg.py [--gnp EXECUTABLE] [--seconds EACH] [--json FILE]

Milliseconds per call, each ended by a synchronisation; a row whose answer is wrong has no time. One process for each
library, so that memory pools and imports stay apart, one after the other (eig: by turns); where the machine has several
GPUs of one kind, they are shared out and the libraries run at the same time. Status 1 where a bar was missed.
"""

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PEERS = ("torch", "cupy", "jax")

# eig is the host's work in good part, and so takes a third longer or shorter, for seconds at a time, with what else
# the host does. Of these rows the libraries make one call each by turns, and the fastest of a library counts.
TURNS = 16
ROWS_BY_TURNS = [f"eig/{dtype}/{n}" for dtype in ("float32", "float64") for n in (64, 256, 1024)]
OTHER_ROWS = "^linalg/(cholesky|solve|inv|qr|eigh|det|lstsq|svd)/"


def run_worker(peer, limit, by_turns):
    """Prints `name milliseconds`, or `name n/a why`, for each row, or for each row whose name it reads."""
    began = time.monotonic()
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

    def timed(call, *arguments):
        start = time.perf_counter()
        wait(call(*arguments))
        return time.perf_counter() - start

    def report(name, time_of_row):
        try:
            print(name, f"{time_of_row() * 1e3:.4f}", flush=True)
        except Exception as error:  # a peer's failure is a fact for the table
            print(name, "n/a", f"{type(error).__name__}: {str(error).splitlines()[0][:100]}", flush=True)

    def row(name, function, *arguments):
        """The median of single calls, as linalg_bench.cpp takes it."""

        def median():
            call = compiled(function)
            timed(call, *arguments)
            times = []
            while len(times) < 15 and (sum(times) < 0.1 or (len(times) < 5 and sum(times) < 1.5)):
                times.append(timed(call, *arguments))
            return statistics.median(times)

        if time.monotonic() - began < limit:
            report(name, median)

    def noise(dtype, *shape):
        """The numbers of noise.hpp: how long an eig takes depends on the matrix."""
        state = np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        bits = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
        return ((bits >> np.uint64(11)) / 2.0**52 - 1).astype(dtype).reshape(shape)

    if by_turns:
        inputs = {}
        eig = compiled(linalg.eig)
        for line in sys.stdin:
            name = line.strip()
            _, dtype, n = name.split("/")
            if name not in inputs:
                inputs[name] = on_gpu(noise(dtype, int(n), int(n)))
            report(name, lambda: timed(eig, inputs[name]))
        return

    svd = lambda a: linalg.svd(a, full_matrices=False)
    for dtype in ("float32", "float64"):
        for stack, n in ((), 64), ((), 256), ((), 1024), ((), 2048), ((1000,), 32), ((500,), 100):
            a = noise(dtype, *stack, n, n)
            symmetric = a + np.swapaxes(a, -1, -2)
            positive = on_gpu(symmetric + 2 * n * np.eye(n, dtype=dtype))
            symmetric, a, b = on_gpu(symmetric), on_gpu(a), on_gpu(noise(dtype, *stack, n, 1))
            size = "x".join(map(str, (*stack, n)))
            row(f"cholesky/{dtype}/{size}", linalg.cholesky, positive)
            row(f"solve/{dtype}/{size}", linalg.solve, a, b)
            row(f"inv/{dtype}/{size}", linalg.inv, a)
            row(f"qr/{dtype}/{size}", linalg.qr, a)
            row(f"eigh/{dtype}/{size}", linalg.eigh, symmetric)
            row(f"det/{dtype}/{size}", linalg.det, a)
            if not stack:
                row(f"lstsq/{dtype}/{size}", linalg.lstsq, a, b)
        for n in (64, 256, 512, 1024, 2048, 4096):
            row(f"svd/{dtype}/{n}", svd, on_gpu(noise(dtype, n, n)))
        for m in (4096, 100000):
            row(f"svd/{dtype}/{m}x64", svd, on_gpu(noise(dtype, m, 64)))
        row(f"svd/{dtype}/1000x32x32", svd, on_gpu(noise(dtype, 1000, 32, 32)))


def gpu_count():
    try:
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        names = subprocess.run(query, stdout=subprocess.PIPE, text=True, timeout=20).stdout.split("\n")
        return max(1, len([name for name in names if name.strip()]))
    except (OSError, subprocess.TimeoutExpired):
        return 1


def rows_of_gnp(executable, seconds, environment):
    from peers import read_gnp

    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "gnp.json")
        command = [executable, f"--benchmark_filter={OTHER_ROWS}", f"--benchmark_out={out}",
                   "--benchmark_out_format=json"]
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, timeout=seconds, env=environment)
        except subprocess.TimeoutExpired:
            print(f"gnp_benchmarks: stopped after {seconds:.0f} s", file=sys.stderr)
        records = read_gnp(out, lambda text: print(text, file=sys.stderr))
    return {name.removeprefix("linalg/"): record.get("ms", record.get("error_message"))
            for name, record in records.items()}


def worker(peer, seconds, *flags):
    return [sys.executable, os.path.abspath(__file__), "--worker", peer, "--seconds", str(seconds), *flags]


def take(line, rows):
    """Keeps a line `name milliseconds` or `name n/a why`, and of two times the shorter."""
    name, value, *why = line.split(" ")
    if value == "n/a":
        rows.setdefault(name, " ".join(why))
    elif not isinstance(rows.get(name), float) or float(value) < rows[name]:
        rows[name] = float(value)


def rows_of_peer(peer, seconds, environment):
    rows = {}
    process = subprocess.Popen(worker(peer, seconds), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env=environment)
    try:
        out, _ = process.communicate(timeout=seconds + 20)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    for line in out.splitlines():
        take(line, rows)
    return rows


def rows_by_turns(executable, seconds, environment):
    commands = {"gnp": [executable, "--turns"], **{peer: worker(peer, seconds, "--turns") for peer in PEERS}}
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    processes = {library: subprocess.Popen(command, **pipes, text=True, bufsize=1, env=environment)
                 for library, command in commands.items()}
    tables = {library: {} for library in processes}
    stop = threading.Timer(seconds, lambda: [process.kill() for process in processes.values()])
    stop.start()
    for name in ROWS_BY_TURNS:
        for turn in range(TURNS + 1):
            for library, process in processes.items():
                try:
                    process.stdin.write(name + "\n")
                    line = process.stdout.readline().rstrip("\n")
                except BrokenPipeError:
                    continue
                if turn > 0 and line:  # the first is a warm-up
                    take(line, tables[library])
                time.sleep(0.01)  # until this library's threads have stopped spinning
    stop.cancel()
    for process in processes.values():
        process.kill()
        process.communicate()
    return tables


def bar(name):
    """How long gnp may take of the best of these peers' time."""
    function, _, size = name.split("/")
    if function == "svd":  # CuPy's svd is cuSOLVER's gesvd, the slowest of the three
        return (0.6 if size.isdigit() and int(size) >= 256 else 1.0), ("torch", "jax")
    return 1.03, PEERS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gnp", help="the gnp_benchmarks executable (default: the newest under build*/)")
    parser.add_argument("--seconds", type=float, default=200, help="for each library")
    parser.add_argument("--json", help="write the times here too")
    parser.add_argument("--worker", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--turns", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        run_worker(options.worker, options.seconds, options.turns)
        return 0

    from peers import find_executable, gpu_name

    executable = options.gnp or find_executable()
    if executable is None:
        parser.error("no gnp_benchmarks under build*/; name it with --gnp")
    gpus = gpu_count()
    tables = {}

    def on_gpu(number):
        return dict(os.environ, CUDA_VISIBLE_DEVICES=str(number), XLA_PYTHON_CLIENT_PREALLOCATE="false")

    def run_on(gpu):
        for library in ("gnp", *PEERS)[gpu::gpus]:
            if library == "gnp":
                tables[library] = rows_of_gnp(executable, options.seconds, on_gpu(gpu))
            else:
                tables[library] = rows_of_peer(library, options.seconds, on_gpu(gpu))

    with concurrent.futures.ThreadPoolExecutor(gpus) as pool:
        list(pool.map(run_on, range(min(gpus, 1 + len(PEERS)))))
    for library, rows in rows_by_turns(executable, options.seconds, on_gpu(0)).items():
        tables[library].update(rows)

    print(f"{gpu_name() or 'no CUDA device'}, {min(gpus, 4)} in use")
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
