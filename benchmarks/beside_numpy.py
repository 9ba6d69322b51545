#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every ufunc, comparison, cast, reduction and scan of gnp's CPU device beside NumPy's, on one thread.

Both work on the same buffers in one process and take turns; of each the fastest turn counts, in time of the
thread. Each function is a small shared library, written and compiled when it is first asked for.

  beside_numpy.py --functions 'add|sum' --types float32,uint8 --layouts large,strided
  beside_numpy.py --flags=-O2 --flags=-O3          # and how the two compare
"""
import argparse
import collections
import csv
import ctypes
import hashlib
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GNP_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["GNP_DEVICE"] = "cpu"
import numpy as np  # noqa: E402  (after its threads are set)

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"

CPP = {
    "bool": "bool", "int8": "std::int8_t", "int16": "std::int16_t", "int32": "std::int32_t",
    "int64": "std::int64_t", "uint8": "std::uint8_t", "uint16": "std::uint16_t", "uint32": "std::uint32_t",
    "uint64": "std::uint64_t", "float16": "gnp::half", "float32": "float", "float64": "double",
    "complex64": "gnp::complex64", "complex128": "gnp::complex128",
}
SIGNED, UNSIGNED = "int8 int16 int32 int64", "uint8 uint16 uint32 uint64"
INTEGERS = f"{SIGNED} {UNSIGNED}"
FLOATS, COMPLEX = "float16 float32 float64", "complex64 complex128"
REAL = f"bool {INTEGERS} {FLOATS}"
ALL = f"{REAL} {COMPLEX}"
LAYOUTS = ["1000", "large", "rows", "columns", "strided", "tall"]


class Function:
    """What gnp and NumPy call it, for which types, and numbers between which its inputs lie."""

    def __init__(self, name, arity, types, low=-3.0, high=3.0, gnp=None, numpy=None, second=None,
                 kind="elementwise"):
        self.name, self.arity, self.types, self.low, self.high = name, arity, types.split(), low, high
        self.gnp, self.kind, self.second = gnp or f"gnp::{name.split(':')[0]}", kind, second
        self.numpy = numpy or getattr(np, name.split(":")[0])


def elementwise():
    def unary(names, types, **more):
        return [Function(name, 1, types, **more) for name in names.split()]

    def binary(names, types, **more):
        return [Function(name, 2, types, **more) for name in names.split()]

    inexact = f"{FLOATS} {COMPLEX}"
    functions = unary("exp exp2 expm1 sin cos tan sinh cosh tanh arctan arcsinh", inexact)
    functions += unary("sqrt log log2 log10 log1p", inexact, low=0.01, high=100.0)
    functions += unary("arcsin arccos arctanh", inexact, low=-0.99, high=0.99)
    functions += unary("arccosh", inexact, low=1.0, high=100.0)
    functions += unary("cbrt degrees radians fabs", FLOATS)
    functions += unary("floor ceil trunc", REAL) + unary("rint", inexact)
    functions += unary("signbit", FLOATS) + unary("isnan isinf isfinite", ALL)
    functions += unary("negative positive sign", f"{INTEGERS} {inexact}")
    functions += unary("absolute", ALL)
    functions += unary("square reciprocal conjugate", f"{INTEGERS} {inexact}", low=1.0, high=11.0)
    functions += [Function(name, 1, COMPLEX, numpy=lambda x, out, part=part: np.copyto(out, part(x)))
                  for name, part in (("real", np.real), ("imag", np.imag), ("angle", np.angle))]
    functions += unary("logical_not", ALL) + unary("invert", f"bool {INTEGERS}")
    functions += binary("add multiply", ALL) + binary("subtract", f"{INTEGERS} {inexact}")
    functions += binary("divide", f"{INTEGERS} {inexact}", low=1.0, high=100.0)
    functions += binary("floor_divide remainder fmod", f"{INTEGERS} {FLOATS}", low=1.0, high=100.0)
    functions += binary("power", f"{INTEGERS} {inexact}", low=0.0, high=4.0)
    functions += binary("float_power", "float64 complex128", low=0.1, high=4.0)
    functions += binary("arctan2 hypot logaddexp logaddexp2 copysign nextafter heaviside", FLOATS)
    functions += binary("gcd lcm", INTEGERS, low=1, high=11)
    functions += binary("maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal "
                        "logical_and logical_or logical_xor", ALL)
    functions += binary("bitwise_and bitwise_or bitwise_xor", f"bool {INTEGERS}")
    functions += binary("left_shift right_shift", INTEGERS, low=0, high=7)
    functions += [Function("ldexp", 2, FLOATS, second="int32")]
    functions += [Function("where", 3, ALL, numpy=lambda c, x, y, out: np.copyto(out, np.where(c, x, y)))]
    functions += [Function("clip", 1, f"{INTEGERS} {FLOATS}", gnp="[](const auto& v) { return gnp::clip(v, 1, 2); }",
                           numpy=lambda x, out: np.clip(x, 1, 2, out=out))]
    # With a number in place of the second array.
    scalar = [("add", 3, ALL), ("multiply", 3, ALL), ("divide", 3, f"{INTEGERS} {inexact}"),
              ("greater", 2, REAL), ("equal", 2, ALL), ("maximum", 2, REAL),
              ("floor_divide", 7, f"{INTEGERS} {FLOATS}"), ("remainder", 7, f"{INTEGERS} {FLOATS}"),
              ("power", 2, f"{INTEGERS} {inexact}"), ("power", 3, f"{INTEGERS} {inexact}"),
              ("power", 0.5, inexact), ("power", -1.5, inexact), ("right_shift", 2, INTEGERS),
              ("bitwise_and", 3, INTEGERS)]
    for name, number, types in scalar:
        ufunc = getattr(np, name)
        functions.append(Function(
            f"{name}:{number}", 1, types, low=0.1, high=100.0,
            gnp=f"[](const auto& v) {{ return gnp::{name}(v, {number}); }}",
            numpy=lambda x, out, ufunc=ufunc, number=number: ufunc(x, number, out=out)))
    # What people write in one go.
    functions.append(Function("x*y+z", 3, f"{INTEGERS} {inexact}", gnp="[](auto&& a, auto&& b, auto&& c) { return a * b + c; }",
                              numpy=lambda x, y, z, out: np.add(np.multiply(x, y, out=out), z, out=out)))
    return functions


def casts():
    made = []
    for to in ALL.split():
        sources = [t for t in ALL.split() if t != to and (t not in COMPLEX or to in COMPLEX)]
        made.append(Function(f"astype:{to}", 1, " ".join(sources), low=0, high=100, kind="cast",
                             gnp=f"[](const auto& v) {{ return v.template astype<{CPP[to]}>(); }}",
                             numpy=lambda x, out: np.copyto(out, x, casting="unsafe")))
    return made


def reductions():
    made = []
    for name, types in (("sum", ALL), ("prod", ALL), ("mean", ALL), ("var", ALL), ("std", ALL), ("min", ALL),
                        ("max", ALL), ("ptp", f"{INTEGERS} {FLOATS}"), ("argmin", ALL), ("argmax", ALL),
                        ("any", ALL), ("all", ALL), ("count_nonzero", ALL), ("nansum", f"{FLOATS} {COMPLEX}"),
                        ("nanmean", f"{FLOATS} {COMPLEX}"), ("nanmin", FLOATS), ("nanmax", FLOATS),
                        ("nanargmax", FLOATS), ("nanvar", FLOATS)):
        # Sums and their like of numbers that do not overflow; any and all that cannot stop at once.
        low, high = {"any": (0, 0), "all": (1, 1), "prod": (0.9, 1.1)}.get(name, (0, 10))
        made.append(Function(name, 1, types, low=low, high=high, kind="reduction"))
    for name in ("cumsum", "cumprod"):
        made.append(Function(name, 1, f"{INTEGERS} {FLOATS} {COMPLEX}", low=0.99, high=1.01, kind="scan"))
    return made


def values(dtype, count, low, high, seed):
    generator = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == bool:
        return generator.random(count) < (0.5 if low != high else low)
    if dtype.kind in "iu":
        least = max(low, 0) if dtype.kind == "u" else low
        return generator.integers(math.ceil(least), math.floor(high) + 1, count).astype(dtype)
    if dtype.kind == "c":
        return (generator.uniform(low, high, count) + 1j * generator.uniform(low, high, count)).astype(dtype)
    return generator.uniform(low, high, count).astype(dtype)


def operands(function, dtype, layout):
    """Inputs in a layout."""
    def make(index, kind, of):
        low, high = function.low, function.high
        data = lambda n: values(of, n, low, high, 7 * index + 1)  # noqa: E731
        if layout == "1000":
            return data(1000)
        if layout == "large":
            return data(1 << 20)
        if layout == "strided":
            return data(1 << 21)[::2]
        if layout == "tall":
            return data(20000 * 252).reshape(20000, 252)
        if kind != "elementwise":
            return data(1 << 20).reshape(1024, 1024)
        if layout == "rows":  # part of a wider matrix, with a row
            return data(1024 * 1040).reshape(1024, 1040)[:, :1024] if index == 0 else data(1024)
        if function.arity == 1:
            return data(1 << 20).reshape(1024, 1024).T
        return data(1 << 20).reshape(1024, 1024) if index == 0 else data(1024).reshape(1024, 1)

    kind = "elementwise" if function.kind == "cast" else function.kind
    arrays = []
    for i in range(function.arity):
        of = dtype
        if function.name == "where" and i == 0:
            of = "bool"
        if function.second and i == 1:
            of = function.second
        arrays.append(make(i, kind, of))
    return arrays


def axis_of(layout):
    return {"rows": -1, "columns": 0, "tall": 0}.get(layout)


class operand(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rank", ctypes.c_int64), ("shape", ctypes.c_int64 * 2),
                ("strides", ctypes.c_int64 * 2)]


def described(array):
    o = operand(array.ctypes.data, array.ndim)
    for d in range(array.ndim):
        o.shape[d], o.strides[d] = array.shape[d], array.strides[d] // array.itemsize
    return o


class Library:
    """A function's programs, compiled with one compiler and set of flags."""

    def __init__(self, compiler, flags, folder):
        self.compiler, self.flags, self.folder = compiler, flags, folder
        self.command = [*shlex.split(compiler), "-std=c++20", *shlex.split(flags), "-fPIC", "-DGNP_NO_CUDA",
                        f"-I{INCLUDE}"]
        digest = hashlib.sha256(repr(self.command).encode())
        for header in sorted(INCLUDE.rglob("*.hpp")) + [HERE / "beside_numpy" / "case.hpp"]:
            digest.update(header.read_bytes())
        self.place = folder / digest.hexdigest()[:16]
        self.place.mkdir(parents=True, exist_ok=True)
        self.header = self.place / "case.hpp"
        if not self.header.exists():  # with a precompiled copy beside it
            self.header.write_text(f'#include "{HERE}/beside_numpy/case.hpp"\n')
            subprocess.run(["nice", *self.command, "-x", "c++-header", str(self.header), "-o", f"{self.header}.gch"],
                           check=True)

    def load(self, function, types, results):
        text = ["using namespace beside_numpy;\n"]
        for dtype in types:
            inputs = []
            for i in range(function.arity):
                of = "bool" if function.name == "where" and i == 0 else dtype
                of = function.second if function.second and i == 1 else of
                inputs.append(f"  const auto v{i} = array_of<{CPP[of]}>(o[{i}]);\n")
            names = ", ".join(f"v{i}" for i in range(function.arity))
            result = CPP[results[dtype]]
            last = f"o[{function.arity}]"
            if function.kind in ("elementwise", "cast"):
                body = f"  return stored<{result}>({last}, calls, [&] {{ return ({function.gnp})({names}); }});\n"
            else:
                axis = "{.axis = static_cast<int>(axis)}"
                body = (f"  if (axis == 99) return returned<{result}>({last}, calls, [&] {{ return {function.gnp}(v0); }});\n"
                        f"  return returned<{result}>({last}, calls, [&] {{ return {function.gnp}(v0, {axis}); }});\n")
            text.append(f'extern "C" double run_{dtype}(const operand* o, std::int64_t calls, '
                        f"[[maybe_unused]] std::int64_t axis) {{\n" + "".join(inputs) + body + "}\n")
        source = "".join(text)
        name = re.sub(r"\W", "_", function.name) + "_" + hashlib.sha256(source.encode()).hexdigest()[:12]
        library = self.place / f"{name}.so"
        if not library.exists():
            path = self.place / f"{name}.cpp"
            path.write_text(source)
            made = subprocess.run(
                ["nice", *self.command, "-shared", "-include", str(self.header), str(path), "-o", f"{library}.new"],
                capture_output=True, text=True)
            if made.returncode != 0:
                raise RuntimeError(made.stderr[:2000])
            os.replace(f"{library}.new", library)
        loaded = ctypes.CDLL(str(library))
        calls = {}
        for dtype in types:
            calls[dtype] = getattr(loaded, f"run_{dtype}")
            calls[dtype].restype = ctypes.c_double
            calls[dtype].argtypes = [ctypes.POINTER(operand), ctypes.c_int64, ctypes.c_int64]
        return calls


