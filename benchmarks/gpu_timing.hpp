// SPDX-License-Identifier: MIT
// What the GPU cases have in common: batches of calls, the copy bandwidth of this run, inputs, checks.
#pragma once

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gnp/gnp.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rest.hpp"

void count_failure();  // in main.cpp

namespace gpu_timing {

using gnp::index_t;

inline bool quick_run = false;

struct wrong_result : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// ---------------------------------------------------------------------------------------------- timing

struct timing {
  double median;
  double fastest;
  double slowest;
};

// Seconds per call: batches of back-to-back calls, each ended by one synchronisation, the median of the
// batches. A batch is 25 ms or more of GPU work, beside which the synchronisation (some 10 µs) does not count.
template <class Call>
timing time_calls(Call&& call, index_t least_calls = 2) {
  using clock = std::chrono::steady_clock;
  const auto batch = [&](index_t calls) {
    gnp::synchronize();
    const auto start = clock::now();
    for (index_t i = 0; i < calls; ++i) call();
    gnp::synchronize();
    return std::chrono::duration<double>(clock::now() - start).count() / static_cast<double>(calls);
  };
  gnp::synchronize();
  rest();
  batch(least_calls);  // compiles, and lets the memory pool and the clocks rise
  const double guess = batch(least_calls);
  const auto calls = 2 * std::max((least_calls + 1) / 2, static_cast<index_t>(std::ceil(0.0125 / guess)));
  std::vector<double> times(quick_run ? 5 : 11);
  for (double& time : times) time = batch(calls);
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

inline void report(benchmark::State& state, const timing& time) {
  for (auto _ : state) state.SetIterationTime(time.median);
  state.counters["spread"] = time.slowest / time.fastest - 1;
}

// ------------------------------------------------------------------------------------- the copy bandwidth

// The driver's own copy, found as gnp finds it. gnp's first array has left a current context behind.
inline void driver_copy(void* to, const void* from, std::size_t bytes) {
  using memcpy_fn = int (*)(unsigned long long, unsigned long long, std::size_t, void*);
  static const auto copy = [] {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, "cuMemcpyDtoDAsync_v2");
    if (symbol == nullptr) throw std::runtime_error("libcuda.so.1 has no cuMemcpyDtoDAsync_v2");
    return reinterpret_cast<memcpy_fn>(symbol);
  }();
  const int status =
      copy(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes, nullptr);
  if (status != 0) throw std::runtime_error("cuMemcpyDtoDAsync failed with " + std::to_string(status));
}

inline constexpr index_t copy_elements = index_t{1} << 28;
inline constexpr double copy_bytes = 2.0 * copy_elements * sizeof(float);  // read once, written once

// -1 to 1, and no two neighbours alike: zeros would run faster than data does, and hide a wrong index.
template <class T>
gnp::array<T> waves(const gnp::shape_t& shape, double step) {
  index_t count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) count *= shape[axis];
  // Through float64, for float32 cannot tell 2^28 positions apart; in pieces, for 2^29 float64 are 4 GiB.
  gnp::array<T> flat = gnp::empty<T>({count});
  constexpr index_t piece = index_t{1} << 26;
  for (index_t first = 0; first < count; first += piece) {
    const index_t size = std::min(piece, count - first);
    const gnp::array<double> position = gnp::arange<double>(size);
    flat(gnp::slice(first, first + size)) =
        gnp::sin((position + static_cast<double>(first)) * step).template astype<T>();
  }
  return flat.reshape(shape);
}

struct copy_times {
  timing by_driver;
  timing by_gnp;
};

// Measured once, by whichever case asks first. "The copy bandwidth of this run" is the faster of the two.
inline const copy_times& copies() {
  static const copy_times times = [] {
    const gnp::array<float> from = waves<float>({copy_elements}, 0.37);
    gnp::array<float> to = gnp::empty<float>({copy_elements});
    const auto check = [&](const char* who) {
      for (const index_t i : {index_t{0}, copy_elements / 2 + 1, copy_elements - 1}) {
        if (to.item(i) != from.item(i))
          throw wrong_result(std::string(who) + ": wrong at " + std::to_string(i));
      }
    };
    copy_times result{};
    to.fill(-77.0F);
    gnp::synchronize();
    result.by_driver = time_calls([&] { driver_copy(to.data(), from.data(), copy_elements * sizeof(float)); });
    check("driver");
    to.fill(-77.0F);
    result.by_gnp = time_calls([&] { to(gnp::ellipsis) = from; });
    check("gnp");
    return result;
  }();
  return times;
}

inline double copy_bandwidth() {
  return copy_bytes / std::min(copies().by_driver.median, copies().by_gnp.median);
}

inline void report_bandwidth(benchmark::State& state, const timing& time, double bytes) {
  const double bandwidth = copy_bandwidth();
  report(state, time);
  state.counters["bytes"] = bytes;
  state.counters["GB_per_s"] = bytes / time.median / 1e9;
  state.counters["of_copy"] = bytes / time.median / bandwidth;
}

template <class Call>
void time_bandwidth(benchmark::State& state, double bytes, Call&& call) {
  copy_bandwidth();  // first, so that the order of the cases does not matter
  report_bandwidth(state, time_calls(std::forward<Call>(call)), bytes);
}

// ---------------------------------------------------------------------------------------------- checking

template <class T>
double number(T value) {
  if constexpr (std::is_same_v<T, gnp::half>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}

template <class T>
inline constexpr double tolerance = std::is_same_v<T, gnp::half> ? 4e-3
                                    : std::is_same_v<T, double>  ? 1e-13
                                                                 : 2e-6;

// First, last, and places in between that fall on different vectors, tiles and blocks.
inline std::vector<index_t> places(index_t count) {
  std::vector<index_t> result{0, 1, count - 2, count - 1};
  for (index_t k = 1; k < 40; ++k) result.push_back(((count / 40) * k + (k * 7919) % 97) % count);
  return result;
}

inline void expect(double got, double want, double limit, index_t where) {
  if (std::abs(got - want) <= limit * std::max(1.0, std::abs(want))) return;  // false for NaN
  throw wrong_result("wrong at " + std::to_string(where) + ": got " + std::to_string(got) + ", expected " +
                     std::to_string(want));
}

// ------------------------------------------------------------------------------------------------- cases

inline void add_case(const std::string& name, const std::function<void(benchmark::State&)>& body,
                     benchmark::TimeUnit unit = benchmark::kMillisecond) {
  const auto guarded = [body](benchmark::State& state) {
    if (!gnp::cuda_available()) {
      state.SkipWithError("skipped: no CUDA device");
      return;
    }
    try {
      gnp::use_device on_gpu(gnp::device::cuda(0));
      body(state);
    } catch (const std::exception& error) {
      count_failure();
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)->UseManualTime()->Iterations(1)->Unit(unit);
}

}  // namespace gpu_timing
