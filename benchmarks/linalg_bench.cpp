// SPDX-License-Identifier: MIT
// The factorisations, in float32 and float64: milliseconds per call, as peers_linalg.py times the peers. Each
// case checks its answer before it is timed. --turns: a row's calls when its name is read.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <gnp/gnp.hpp>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "noise.hpp"

void count_failure();  // in main.cpp

namespace {

using gnp::array;
using gnp::index_t;
using gnp::shape_t;
namespace linalg = gnp::linalg;

template <class T>
double length(const array<T>& x) {
  return static_cast<double>(gnp::linalg::norm(x).item());
}

using clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& call) {
  const auto start = clock::now();
  call();
  gnp::synchronize();
  return std::chrono::duration<double>(clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// The median of single calls, each ended by a synchronisation: five at least, unless they take seconds.
double median_time(const std::function<void()>& call) {
  seconds_of(call);
  std::vector<double> times;
  double total = 0;
  while (times.size() < 15 && (total < 0.1 || (times.size() < 5 && total < 1.5))) {
    times.push_back(seconds_of(call));
    total += times.back();
  }
  return median(times);
}

struct row_calls {
  std::function<bool()> is_right;
  std::function<void()> call;
};

std::map<std::string, row_calls>& rows() {
  static std::map<std::string, row_calls> known;
  return known;
}

void add(const std::string& name, const std::function<bool()>& is_right, const std::function<void()>& call) {
  rows()[name] = {is_right, call};
  benchmark::RegisterBenchmark(("linalg/" + name).c_str(),
                               [is_right, call](benchmark::State& state) {
                                 try {
                                   if (!is_right()) throw std::runtime_error("wrong result");
                                   const double time = median_time(call);
                                   for (auto _ : state) state.SetIterationTime(time);
                                 } catch (const std::exception& e) {
                                   count_failure();
                                   state.SkipWithError(e.what());
                                 }
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

template <class T>
void add_svd(const std::string& type, const shape_t& shape, const std::string& size) {
  const auto svd = [shape] { return linalg::svd(gnp::asarray(noise<T>(shape)), {.full_matrices = false}); };
  const auto is_right = [svd, shape] {
    const auto [u, s, vh] = svd();
    const array<T> a = gnp::asarray(noise<T>(shape));
    const array<T> back = matmul(u * gnp::expand_dims(s, -2), vh);
    const double n = static_cast<double>(s.shape().back());
    return length(array<T>(back - a)) <=
           30 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(n) * length(a);
  };
  const auto call = [a = std::make_shared<array<T>>(), shape] {
    if (a->size() == 0) *a = gnp::asarray(noise<T>(shape));
    linalg::svd(*a, {.full_matrices = false});
  };
  add("svd/" + type + "/" + size, is_right, call);
}

template <class T>
void add_square(const std::string& type, const shape_t& stack, index_t n) {
  shape_t shape = stack;
  shape.push_back(n);
  shape.push_back(n);
  shape_t right = stack;
  right.push_back(n);
  right.push_back(1);
  const std::string size = (stack.empty() ? "" : std::to_string(stack[0]) + "x") + std::to_string(n);
  struct inputs {
    array<T> a, symmetric, positive, b;
  };
  const auto make = [shape, right, n] {
    static std::vector<std::pair<shape_t, inputs>> made;
    for (const auto& [key, value] : made) {
      if (key == shape) return value;
    }
    inputs in;
    in.a = gnp::asarray(noise<T>(shape));
    in.symmetric = in.a + gnp::matrix_transpose(in.a);
    in.positive = in.symmetric + gnp::eye<T>(n) * static_cast<T>(2 * n);
    in.b = gnp::asarray(noise<T>(right));
    made.emplace_back(shape, in);
    return in;
  };
  const auto close = [n](const array<T>& x, const array<T>& y) {
    return length(array<T>(x - y)) <=
           100 * static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(n) * length(y);
  };
  const auto row = [&](const char* name, const auto& is_right, const auto& call) {
    add(std::string(name) + "/" + type + "/" + size, [=] { return is_right(make()); }, [=] { call(make()); });
  };
  row(
      "cholesky",
      [close](const inputs& in) {
        const auto l = linalg::cholesky(in.positive);
        return close(matmul(l, gnp::matrix_transpose(l)), in.positive);
      },
      [](const inputs& in) { linalg::cholesky(in.positive); });
  row(
      "solve",
      [close](const inputs& in) { return close(matmul(in.positive, linalg::solve(in.positive, in.b)), in.b); },
      [](const inputs& in) { linalg::solve(in.a, in.b); });
  row(
      "inv",
      [close](const inputs& in) {
        return close(matmul(matmul(in.positive, linalg::inv(in.positive)), in.positive), in.positive);
      },
      [](const inputs& in) { linalg::inv(in.a); });
  row(
      "qr",
      [close](const inputs& in) {
        const auto [q, r] = linalg::qr(in.a);
        return close(matmul(q, r), in.a);
      },
      [](const inputs& in) { linalg::qr(in.a); });
  row(
      "eigh",
      [close](const inputs& in) {
        const auto [w, v] = linalg::eigh(in.symmetric);
        return close(matmul(v * gnp::expand_dims(w, -2), gnp::matrix_transpose(v)), in.symmetric);
      },
      [](const inputs& in) { linalg::eigh(in.symmetric); });
  row(
      "det",
      [n](const inputs& in) {
        const array<T> scaled = in.positive / static_cast<T>(2 * n);  // whose determinant has a logarithm
        const auto l = linalg::cholesky(scaled);
        const array<T> expected = gnp::sum(gnp::log(linalg::diagonal(l)), {.axis = -1}) * T(2);
        const array<T> got = gnp::log(linalg::det(scaled));
        return gnp::allclose(got, expected, {.rtol = 1e-3, .atol = 1e-3});
      },
      [](const inputs& in) { linalg::det(in.a); });
  if (!stack.empty()) return;
  row(
      "lstsq",
      [close](const inputs& in) {
        return close(matmul(in.positive, linalg::lstsq(in.positive, in.b).x), in.b);
      },
      [](const inputs& in) { linalg::lstsq(in.a, in.b); });
  if (n > 1024) return;
  row(
      "eig",
      [n](const inputs& in) {
        using complex = std::complex<T>;
        const auto [w, v] = linalg::eig(in.a);
        const array<complex> turned = matmul(in.a.template astype<complex>(), v);
        const array<complex> stretched = v * w;
        return length(array<T>(gnp::abs(turned - stretched))) <=
               100 * static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(n) *
                   length(array<T>(gnp::abs(turned)));
      },
      [](const inputs& in) { linalg::eig(in.a); });
}

template <class T>
void add_all(const std::string& type, bool quick) {
  for (const index_t n : {64, 256, 512, 1024, 2048, 4096}) {
    if (!quick || n <= 512) add_svd<T>(type, {n, n}, std::to_string(n));
  }
  add_svd<T>(type, {4096, 64}, "4096x64");
  add_svd<T>(type, {100000, 64}, "100000x64");
  add_svd<T>(type, {1000, 32, 32}, "1000x32x32");
  for (const index_t n : {64, 256, 1024, 2048}) {
    if (!quick || n <= 256) add_square<T>(type, {}, n);
  }
  add_square<T>(type, {1000}, 32);
  add_square<T>(type, {500}, 100);
}

}  // namespace

void register_linalg_benchmarks(bool quick) {
  if (!gnp::cuda_available()) return;
  add_all<float>("float32", quick);
  add_all<double>("float64", quick);
}

// For each name read, `name milliseconds` of its row, or `name n/a why`: peers_linalg.py lets several libraries
// take turns.
int linalg_turns() {
  std::string known;
  for (std::string name; std::getline(std::cin, name);) {
    const auto row = rows().find(name);
    if (row == rows().end()) return 2;
    try {
      const std::function<void()>& call = row->second.call;
      if (name != known) {
        if (!row->second.is_right()) throw std::runtime_error("wrong result");
        seconds_of(call);
        known = name;
      }
      std::vector<double> times{seconds_of(call)};
      if (times[0] < 0.02) {  // does not count: the GPU has just worked for another process
        times.clear();
        double total = 0;
        while (times.size() < 10 && total < 0.005) total += times.emplace_back(seconds_of(call));
      }
      std::cout << name << ' ' << median(times) * 1e3 << std::endl;
    } catch (const std::exception& e) {
      std::cout << name << " n/a " << e.what() << std::endl;
    }
  }
  return 0;
}
