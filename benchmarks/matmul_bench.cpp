// SPDX-License-Identifier: MIT
// matmul beside cuBLAS called by hand on contiguous data in the same run, and beside a plain Eigen call on the
// CPU. Each case checks its answer before it is timed.
#include <benchmark/benchmark.h>

#include <gnp/gnp.hpp>
#include <gnp/libraries/cublas.hpp>
#if GNP_HAS_CUDA && __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define HAS_CUBLAS 1
#else
#define HAS_CUBLAS 0
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "rest.hpp"

void count_failure();  // in main.cpp

namespace {

using gnp::array;
using gnp::index_t;

bool quick_run = false;

double batch_seconds(index_t calls, const auto& call) {
  using clock = std::chrono::steady_clock;
  gnp::synchronize();
  const auto start = clock::now();
  for (index_t i = 0; i < calls; ++i) call();
  gnp::synchronize();
  return std::chrono::duration<double>(clock::now() - start).count() / static_cast<double>(calls);
}

struct comparison {
  double ours;
  double theirs;
};

// Median seconds per call of two ways to do the same, measured in turn so that both see the same clocks.
comparison compare(const auto& ours, const auto& theirs) {
  const auto calls_for = [](const auto& call) {
    batch_seconds(3, call);
    return std::max(index_t{2}, static_cast<index_t>(0.01 / batch_seconds(3, call)));
  };
  gnp::synchronize();
  rest();
  const index_t our_calls = calls_for(ours), their_calls = calls_for(theirs);
  std::vector<double> a, b;
  for (int round = 0; round < (quick_run ? 3 : 7); ++round) {
    a.push_back(batch_seconds(our_calls, ours));
    b.push_back(batch_seconds(their_calls, theirs));
  }
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return {a[a.size() / 2], b[b.size() / 2]};
}

template <class T>
std::complex<double> number(T x) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<double>(static_cast<float>(x));
  } else {
    return std::complex<double>(x);
  }
}

// -1 to 1, and no two neighbours alike.
template <class T>
array<T> waves(const gnp::shape_t& shape, double step) {
  index_t count = 1;
  for (const index_t size : shape) count *= size;
  const array<double> x = gnp::arange<double>(count) * step;
  if constexpr (std::is_same_v<T, gnp::complex64> || std::is_same_v<T, gnp::complex128>) {
    return array<T>((sin(x) + cos(x * 1.7) * gnp::complex128(0, 1)).template astype<T>()).reshape(shape);
  } else {
    return array<T>(sin(x).template astype<T>()).reshape(shape);
  }
}

template <class T>
void check(const array<T>& c, const array<T>& a, const array<T>& b, index_t row, index_t column) {
  const auto left = gnp::asnumpy(a(row)), right = gnp::asnumpy(b(gnp::all, column));
  std::complex<double> expected;
  for (index_t k = 0; k < left.size(); ++k) expected += number(left[k]) * number(right[k]);
  const double eps = sizeof(T) == 2 ? 1e-2 : std::is_same_v<T, double> ? 1e-12 : 1e-4;
  const double error = std::abs(number(c.item(row, column)) - expected);
  if (error <= eps * std::sqrt(static_cast<double>(left.size())) + eps * std::abs(expected)) return;
  throw std::runtime_error("wrong at " + std::to_string(row) + ", " + std::to_string(column));
}

