// SPDX-License-Identifier: MIT
// ArrayFire beside gnp: the rows that both have, each with the work, data and checks of gnp's case of the same
// name.
//
// Its expressions wait until eval(), which every call here ends with. Results are new arrays from its pool, in
// the elementwise rows too: that is how it is used. Matrices are stored by columns; a test that reads them by
// rows sees transposes, and checks the transposed equation.
#include <arrayfire.h>
#include <stdlib.h>

#include <filesystem>

#include "rows.hpp"

namespace {

using af::array;
using rows::size;

const auto wait = [] { af::sync(); };

template <class T>
std::vector<T> to_host(const array& x) {
  std::vector<T> values(static_cast<std::size_t>(x.elements()));
  x.host(values.data());
  return values;
}

/// -1 to 1, and no two neighbours alike: zeros would run faster. Through float64, for float32 cannot tell 2^28
/// positions apart.
array waves(size count, double step) {
  array x = af::sin(af::range(af::dim4(count), 0, f64) * step).as(f32);
  x.eval();
  const std::vector<float> host = to_host<float>(x);
  rows::check(
      count, 1e-6, [&](size i) { return host[i]; },
      [&](size i) { return std::sin(static_cast<double>(i) * step); });
  return x;
}

array square_waves(size side, double step) { return af::moddims(waves(side * side, step), side, side); }

template <class T>
array noise(const af::dim4& shape, std::uint64_t seed = 0) {
  return array(shape, rows::noise<T>(shape.elements(), seed).data());
}

array evaluated(array x) {
  x.eval();
  return x;
}

constexpr size large = size{1} << 28;
constexpr size side = 16384;

/// call() makes the array whose i-th element is want(i).
double elementwise(size count, double limit, const auto& call, const auto& want, size least_calls = 2) {
  const std::vector<float> got = to_host<float>(call());
  rows::check(count, limit, [&](size i) { return got[i]; }, want);
  return rows::time_calls(call, wait, least_calls);
}

// ---------------------------------------------------------------------------------------- elementwise

double copy() {
  const array x = waves(large, 0.37);
  const std::vector<float> host = to_host<float>(x);
  return elementwise(large, 0, [&] { return x.copy(); }, [&](size i) { return host[i]; });
}

double sin_mul_add() {
  const array x = waves(large, 0.37), y = waves(large, 0.11);
  const std::vector<float> p = to_host<float>(x), q = to_host<float>(y);
  return elementwise(
      large, 2e-6, [&] { return evaluated(af::sin(x) * y + x); },
      [&](size i) { return std::sin(double{p[i]}) * q[i] + p[i]; });
}

double where() {
  const array a = waves(large, 0.37), c = waves(large, 0.11);
  const std::vector<float> p = to_host<float>(a), q = to_host<float>(c);
  return elementwise(
      large, 0, [&] { return evaluated(af::select(a > 0.5F, a, c)); },
      [&](size i) { return p[i] > 0.5F ? p[i] : q[i]; });
}

double add_transpose() {
  const array a = square_waves(side, 0.37);
  const std::vector<float> p = to_host<float>(a);
  return elementwise(
      side * side, 2e-6, [&] { return evaluated(a + a.T()); },
      [&](size i) { return double{p[i]} + p[i % side * side + i / side]; });
}

double latency_add() {
  const array a = waves(1000, 0.37), b = evaluated(waves(1000, 0.11) + 2.0F);
  const std::vector<float> p = to_host<float>(a), q = to_host<float>(b);
  return elementwise(
      1000, 2e-6, [&] { return evaluated(a + b); }, [&](size i) { return double{p[i]} + q[i]; }, 10000);
}

double add_10000000() {
  const array a = noise<float>(10000000, 1), b = noise<float>(10000000, 2);
  const std::vector<float> p = to_host<float>(a), q = to_host<float>(b);
  return elementwise(
      10000000, 1e-6, [&] { return evaluated(a + b); }, [&](size i) { return double{p[i]} + q[i]; });
}

double cos2_sin2_10000000() {
  const array x = noise<float>(10000000, 1);
  return elementwise(
      10000000, 1e-5, [&] { return evaluated(af::cos(x) * af::cos(x) + af::sin(x) * af::sin(x)); },
      [](size) { return 1.0; });
}

// ---------------------------------------------------------------------------- reductions, scans, random

/// The sum stays on the GPU, as gnp's does; sum<float>(a) would wait for it.
double sum() {
  const array a = square_waves(side, 0.37);
  const auto call = [&] { return evaluated(af::sum(af::flat(a))); };
  rows::expect(to_host<float>(call())[0], rows::exact_sum(to_host<float>(a)), 1e-3);
  return rows::time_calls(call, wait);
}

double vector_product() {
  const array a = square_waves(side, 0.37), b = square_waves(side, 0.11);
  const auto call = [&] { return evaluated(af::sum(af::flat(a * b))); };
  const std::vector<float> other = to_host<float>(b);
  rows::expect(to_host<float>(call())[0], rows::exact_sum(to_host<float>(a), &other), 1e-3);
  return rows::time_calls(call, wait);
}

double cumsum() {
  const array a = waves(large, 0.37);
  const auto call = [&] { return evaluated(af::accum(a)); };
  rows::check_cumsum(to_host<float>(a), to_host<float>(call()));
  return rows::time_calls(call, wait);
}

double uniform() {
  const auto call = [] { return evaluated(af::randu(large, f32)); };
  rows::check_uniform(to_host<float>(call()));
  return rows::time_calls(call, wait);
}

// ------------------------------------------------------------------------------------- linear algebra

/// float32 products are made in float32, unless ArrayFire is built with AF_WITH_FAST_MATH. The check tells
/// TF32.
template <class T>
double product(const array& a, const array& b) {
  const auto call = [&] { return evaluated(af::matmul(a, b)); };
  rows::check_product(to_host<T>(b), to_host<T>(a), to_host<T>(call()), a.dims(0));
  return rows::time_calls(call, wait);
}

double svd(size n, bool single_calls) {
  const array a = noise<float>(af::dim4(n, n), single_calls ? 0 : 1);
  array u, s, vh;
  const auto call = [&] {
    af::svd(u, s, vh, a);
    for (const array& part : {u, s, vh}) part.eval();
  };
  call();
  rows::check_svd(to_host<float>(a), to_host<float>(vh), to_host<float>(s), to_host<float>(u), n);
  return single_calls ? rows::time_single_calls(call, wait) : rows::time_calls(call, wait);
}

double missing(const char* what) { throw std::runtime_error(std::string("ArrayFire has no ") + what); }

// ----------------------------------------------------------------------------------- transfers, first calls

double to_device(bool pinned) {
  const std::vector<float> values = rows::link_values();
  const auto n = static_cast<size>(values.size());
  float* locked = pinned ? af::pinned<float>(n) : nullptr;
  if (pinned) std::copy(values.begin(), values.end(), locked);
  const float* host = pinned ? locked : values.data();
  const auto call = [&] { return array(n, host); };
  const std::vector<float> got = to_host<float>(call());
  rows::check(n, 0, [&](size i) { return got[i]; }, [&](size i) { return values[i]; });
  const double seconds = rows::time_calls(call, wait, 1);
  if (pinned) af::freePinned(locked);
  return seconds;
}

/// The first calls of peers.py's five functions, none of them in a cache.
double first_call() {
  const array a = waves(1000000, 0.37), b = waves(1000000, 0.11);
  evaluated(a + b);
  std::vector<double> times;
  const auto first = [&](const auto& call) {
    wait();
    const auto start = rows::clock::now();
    const array result = evaluated(call());
    wait();
    times.push_back(rows::seconds_since(start));
    return result;
  };
  first([&] { return (a - b) * (a - b) / (1.0F + a * a) + 1.0F; });
  first([&] { return b / (1.0F + af::exp(-a)); });
  first([&] { return af::sin(a) * b + a; });
  first([&] { return af::select(a > 0.5F, a, b) * 3.0F; });
  const array last = first([&] { return af::sqrt(a * a + b * b) - af::tanh(a); });
  const std::vector<float> p = to_host<float>(a), q = to_host<float>(b), got = to_host<float>(last);
  rows::check(
      1000000, 1e-5, [&](size i) { return got[i]; },
      [&](size i) { return std::hypot(p[i], q[i]) - std::tanh(p[i]); });
  return rows::median(times);
}

/// An empty folder for ArrayFire's kernels and for those of NVRTC 12.9 and newer, which has a cache of its own.
class empty_caches {
 public:
  empty_caches() {
    std::string pattern = (std::filesystem::temp_directory_path() / "arrayfire_rows_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + pattern);
    folder_ = pattern;
    setenv("AF_JIT_KERNEL_CACHE_DIRECTORY", pattern.c_str(), 1);
    setenv("CUDA_CACHE_PATH", pattern.c_str(), 1);
  }
  empty_caches(const empty_caches&) = delete;
  empty_caches& operator=(const empty_caches&) = delete;
  ~empty_caches() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

int main(int count, char** arguments) {
  const rows::printer row = rows::command_line(count, arguments, "ArrayFire");
  const empty_caches caches;
  try {
    af::setDevice(0);
    wait();
  } catch (const af::exception& error) {
    std::fprintf(stderr, "no CUDA device: %s\n", error.what());
    return 1;
  }
  row("first_call/cold", first_call);  // while no other row has used these functions
  row("copy", copy);
  row("sin_mul_add/float32", sin_mul_add);
  row("where/float32", where);
  row("add_transpose", add_transpose);
  row("sum/all", sum);
  row("vector_product", vector_product);
  row("cumsum/all", cumsum);
  row("random/uniform/float32", uniform);
  row("latency/add", latency_add);
  for (const size n : {64, 512, 2048, 4096}) {
    row("matmul/float32/" + std::to_string(n),
        [n] { return product<float>(square_waves(n, 0.37), square_waves(n, 0.11)); });
  }
  row("tutorial/matmul_2048_float32", [] {
    return product<float>(noise<float>(af::dim4(2048, 2048), 1), noise<float>(af::dim4(2048, 2048), 2));
  });
  row("tutorial/dot_1000_float64", [] {
    return product<double>(noise<double>(af::dim4(1000, 1000), 1), noise<double>(af::dim4(1000, 1000), 2));
  });
  row("tutorial/add_10000000", add_10000000);
  row("tutorial/cos2_sin2_10000000", cos2_sin2_10000000);
  row("tutorial/svd_64", [] { return svd(64, false); });
  row("svd/float32/1024", [] { return svd(1024, true); });
  row("eigh/float32/1000x32", [] { return missing("eigenvalues"); });
  row("transfer/to_device_pageable", [] { return to_device(false); });
  row("transfer/to_device_pinned", [] { return to_device(true); });
}
