# SPDX-License-Identifier: MIT
"""What peers_arrays.py and peers_programs.py share: inputs, the time of a call, checksums of results, and
processes that time rows when they are told to."""
import math
import os
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent


def inputs(xp):
    """The numbers of peers/gnp_rows.hpp."""
    u32, f32 = xp.uint32, xp.float32

    def words(*shape):
        i = xp.arange(math.prod(shape), dtype=u32)
        once = (i ^ (i >> u32(15))) * u32(2654435769)
        twice = (once ^ (once >> u32(13))) * u32(2246822519)
        return (twice ^ (twice >> u32(16))).reshape(shape)

    def numbers(*shape):
        return (words(*shape) >> u32(8)).astype(f32) * f32(1 / 16777216)

    def places(below, *shape):
        return (words(*shape) % u32(below)).astype(xp.int64)

    def keys(dtype, *shape):
        if dtype == "int64":
            w = words(*shape).astype(xp.int64)
            return w * xp.int64(2654435761) + w
        if dtype.startswith("int"):
            return words(*shape).astype(dtype)
        return numbers(*shape).astype(dtype)
    return words, numbers, places, keys


def time_of(call, sync):
    """Milliseconds: the fastest of five batches of back-to-back calls, each ended by sync(the last result)."""
    def batch(calls):
        sync(None)
        begin = time.perf_counter()
        for _ in range(calls):
            result = call()
        sync(result)
        return (time.perf_counter() - begin) / calls
    batch(2)
    calls = max(2, min(2000, int(0.015 / batch(2))))
    return 1e3 * min(batch(calls) for _ in range(5))


def measure(rows, only, sync):
    """Prints `row milliseconds mean` of each row whose name has `only`."""
    for name, make in rows.items():
        if not re.search(only, name):
            continue
        try:
            call = make()
            result = call()
            result = result[0] if isinstance(result, (tuple, list)) else result
            total = 0.0 if result.size == 0 else float(result.astype("float64").mean())
            print(name, f"{time_of(call, sync):.6f} {total:.12g}", flush=True)
            del call, result
        except Exception as failure:  # noqa: BLE001  (a row that a library does not have)
            print(f"# {name}: {type(failure).__name__} {str(failure)[:100]}", flush=True)


def checksums(xp, results):
    """The three checksums of gnp_rows.hpp, of an array, a number or several arrays."""
    results = results if isinstance(results, (tuple, list)) else [results]
    x = xp.concatenate([xp.asarray(result).astype(xp.float64).ravel() for result in results])
    weights = inputs(xp)[1](x.size).astype(xp.float64)
    return [float(x.mean()), float((x * weights).mean()), math.sqrt(float((x * x).mean()))]


def agree(one, other, tolerance):
    size = max(one[2], other[2])
    return all(abs(a - b) <= tolerance * size for a, b in zip(one, other))


def serve(rows, sync, sums):
    """Answers each line `warm ROW` or `time ROW` of the input with a line."""
    for line in sys.stdin:
        what, name = line.split()
        try:
            call = rows[name]()
            result = call()
            sync(result)
            answer = ""
            if what == "time":
                answer = " ".join(f"{number:.12g}" for number in sums(result))
                del result
                answer = f"{time_of(call, sync):.6f} {answer}"
            print(name, answer, flush=True)
        except Exception as failure:  # noqa: BLE001  (a row that a library does not have)
            print(f"# {name}: {type(failure).__name__} {' '.join(str(failure).split())[:160]}", flush=True)
        call = result = None


class process:
    """A program that answers lines, and may take too long for one."""

    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.answers = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stdout:
            self.answers.put(line.strip())
        self.answers.put(None)

    def tell(self, line):
        if not self.child:
            return  # it has ended: answer() says so
        try:
            self.child.stdin.write(line + "\n")
        except OSError:
            pass  # it has ended, and says so in the place of an answer

    def answer(self, seconds):
        """A line, or None where the program has ended or the time is up; then it is not asked any more."""
        try:
            line = self.answers.get(timeout=max(seconds, 0.01)) if self.child else None
        except queue.Empty:
            line = None
        if line is None:
            self.end()
        return line

    def end(self):
        if self.child:
            self.child.kill()
            self.child.wait()
        self.child = None


def built(name):
    """The program of peers/NAME.cpp, compiled."""
    program = os.environ.get("TMPDIR", "/tmp") + f"/gnp_{name}"
    subprocess.run(["g++", "-std=c++20", "-O2", f"-I{HERE.parent / 'include'}", "-isystem", "/usr/local/cuda/include",
                    str(HERE / "peers" / f"{name}.cpp"), "-o", program, "-ldl", "-pthread"], check=True)
    return program