def numpy_call(function, inputs, layout, out):
    """NumPy's call, as its user writes it, and its result for comparison."""
    if function.kind in ("elementwise", "cast"):
        return lambda: function.numpy(*inputs, out=out)
    return lambda: function.numpy(inputs[0], axis=axis_of(layout))


def result_of(function, inputs, layout):
    if function.kind == "cast":
        return np.empty(inputs[0].shape, function.name.split(":")[1])
    with np.errstate(all="ignore"):
        if function.name == "where":
            return np.empty(np.broadcast(*inputs).shape, inputs[1].dtype)
        if function.kind == "elementwise":
            few = [x[:1] for x in inputs]
            few = [np.ascontiguousarray(x) for x in few]
            if function.name in ("clip", "x*y+z"):
                kind = few[0].dtype
            elif function.name in ("real", "imag", "angle"):
                kind = few[0].real.dtype
            elif ":" in function.name:
                name, number = function.name.split(":")
                kind = getattr(np, name)(few[0], float(number) if "." in number else int(number)).dtype
            else:
                kind = function.numpy(*few).dtype
            return np.empty(np.broadcast(*inputs).shape, kind)
        return np.empty_like(np.asarray(function.numpy(inputs[0], axis=axis_of(layout))))


def agree(mine, right, function):
    if right.dtype.kind not in "fc":
        return np.array_equal(mine, right)
    precision = np.finfo(right.dtype).eps
    scale = 4096 if function.kind in ("reduction", "scan") else 64
    with np.errstate(all="ignore"):
        return np.allclose(mine, right, rtol=float(scale * precision), atol=float(scale * precision), equal_nan=True)


