// SPDX-License-Identifier: MIT
// Random arrays, beside cuRAND's host library filling an array that exists. `of_curand` is gnp's time over
// cuRAND's in the same run, the generator in the ordering whose sequence gnp's is.
#include <benchmark/benchmark.h>

#include <gnp/gnp.hpp>
#if __has_include(<curand.h>) && GNP_HAS_CUDA
#include <curand.h>
#define HAS_CURAND 1
#else
#define HAS_CURAND 0
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

void count_failure();  // in main.cpp

namespace {

using gnp::index_t;

bool quick_run = false;

// Seconds per call: batches of back-to-back calls, each ended by one synchronisation, the median of the
// batches.
template <class Call>
double time_calls(const Call& call) {
  using clock = std::chrono::steady_clock;
  const auto batch = [&](int calls) {
    gnp::synchronize();
    const auto start = clock::now();
    for (int i = 0; i < calls; ++i) call();
    gnp::synchronize();
    return std::chrono::duration<double>(clock::now() - start).count() / calls;
  };
  batch(2);
  const int calls = 2 + static_cast<int>(std::ceil(0.025 / batch(2)));
  std::vector<double> times(quick_run ? 5 : 11);
  for (double& time : times) time = batch(calls);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Mean and deviation of a part, and the first and the last element: what was made is what was asked for.
template <class T>
void check(const gnp::array<T>& x, double mean, double deviation) {
  const index_t part = std::min<index_t>(x.size(), 1 << 20);
  for (const index_t first : {index_t{0}, x.size() - part}) {
    const auto host = gnp::asnumpy(x(gnp::slice(first, first + part)));
    double sum = 0;
    double squares = 0;
    for (const T v : host) {
      sum += static_cast<double>(v);
      squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
    }
    const auto n = static_cast<double>(part);
    if (!(std::abs(sum / n - mean) < 5 * deviation / std::sqrt(n)) ||
        !(std::abs(std::sqrt(squares / n) - deviation) < 5 * deviation / std::sqrt(n))) {
      throw std::runtime_error("wrong: the mean is " + std::to_string(sum / n) + ", the deviation " +
                               std::to_string(std::sqrt(squares / n)));
    }
  }
}

#if HAS_CURAND

/// cuRAND's generator of the sequence that gnp's is; null functions where the library is missing.
struct curand_library {
  decltype(&::curandGenerateUniform) uniform = nullptr;
  decltype(&::curandGenerateNormal) normal = nullptr;
  decltype(&::curandGenerateUniformDouble) uniform_double = nullptr;
  decltype(&::curandGenerateNormalDouble) normal_double = nullptr;
  curandGenerator_t generator = nullptr;

  curand_library() {
    const gnp::detail::shared_library library = gnp::detail::open_library({"libcurand.so.10"});
    if (!library) return;
    decltype(&::curandCreateGenerator) create = nullptr;
    decltype(&::curandSetGeneratorOrdering) set_ordering = nullptr;
    gnp::detail::load_symbol(library, "curandCreateGenerator", create);
    gnp::detail::load_symbol(library, "curandSetGeneratorOrdering", set_ordering);
    gnp::detail::load_symbol(library, "curandGenerateUniform", uniform);
    gnp::detail::load_symbol(library, "curandGenerateNormal", normal);
    gnp::detail::load_symbol(library, "curandGenerateUniformDouble", uniform_double);
    gnp::detail::load_symbol(library, "curandGenerateNormalDouble", normal_double);
    if (create(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS ||
        set_ordering(generator, CURAND_ORDERING_PSEUDO_LEGACY) != CURAND_STATUS_SUCCESS) {
      throw std::runtime_error("cuRAND refuses the generator");
    }
  }
};

double curand_seconds(float* to, index_t count, bool normal) {
  static const curand_library& library = *new curand_library;
  if (library.generator == nullptr) return 0;
  const auto n = static_cast<std::size_t>(count);
  return time_calls([&] {
    normal ? library.normal(library.generator, to, n, 0, 1) : library.uniform(library.generator, to, n);
  });
}
double curand_seconds(double* to, index_t count, bool normal) {
  static const curand_library& library = *new curand_library;
  if (library.generator == nullptr) return 0;
  const auto n = static_cast<std::size_t>(count);
  return time_calls([&] {
    normal ? library.normal_double(library.generator, to, n, 0, 1)
           : library.uniform_double(library.generator, to, n);
  });
}

#endif

void report(benchmark::State& state, double seconds, index_t bytes) {
  for (auto _ : state) state.SetIterationTime(seconds);
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["GB_per_s"] = static_cast<double>(bytes) / seconds / 1e9;
}

// A new array in each call, as users make them.
template <class Make>
void time_making(benchmark::State& state, double mean, double deviation, const Make& make) {
  auto made = make();
  check(made, mean, deviation);
  report(state, time_calls(make), made.nbytes());
}

template <class Make>
void beside_curand(benchmark::State& state, double mean, double deviation, [[maybe_unused]] bool normal,
                   const Make& make) {
  auto made = make();
  check(made, mean, deviation);
  const double seconds = time_calls(make);
#if HAS_CURAND
  if (const double theirs = curand_seconds(made.data(), made.size(), normal); theirs > 0) {
    state.counters["curand_ms"] = theirs * 1e3;
    state.counters["of_curand"] = seconds / theirs;
  }
#endif
  report(state, seconds, made.nbytes());
}

void add_case(const std::string& name, const std::function<void(benchmark::State&)>& body,
              benchmark::TimeUnit unit = benchmark::kMillisecond) {
  const auto guarded = [body](benchmark::State& state) {
    if (!gnp::cuda_available()) {
      state.SkipWithError("skipped: no CUDA device");
      return;
    }
    try {
      const gnp::use_device on_gpu(gnp::device::cuda(0));
      body(state);
    } catch (const std::exception& error) {
      count_failure();
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)->UseManualTime()->Iterations(1)->Unit(unit);
}

}  // namespace

void register_random_benchmarks(bool quick) {
  quick_run = quick;
  using benchmark::State;
  namespace r = gnp::random;
  constexpr index_t n = index_t{1} << 28;
  const double twelfth = std::sqrt(1.0 / 12);
  add_case("random/uniform/float32",
           [=](State& s) { beside_curand(s, 0.5, twelfth, false, [] { return r::random<float>({n}); }); });
  add_case("random/uniform_between/float32", [=](State& s) {
    beside_curand(s, 1, 4 * twelfth, false, [] { return r::uniform<float>(-1, 3, {n}); });
  });
  add_case("random/normal/float32",
           [](State& s) { beside_curand(s, 0, 1, true, [] { return r::standard_normal<float>({n}); }); });
  add_case("random/uniform/float64",
           [=](State& s) { beside_curand(s, 0.5, twelfth, false, [] { return r::random({n / 2}); }); });
  add_case("random/normal/float64",
           [](State& s) { beside_curand(s, 0, 1, true, [] { return r::standard_normal({n / 2}); }); });
  add_case("random/integers/int64", [](State& s) {
    time_making(s, 4.5, std::sqrt(99.0 / 12), [] { return r::integers(0, 10, {n / 2}); });
  });
  add_case("random/exponential/float32",
           [](State& s) { time_making(s, 1, 1, [] { return r::standard_exponential<float>({n}); }); });
  add_case("random/poisson_100/int64",
           [](State& s) { time_making(s, 100, 10, [] { return r::poisson(100, {n / 16}); }); });
  add_case(
      "latency/uniform",
      [=](State& s) { time_making(s, 0.5, twelfth, [] { return r::random<float>({1 << 10}); }); },
      benchmark::kMicrosecond);
}