#if HAS_CUBLAS
template <class Function>
Function* symbol(const char* name) {
  Function* function = nullptr;
  gnp::detail::load_symbol(gnp::detail::cublas().library, name, function);
  return function;
}
// A function of cuBLAS, as NVIDIA declares it, in the library that gnp opened.
#define CUBLAS(function)                                                \
  ([]() -> decltype(&::function) {                                      \
    static const auto loaded = symbol<decltype(::function)>(#function); \
    return loaded;                                                      \
  }())

// cuBLAS by hand: its own handle, row-major matrices read as their transposes.
class by_hand {
 public:
  by_hand() {
    gnp::synchronize();
    check(CUBLAS(cublasCreate_v2)(&handle_));
    check(CUBLAS(cublasSetStream_v2)(handle_, CU_STREAM_LEGACY));
  }

  template <class T>
  void multiply(index_t n, const T* a, const T* b, T* c, index_t batch = 1) const {
    static const gnp::detail::gemm_scalar<T> one(1), zero(0);
    constexpr auto type = static_cast<cudaDataType>(gnp::detail::cuda_type(gnp::dtype_of<T>));
    const auto compute = gnp::dtype_of<T> == gnp::dtype::float64 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    constexpr cublasOperation_t as_is = CUBLAS_OP_N;
    const int size = static_cast<int>(n);
    if (batch > 1) {
      check(CUBLAS(cublasGemmStridedBatchedEx_64)(handle_, as_is, as_is, size, size, size, &one, b, type, size,
                                                  n * n, a, type, size, n * n, &zero, c, type, size, n * n,
                                                  batch, compute, CUBLAS_GEMM_DEFAULT));
    } else if constexpr (std::is_same_v<T, float>) {
      check(CUBLAS(cublasSgemm_v2)(handle_, as_is, as_is, size, size, size, &one, b, size, a, size, &zero, c,
                                   size));
    } else if constexpr (std::is_same_v<T, double>) {
      check(CUBLAS(cublasDgemm_v2)(handle_, as_is, as_is, size, size, size, &one, b, size, a, size, &zero, c,
                                   size));
    } else if constexpr (std::is_same_v<T, gnp::complex64>) {
      const auto z = [](const T* p) { return reinterpret_cast<const cuComplex*>(p); };
      check(CUBLAS(cublasCgemm_v2)(handle_, as_is, as_is, size, size, size, z(&one), z(b), size, z(a), size,
                                   z(&zero), reinterpret_cast<cuComplex*>(c), size));
    } else {
      check(CUBLAS(cublasGemmEx_64)(handle_, as_is, as_is, size, size, size, &one, b, type, size, a, type, size,
                                    &zero, c, type, size, compute, CUBLAS_GEMM_DEFAULT));
    }
  }

 private:
  static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLAS by hand: " + std::to_string(status));
  }
  cublasHandle_t handle_ = nullptr;
};

const by_hand& hand() {
  static const by_hand& only = *new by_hand;
  return only;
}

void report(benchmark::State& state, const comparison& times, double operations) {
  for (auto _ : state) state.SetIterationTime(times.ours);
  state.counters["tflops"] = operations / times.ours / 1e12;
  state.counters["of_cublas"] = times.theirs / times.ours;
}

enum class operands { contiguous, left_transposed, right_transposed };

template <class T>
void square(benchmark::State& state, index_t n, operands which) {
  const array<T> a = waves<T>({n, n}, 0.37), b = waves<T>({n, n}, 0.11);
  const array<T> left = which == operands::left_transposed ? array<T>(a.T().copy().T()) : a;
  const array<T> right = which == operands::right_transposed ? array<T>(b.T().copy().T()) : b;
  array<T> c = gnp::matmul(left, right);
  check(c, a, b, 0, n - 1);
  check(c, a, b, n / 2, n / 3);
  array<T> d = gnp::empty<T>({n, n});
  hand().multiply(n, a.data(), b.data(), d.data());
  check(d, a, b, n / 2, n / 3);
  const double times = gnp::is_complex(gnp::dtype_of<T>) ? 8.0 : 2.0;
  // What a user writes: the result is allocated in each call, and freed.
  report(state,
         compare([&] { const array<T> result = gnp::matmul(left, right); },
                 [&] { hand().multiply(n, a.data(), b.data(), d.data()); }),
         times * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n));
}

template <class T>
void stack(benchmark::State& state, index_t batch, index_t n) {
  const array<T> a = waves<T>({batch, n, n}, 0.37), b = waves<T>({batch, n, n}, 0.11);
  array<T> c = gnp::matmul(a, b);
  check<T>(c(batch - 1), a(batch - 1), b(batch - 1), n / 2, n / 3);
  array<T> d = gnp::empty<T>({batch, n, n});
  report(state,
         compare([&] { const array<T> result = gnp::matmul(a, b); },
                 [&] { hand().multiply(n, a.data(), b.data(), d.data(), batch); }),
         2.0 * static_cast<double>(batch * n) * static_cast<double>(n) * static_cast<double>(n));
}

