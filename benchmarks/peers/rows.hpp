// SPDX-License-Identifier: MIT
// What the programs of this folder share: they do the work of gnp's cases of the same names with another C++
// library, time it as gpu_timing.hpp and linalg_bench.cpp do, and print `name milliseconds`, or `name n/a why`,
// for each row.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../noise_values.hpp"
#include "../rest.hpp"

namespace rows {

using size = std::int64_t;
using clock = std::chrono::steady_clock;

inline double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

// ---------------------------------------------------------------------------------------------- timing

inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Seconds per call: batches of back-to-back calls, 25 ms or more each and ended by one wait, the median of 11
/// batches.
double time_calls(const auto& call, const auto& wait, size least_calls = 2) {
  const auto batch = [&](size calls) {
    wait();
    const auto start = clock::now();
    for (size i = 0; i < calls; ++i) call();
    wait();
    return seconds_since(start) / static_cast<double>(calls);
  };
  wait();
  rest();
  batch(least_calls);  // lets the memory pool and the clocks rise
  const double guess = batch(least_calls);
  const auto calls = 2 * std::max((least_calls + 1) / 2, static_cast<size>(std::ceil(0.0125 / guess)));
  std::vector<double> times(11);
  for (double& time : times) time = batch(calls);
  return median(times);
}

/// Seconds per call, for factorisations: single calls, a wait after each, the median.
double time_single_calls(const auto& call, const auto& wait) {
  call();
  wait();
  std::vector<double> times;
  double total = 0;
  while (times.size() < 15 && (total < 0.1 || (times.size() < 5 && total < 1.5))) {
    const auto start = clock::now();
    call();
    wait();
    times.push_back(seconds_since(start));
    total += times.back();
  }
  return median(times);
}

// ---------------------------------------------------------------------------------------------- inputs

template <class T>
std::vector<T> noise(size count, std::uint64_t seed = 0) {
  std::vector<T> values(static_cast<std::size_t>(count));
  fill_with_noise(values, seed);
  return values;
}

/// A stack of symmetric n x n matrices, made of noise as linalg_bench.cpp makes them.
inline std::vector<float> symmetric_noise(size stack, size n) {
  const std::vector<float> a = noise<float>(stack * n * n);
  std::vector<float> result(a.size());
  for (size k = 0; k < stack; ++k) {
    for (size i = 0; i < n; ++i) {
      for (size j = 0; j < n; ++j) {
        result[(k * n + i) * n + j] = a[(k * n + i) * n + j] + a[(k * n + j) * n + i];
      }
    }
  }
  return result;
}

/// What host arrays of 256 MiB hold before they are sent to the GPU.
inline std::vector<float> link_values() {
  std::vector<float> values(std::size_t{1} << 26);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 65521) * 0.25F;
  return values;
}

// ---------------------------------------------------------------------------------------------- checking

/// First, last, and places in between that fall on different vectors, tiles and blocks.
inline std::vector<size> places(size count) {
  std::vector<size> result{0, 1, count - 2, count - 1};
  for (size k = 1; k < 40; ++k) result.push_back(((count / 40) * k + (k * 7919) % 97) % count);
  return result;
}

inline void expect(double got, double want, double limit, size where = 0) {
  if (std::abs(got - want) <= limit * std::max(1.0, std::abs(want))) return;  // false for NaN
  throw std::runtime_error("wrong at " + std::to_string(where) + ": got " + std::to_string(got) +
                           ", expected " + std::to_string(want));
}

/// at(i), the i-th element of a result, is want(i) at the places.
void check(size count, double limit, const auto& at, const auto& want) {
  for (const size i : places(count)) expect(at(i), want(i), limit, i);
}

/// c is the product of the n x n matrices a and b, all row-major. The limit is too close for TF32.
template <class T>
void check_product(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c, size n) {
  const double limit = (sizeof(T) == 8 ? 1e-13 : 1e-5) * std::sqrt(static_cast<double>(n));
  for (const size at : places(n * n)) {
    double sum = 0;
    for (size k = 0; k < n; ++k) sum += double{a[at / n * n + k]} * double{b[k * n + at % n]};
    expect(double{c[at]}, sum, limit, at);
  }
}

