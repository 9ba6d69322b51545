// SPDX-License-Identifier: MIT
// Products, factorisations, sums and norms on the CPU device, and all but the last two as plain Eigen calls
// between: gnp's and Eigen's calls take turns, and the fastest of each count, so that what else the
// machine does meets both. Eigen has as many threads as gnp where the whole program is built with OpenMP, else
// one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/linalg/cholesky.hpp>
#include <gnp/linalg/eig.hpp>
#include <gnp/linalg/eigh.hpp>
#include <gnp/linalg/norm.hpp>
#include <gnp/linalg/qr.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/routines/reductions.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "noise.hpp"

void count_failure();  // in main.cpp

namespace {

using gnp::array;
using gnp::index_t;

double seconds(const auto& call) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  call();
  return std::chrono::duration<double>(clock::now() - start).count();
}

template <class Body>
void add(const std::string& name, int threads, const Body& body) {
  benchmark::RegisterBenchmark((name + "/threads_" + std::to_string(threads)).c_str(),
                               [=](benchmark::State& state) {
                                 try {
                                   const gnp::use_device on_cpu(gnp::device::cpu());
                                   gnp::set_num_threads(threads);
                                   body(state);
                                 } catch (const std::exception& error) {
                                   count_failure();
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

void require(bool right, const char* what) {
  if (!right) throw std::runtime_error(std::string("wrong ") + what);
}

void add_sums(bool quick, int threads) {
  constexpr index_t count = index_t{1} << 24;
  const auto row = [=](const char* name, auto call, double (*share)(double)) {
    add(name, threads, [=](benchmark::State& state) {
      const gnp::host_array<float> values = noise<float>({count});
      double want = 0;
      for (const float x : values) want += share(static_cast<double>(x));
      const array<float> x = gnp::asarray(values);
      require(std::fabs(call(x) - want) <= 1e-4 * std::fabs(want) + 1e-2, "sum");
      double fastest = seconds([&] { call(x); });
      for (int i = 0; i < (quick ? 10 : 40); ++i) fastest = std::min(fastest, seconds([&] { call(x); }));
      for (auto _ : state) state.SetIterationTime(fastest);
      state.counters["fastest_ms"] = fastest * 1e3;
    });
  };
  row(
      "cpu/sum/float32", [](const array<float>& x) { return static_cast<double>(gnp::sum(x).item()); },
      [](double x) { return x; });
  row(
      "cpu/norm/float32",
      [](const array<float>& x) {
        const auto length = static_cast<double>(gnp::linalg::norm(x).item());
        return length * length;
      },
      [](double x) { return x * x; });
}

#if GNP_HAS_EIGEN

/// Times gnp's call and Eigen's in turn.
void compare(benchmark::State& state, bool quick, int threads, const auto& ours, const auto& theirs) {
#if defined(_OPENMP)
  Eigen::setNbThreads(threads);
#else
  (void)threads;
#endif
  double fastest = seconds(ours);
  double eigen = seconds(theirs);
  double total = 0;
  for (int i = 0; i < 3 || (i < 1000 && total < (quick ? 0.2 : 1.5)); ++i) {
    const double a = seconds(ours);
    const double b = seconds(theirs);
    fastest = std::min(fastest, a);
    eigen = std::min(eigen, b);
    total += a + b;
  }
  for (auto _ : state) state.SetIterationTime(fastest);
  state.counters["fastest_ms"] = fastest * 1e3;
  state.counters["eigen_ms"] = eigen * 1e3;
  state.counters["of_eigen"] = fastest / eigen;
}

template <class T>
void add_with_eigen(const std::string& type, bool quick, int threads) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  // A gnp array lies in memory row by row.
  const auto eigen_of = [](const array<T>& x) {
    return matrix(Eigen::Map<const rows>(x.data(), x.shape()[0], x.shape()[1]));
  };
  const auto small = [](const matrix& difference, const matrix& from, index_t n) {
    const double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
    return static_cast<double>(difference.norm()) <=
           30 * eps * std::sqrt(static_cast<double>(n)) * static_cast<double>(from.norm());
  };
  for (const index_t n : {64, 256, 512, 1024}) {
    add("cpu/svd/" + type + "/" + std::to_string(n), threads, [=](benchmark::State& state) {
      const array<T> a = gnp::asarray(noise<T>({n, n}));
      const matrix b = eigen_of(a);
      const auto ours = [&] { return gnp::linalg::svd(a, {.full_matrices = false}); };
      const auto [u, s, vh] = ours();
      const auto values = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(s.data(), n);
      require(small(eigen_of(u) * values.asDiagonal() * eigen_of(vh) - b, b, n), "decomposition");
      compare(
          state, quick, threads, [&] { ours(); },
          [&] {
            const Eigen::BDCSVD<matrix> svd(b, Eigen::ComputeThinU | Eigen::ComputeThinV);
            T largest = svd.singularValues()[0];  // Benchmark 1.8 refuses what is const
            benchmark::DoNotOptimize(largest);
          });
    });
    if (n <= 256) {
      add("cpu/eig/" + type + "/" + std::to_string(n), threads, [=](benchmark::State& state) {
        using complex_matrix = Eigen::Matrix<std::complex<T>, Eigen::Dynamic, Eigen::Dynamic>;
        using complex_rows = Eigen::Matrix<std::complex<T>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        const array<T> a = gnp::asarray(noise<T>({n, n}));
        const matrix b = eigen_of(a);
        const auto ours = [&] { return gnp::linalg::eig(a); };
        const auto [values, vectors] = ours();
        const complex_matrix v = Eigen::Map<const complex_rows>(vectors.data(), n, n);
        const auto lambda =
            Eigen::Map<const Eigen::Matrix<std::complex<T>, Eigen::Dynamic, 1>>(values.data(), n);
        const complex_matrix difference = b.template cast<std::complex<T>>() * v - v * lambda.asDiagonal();
        require(small(difference.cwiseAbs(), b, n), "eigenvectors");
        compare(
            state, quick, threads, [&] { ours(); },
            [&] {
              const Eigen::EigenSolver<matrix> solver(b);
              std::complex<T> first = solver.eigenvalues()[0];
              benchmark::DoNotOptimize(first);
            });
      });
    }
    if (n == 512) continue;
    add("cpu/matmul/" + type + "/" + std::to_string(n), threads, [=](benchmark::State& state) {
      const array<T> a = gnp::asarray(noise<T>({n, n}));
      const array<T> b = a(gnp::slice(gnp::none, gnp::none, -1)).copy();
      const matrix eigen_a = eigen_of(a);
      const matrix eigen_b = eigen_of(b);
      const matrix product = eigen_a * eigen_b;
      require(small(eigen_of(gnp::matmul(a, b).eval()) - product, product, n), "product");
      compare(
          state, quick, threads, [&] { const array<T> c = gnp::matmul(a, b); },
          [&] {
            const matrix c = eigen_a * eigen_b;
            benchmark::DoNotOptimize(c.data());
          });
    });
  }
}

/// What OpenBLAS or MKL, or GNP_LAPACK=none, make the difference for.
template <class T>
void add_solvers(const std::string& type, bool quick, int threads) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  namespace linalg = gnp::linalg;
  for (const index_t n : {64, 256, 1024}) {
    // `again` makes the matrix of the answer.
    const auto row = [=](const char* name, auto ours, auto again, auto theirs) {
      add("cpu/" + std::string(name) + "/" + type + "/" + std::to_string(n), threads,
          [=](benchmark::State& state) {
            const array<T> general = gnp::asarray(noise<T>({n, n}));
            const array<T> a = gnp::matmul(general, general.T()) + gnp::eye<T>(n) * static_cast<T>(n);
            const matrix b = Eigen::Map<const rows>(a.data(), n, n);
            const auto missing = static_cast<double>(linalg::norm(again(a, ours(a)) - a).item());
            const double eps = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(n);
            require(missing <= 30 * eps * static_cast<double>(linalg::norm(a).item()), name);
            compare(
                state, quick, threads, [&] { ours(a); },
                [&] {
                  T some = theirs(b);  // Benchmark 1.8 refuses what is const
                  benchmark::DoNotOptimize(some);
                });
          });
    };
    row(
        "solve", [](const array<T>& a) { return linalg::solve(a, a); },
        [](const array<T>& a, const array<T>& x) { return array<T>(gnp::matmul(a, x)); },
        [](const matrix& b) { return matrix(Eigen::PartialPivLU<matrix>(b).solve(b))(0, 0); });
    row(
        "inv", [](const array<T>& a) { return linalg::inv(a); },
        [](const array<T>& a, const array<T>& x) { return array<T>(gnp::matmul(a, gnp::matmul(x, a))); },
        [](const matrix& b) { return matrix(b.inverse())(0, 0); });
    row(
        "cholesky", [](const array<T>& a) { return linalg::cholesky(a); },
        [](const array<T>&, const array<T>& l) { return array<T>(gnp::matmul(l, l.T())); },
        [](const matrix& b) { return Eigen::LLT<matrix>(b).matrixLLT()(0, 0); });
    row(
        "qr", [](const array<T>& a) { return linalg::qr(a); },
        [](const array<T>&, const auto& f) { return array<T>(gnp::matmul(f.q, f.r)); },
        [](const matrix& b) { return matrix(Eigen::HouseholderQR<matrix>(b).householderQ())(0, 0); });
    row(
        "eigh", [](const array<T>& a) { return linalg::eigh(a); },
        [](const array<T>&, const auto& f) {
          return array<T>(gnp::matmul((f.eigenvectors * f.eigenvalues).eval(), f.eigenvectors.T()));
        },
        [](const matrix& b) { return Eigen::SelfAdjointEigenSolver<matrix>(b).eigenvalues()[0]; });
  }
}

#endif

}  // namespace

void register_cpu_linalg_benchmarks(bool quick) {
  for (const int threads : {1, 2}) {
#if GNP_HAS_EIGEN
    add_with_eigen<float>("float32", quick, threads);
    add_solvers<float>("float32", quick, threads);
#if !defined(GNP_BENCHMARK_ONE_TYPE)  // a look whether this compiles need not see it twice
    add_with_eigen<double>("float64", quick, threads);
    add_solvers<double>("float64", quick, threads);
#endif
#endif
    add_sums(quick, threads);
  }
}