void in_place(benchmark::State& state, index_t n) {
  const array<float> a = waves<float>({n, n}, 0.37), b = waves<float>({n, n}, 0.11);
  array<float> c = gnp::matmul(a, b), d = gnp::empty<float>({n, n});
  report(state,
         compare([&] { c(gnp::ellipsis) = 0.5 * gnp::matmul(a, b) + 0.5 * c; },
                 [&] { hand().multiply(n, a.data(), b.data(), d.data()); }),
         2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n));
}

// A matrix with a vector waits for memory: the fraction is of the copy bandwidth counted on the matrix alone.
void vector(benchmark::State& state, index_t n, bool transposed) {
  const array<float> a = waves<float>({n, n}, 0.37), v = waves<float>({n}, 0.11);
  const array<float> m = transposed ? array<float>(a.T()) : a;
  array<float> c = gnp::matmul(m, v);
  array<float> copy = gnp::empty<float>({n, n});
  const comparison times = compare([&] { c = gnp::matmul(m, v); }, [&] { copy(gnp::ellipsis) = a; });
  for (auto _ : state) state.SetIterationTime(times.ours);
  state.counters["of_copy"] = times.theirs / 2 / times.ours;
}

// Two vectors, as matmul (cuBLAS's dot) and as dot (gnp's fused sum): fractions of the copy bandwidth.
template <class T>
void two_vectors(benchmark::State& state, index_t n) {
  const array<T> a = waves<T>({n}, 0.37), b = waves<T>({n}, 0.11);
  array<T> c = gnp::matmul(a, b), d = gnp::dot(a, b), copy = gnp::empty<T>({n});
  if (std::abs(number(c.item()) - number(d.item())) > 1e-2) throw std::runtime_error("dot is not matmul");
  const comparison times = compare([&] { d = gnp::dot(a, b); }, [&] { copy(gnp::ellipsis) = a; });
  const comparison library = compare([&] { c = gnp::matmul(a, b); }, [&] { copy(gnp::ellipsis) = a; });
  for (auto _ : state) state.SetIterationTime(times.ours);
  state.counters["of_copy"] = times.theirs / times.ours;
  state.counters["cublas_of_copy"] = library.theirs / library.ours;
}
#endif

template <class Function, class... Arguments>
void add(const std::string& name, Function function, Arguments... arguments) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 if (!gnp::cuda_available()) return state.SkipWithError("no CUDA device");
                                 try {
                                   const gnp::use_device guard(gnp::device::cuda(0));
                                   function(state, arguments...);
                                 } catch (const std::exception& e) {
                                   count_failure();
                                   state.SkipWithError(e.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

template <class T>
void add_type([[maybe_unused]] const std::string& type, [[maybe_unused]] index_t largest) {
#if HAS_CUBLAS
  for (index_t n = 64; n <= largest; n *= 2) {
    add("matmul/" + type + "/" + std::to_string(n), square<T>, n, operands::contiguous);
  }
  for (const index_t n : {512, 4096}) {
    add("matmul/" + type + "/" + std::to_string(n) + "/left_transposed", square<T>, n,
        operands::left_transposed);
    add("matmul/" + type + "/" + std::to_string(n) + "/right_transposed", square<T>, n,
        operands::right_transposed);
  }
  add("matmul/" + type + "/256x128x128", stack<T>, index_t{256}, index_t{128});
#endif
}

}  // namespace

void register_matmul_benchmarks(bool quick) {
  quick_run = quick;
  const index_t largest = quick ? 2048 : 8192;
  add_type<float>("float32", largest);
  add_type<double>("float64", largest);
  add_type<gnp::half>("float16", largest);
  add_type<gnp::bfloat16>("bfloat16", largest);
  add_type<gnp::complex64>("complex64", largest);
#if HAS_CUBLAS
  add("matmul/float32/in_place/1024", in_place, index_t{1024});
  add("matvec/float32/16384", vector, index_t{16384}, false);
  add("matvec/float32/16384/transposed", vector, index_t{16384}, true);
  add("dot/float32/2^26", two_vectors<float>, index_t{1} << 26);
  add("dot/float32/1000", two_vectors<float>, index_t{1000});
#endif
}
