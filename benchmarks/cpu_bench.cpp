// SPDX-License-Identifier: MIT
// The CPU rows: elementwise expressions on the CPU device, beside Eigen's and xtensor's where they are.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <gnp/gnp.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<Eigen/Core>)
#define GNP_BENCHMARK_EIGEN 1
#include <Eigen/Core>
#else
#define GNP_BENCHMARK_EIGEN 0
#endif
#if __has_include(<xtensor/xtensor.hpp>)
#define GNP_BENCHMARK_XTENSOR 1
#if __has_include(<xsimd/xsimd.hpp>)
#define XTENSOR_USE_XSIMD
#endif
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#else
#define GNP_BENCHMARK_XTENSOR 0
#endif

void count_failure();  // in main.cpp

namespace {

using gnp::index_t;

constexpr index_t count = index_t{1} << 24;

// Moderate angles of both signs: no library is on its slow path for huge arguments.
float x_at(index_t i) { return static_cast<float>(i % 65521) * 4e-4F - 13.0F; }
float y_at(index_t i) { return static_cast<float>(i % 32749) * 1e-4F + 0.25F; }
float z_at(index_t i) { return static_cast<float>(i % 8191) * 1e-3F - 4.0F; }

template <class Value>
std::vector<float> values(Value value) {
  std::vector<float> result(count);
  for (index_t i = 0; i < count; ++i) result[static_cast<std::size_t>(i)] = value(i);
  return result;
}

// Every element is checked; this costs less than one timing.
template <class Result>
void check(const Result& result, bool sine) {
  for (index_t i = 0; i < count; ++i) {
    const float x = x_at(i), y = y_at(i);
    const double want = sine ? std::sin(static_cast<double>(x)) * y + x : static_cast<double>(x) * y + z_at(i);
    if (!(std::abs(result[i] - want) <= 3e-6 * std::max(1.0, std::abs(want)))) {
      throw std::runtime_error("wrong at " + std::to_string(i) + ": got " + std::to_string(result[i]) +
                               ", expected " + std::to_string(want));
    }
  }
}

// The median of single calls, and the fastest: on a shared machine a mean is the neighbours' noise.
template <class Call>
void time_cpu(benchmark::State& state, bool quick, Call&& call) {
  using clock = std::chrono::steady_clock;
  call();
  std::vector<double> times(quick ? 11 : 31);
  for (double& time : times) {
    const auto start = clock::now();
    call();
    time = std::chrono::duration<double>(clock::now() - start).count();
  }
  std::sort(times.begin(), times.end());
  for (auto _ : state) state.SetIterationTime(times[times.size() / 2]);
  state.counters["fastest_ms"] = times.front() * 1e3;
}

void gnp_case(benchmark::State& state, bool quick, bool sine, int threads, bool allocating) {
  gnp::use_device on_cpu(gnp::device::cpu());
  gnp::set_num_threads(threads);
  const gnp::array<float> x = gnp::asarray(values(x_at));
  const gnp::array<float> y = gnp::asarray(values(y_at));
  const gnp::array<float> z = gnp::asarray(values(z_at));
  gnp::array<float> out = gnp::empty<float>({count});
  out.fill(-77.0F);
  const auto run = [&](const auto& expression) {
    out(gnp::ellipsis) = expression;
    check(gnp::asnumpy(out), sine);
    if (allocating) {
      time_cpu(state, quick, [&] { const gnp::array<float> result = expression; });
    } else {
      time_cpu(state, quick, [&] { out(gnp::ellipsis) = expression; });
    }
  };
  if (sine) {
    run(gnp::sin(x) * y + x);
  } else {
    run(x * y + z);
  }
}

// A peer's expression, assigned to `out` by `assign`.
template <class Array, class Assign, class Expression>
[[maybe_unused]] void time_peer(benchmark::State& state, bool quick, bool sine, bool allocating, Array& out,
                                const Assign& assign, const Expression& expression) {
  assign(out, expression);
  check(out, sine);
  if (allocating) {
    time_cpu(state, quick, [&] {
      const Array result = expression;
      benchmark::DoNotOptimize(result.data());
    });
  } else {
    time_cpu(state, quick, [&] {
      assign(out, expression);
      benchmark::ClobberMemory();
    });
  }
}

#if GNP_BENCHMARK_EIGEN
void eigen_case(benchmark::State& state, bool quick, bool sine, bool allocating) {
  const auto array_of = [](const std::vector<float>& from) {
    return Eigen::ArrayXf(Eigen::Map<const Eigen::ArrayXf>(from.data(), count));
  };
  const Eigen::ArrayXf x = array_of(values(x_at)), y = array_of(values(y_at)), z = array_of(values(z_at));
  Eigen::ArrayXf out = Eigen::ArrayXf::Constant(count, -77.0F);
  const auto run = [&](const auto& expression) {
    const auto assign = [](Eigen::ArrayXf& to, const auto& from) { to = from; };
    time_peer(state, quick, sine, allocating, out, assign, expression);
  };
  if (sine) {
    run(x.sin() * y + x);
  } else {
    run(x * y + z);
  }
}
#endif

#if GNP_BENCHMARK_XTENSOR
void xtensor_case(benchmark::State& state, bool quick, bool sine, bool allocating) {
  using array = xt::xtensor<float, 1>;
  const auto array_of = [](const std::vector<float>& from) { return array(xt::adapt(from)); };
  const array x = array_of(values(x_at)), y = array_of(values(y_at)), z = array_of(values(z_at));
  array out = array_of(std::vector<float>(count, -77.0F));
  const auto run = [&](const auto& expression) {
    const auto assign = [](array& to, const auto& from) { xt::noalias(to) = from; };
    time_peer(state, quick, sine, allocating, out, assign, expression);
  };
  if (sine) {
    run(xt::sin(x) * y + x);
  } else {
    run(x * y + z);
  }
}
#endif

template <class Body>
void add_case(const std::string& name, Body body) {
  const auto guarded = [body](benchmark::State& state) {
    try {
      body(state);
    } catch (const std::exception& error) {
      count_failure();
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), guarded)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_cpu_benchmarks(bool quick) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<int> threads{1};
  if (cores >= 2) threads.push_back(2);
  if (cores > 2) threads.push_back(cores);
  for (const bool sine : {true, false}) {
    const std::string row = sine ? "cpu/sin_mul_add/" : "cpu/mul_add/";
    for (const bool allocating : {false, true}) {
      const std::string end = allocating ? "/allocating" : "/into_output";
      for (const int n : threads) {
        add_case(row + "gnp/threads_" + std::to_string(n) + end,
                 [=](benchmark::State& state) { gnp_case(state, quick, sine, n, allocating); });
      }
#if GNP_BENCHMARK_EIGEN
      add_case(row + "eigen" + end,
               [=](benchmark::State& state) { eigen_case(state, quick, sine, allocating); });
#endif
#if GNP_BENCHMARK_XTENSOR
      add_case(row + "xtensor" + end,
               [=](benchmark::State& state) { xtensor_case(state, quick, sine, allocating); });
#endif
    }
  }
}