/// a = u diag(s) vh, all n x n and row-major.
inline void check_svd(const std::vector<float>& a, const std::vector<float>& u, const std::vector<float>& s,
                      const std::vector<float>& vh, size n) {
  for (const size at : places(n * n)) {
    double sum = 0;
    for (size k = 0; k < n; ++k) sum += double{u[at / n * n + k]} * double{s[k]} * double{vh[k * n + at % n]};
    expect(sum, double{a[at]}, 1e-4 * std::sqrt(static_cast<double>(n)), at);
  }
}

/// In the matrix number k of a stack, column j of v is an eigenvector of length one, and w(j) its eigenvalue.
inline void check_eigh(const std::vector<float>& a, const std::vector<float>& w, const std::vector<float>& v,
                       size k, size n) {
  for (size j = 0; j < n; ++j) {
    double length = 0;
    for (size i = 0; i < n; ++i) {
      double turned = 0;
      for (size l = 0; l < n; ++l) turned += double{a[(k * n + i) * n + l]} * double{v[(k * n + l) * n + j]};
      const double element = v[(k * n + i) * n + j];
      expect(turned, w[k * n + j] * element, 1e-4, (k * n + i) * n + j);
      length += element * element;
    }
    expect(length, 1, 1e-4, k);
  }
}

/// Numbers that are uniform from 0 to 1 by their mean and deviation.
inline void check_uniform(const std::vector<float>& values) {
  double sum = 0, squares = 0;
  for (const float value : values) {
    if (!(value >= 0 && value <= 1)) throw std::runtime_error("not from 0 to 1");
    sum += value;
    squares += (value - 0.5) * (value - 0.5);
  }
  const auto n = static_cast<double>(values.size());
  const double deviation = std::sqrt(1.0 / 12);
  expect(sum / n, 0.5, 5 * deviation / std::sqrt(n));
  expect(std::sqrt(squares / n), deviation, 5 * deviation / std::sqrt(n));
}

/// The sum of products of elements (or, without b, of elements), in float64.
inline double exact_sum(const std::vector<float>& a, const std::vector<float>* b = nullptr) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * (b == nullptr ? 1.0 : double{(*b)[i]});
  return sum;
}

/// The running sums of a, in float64, are got at the places.
inline void check_cumsum(const std::vector<float>& a, const std::vector<float>& got) {
  std::vector<size> where = places(static_cast<size>(a.size()));
  std::sort(where.begin(), where.end());
  double sum = 0;
  std::size_t next = 0;
  for (const size at : where) {
    for (; next <= static_cast<std::size_t>(at); ++next) sum += a[next];
    expect(got[static_cast<std::size_t>(at)], sum, 2e-2, at);
  }
}

// ---------------------------------------------------------------------------------------------- rows

/// The rows whose names start with what the command line asks for.
class printer {
 public:
  explicit printer(std::string only) : only_(std::move(only)) {}

  /// seconds() checks, times and returns; what it throws is printed in the place of the time.
  void operator()(const std::string& name, const auto& seconds) const {
    if (!name.starts_with(only_)) return;
    try {
      const double time = seconds();
      std::printf("%s %.6g\n", name.c_str(), time * 1e3);
    } catch (const std::exception& error) {
      std::string why = error.what();
      std::replace(why.begin(), why.end(), '\n', ' ');
      std::printf("%s n/a %s\n", name.c_str(), why.substr(0, 200).c_str());
    }
    std::fflush(stdout);
  }

 private:
  std::string only_;
};

/// The beginning of main: the help text, or the only argument.
inline printer command_line(int count, char** arguments, const char* library) {
  const std::string only = count > 1 ? arguments[1] : "";
  if (only == "--help" || only == "-h" || count > 2) {
    std::printf(
        "Usage: %s [START]\n\nTimes %s's rows, or those whose names begin with START: name, milliseconds per "
        "call.\n",
        arguments[0], library);
    std::exit(count > 2 ? 2 : 0);
  }
  return printer(only);
}

}  // namespace rows