def measure(function, dtype, layout, programs, turns, batch):
    inputs = operands(function, dtype, layout)
    out = result_of(function, inputs, layout)
    mine = np.empty_like(out)
    described_all = (operand * (function.arity + 1))(*[described(x) for x in inputs], described(np.atleast_1d(mine)))
    axis = axis_of(layout) if function.kind in ("reduction", "scan") else None
    axis = 99 if axis is None else axis
    theirs = numpy_call(function, inputs, layout, out)
    times = collections.defaultdict(lambda: math.inf)
    clock = time.thread_time
    with np.errstate(all="ignore"):
        begin = clock()
        answer = theirs()
        once = max(clock() - begin, 1e-7)
        if function.kind in ("elementwise", "cast"):
            answer = out
        right = np.asarray(answer)
        mine.view(np.uint8).fill(0x5A) if mine.dtype != bool and mine.ndim else None
        first = programs[0](described_all, 1, axis)
        good = agree(mine.reshape(right.shape), right, function)
        their_calls = max(1, int(batch / once))
        my_calls = max(1, int(batch / max(first, 1e-7)))
        # Who comes after another finds the caches full of the other's results: each is also first and twice in a row.
        players = [*range(len(programs)), "numpy"]
        for turn in range(turns):
            for player in players if turn % 2 == 0 else players[::-1]:
                if player != "numpy":
                    times[player] = min(times[player], programs[player](described_all, my_calls, axis))
                    continue
                begin = clock()
                for _ in range(their_calls):
                    theirs()
                times["numpy"] = min(times["numpy"], (clock() - begin) / their_calls)
    return times, good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", default=".", help="regular expression of whole or parts of names")
    parser.add_argument("--types", default=",".join(CPP))
    parser.add_argument("--layouts", default=",".join(LAYOUTS))
    parser.add_argument("--kinds", default="elementwise,cast,reduction,scan")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", action="append", help="twice: two builds side by side")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--batch", type=float, default=0.002, help="seconds of calls in a turn")
    parser.add_argument("--worst", type=int, default=40, help="rows shown")
    parser.add_argument("--bar", type=float, default=1.15)
    parser.add_argument("--folder", default=os.environ.get("TMPDIR", "/tmp") + "/gnp_beside_numpy")
    parser.add_argument("--csv", help="all rows into this file")
    arguments = parser.parse_args()
    flags = arguments.flags or ["-O2"]
    folder = pathlib.Path(arguments.folder)
    builds = [Library(arguments.compiler, f, folder) for f in flags]
    wanted = arguments.types.split(",")
    layouts = arguments.layouts.split(",")
    rows = []
    for function in elementwise() + casts() + reductions():
        if not re.search(arguments.functions, function.name) or function.kind not in arguments.kinds.split(","):
            continue
        types = [t for t in function.types if t in wanted]
        if not types:
            continue
        results = {t: result_of(function, operands(function, t, "1000"), "1000").dtype.name for t in types}
        try:
            compiled = [build.load(function, types, results) for build in builds]
        except RuntimeError as failure:
            print(f"{function.name}: does not compile\n{failure}", file=sys.stderr)
            continue
        for dtype in types:
            for layout in layouts:
                if layout == "tall" and function.kind != "reduction":
                    continue
                times, good = measure(function, dtype, layout, [c[dtype] for c in compiled], arguments.turns,
                                      arguments.batch)
                rows.append((function.name, dtype, layout, times["numpy"], *[times[i] for i in range(len(builds))],
                             "" if good else "differs"))
        print(f"{function.name}: {len(types)} types", file=sys.stderr)
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["function", "type", "layout", "numpy_s", *[f"gnp_s {f}" for f in flags], "answer"])
            writer.writerows(rows)
    report(rows, flags, arguments)


def report(rows, flags, arguments):
    rows = sorted(rows, key=lambda r: -r[4] / r[3])
    print(f"{'function':20} {'type':10} {'layout':8} {'NumPy us':>10}", *[f"{'gnp ' + f:>12} {'ratio':>6}" for f in flags])
    for row in rows[: arguments.worst]:
        cells = [f"{1e6 * t:12.2f} {t / row[3]:6.2f}" for t in row[4:-1]]
        print(f"{row[0]:20} {row[1]:10} {row[2]:8} {1e6 * row[3]:10.2f}", *cells, row[-1])

    def mean(ratios):
        return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan

    for i, f in enumerate(flags):
        ratios = [row[4 + i] / row[3] for row in rows]
        print(f"{f}: {len(rows)} cases, geometric mean {mean(ratios):.3f}, above {arguments.bar}: "
              f"{sum(r > arguments.bar for r in ratios)}")
    for layout in LAYOUTS:
        ratios = [row[4] / row[3] for row in rows if row[2] == layout]
        if ratios:
            print(f"  {layout:8} {mean(ratios):.3f}, above {arguments.bar}: {sum(r > arguments.bar for r in ratios)} of {len(ratios)}")
    if len(flags) > 1:
        ratios = [row[4] / row[5] for row in rows]
        worse = sorted(rows, key=lambda r: -r[4] / r[5])[:8]
        print(f"{flags[0]} / {flags[1]}: geometric mean {mean(ratios):.3f}, above 1.1: {sum(r > 1.1 for r in ratios)}; worst",
              ", ".join(f"{r[0]} {r[1]} {r[2]} {r[4] / r[5]:.2f}" for r in worse))
    print("answers that differ:", ", ".join(sorted({f"{r[0]} {r[1]}" for r in rows if r[-1]})) or "none")


main()
