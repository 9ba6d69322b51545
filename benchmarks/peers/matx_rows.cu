// SPDX-License-Identifier: MIT
// MatX beside gnp: the rows that both have, each with the work, data and checks of gnp's case of the same name.
//
// Expressions are compiled into the program, so nothing is compiled when they first run. Elementwise results go
// into tensors that exist, as in gnp's cases; all others are new in each call, from CUDA's pool
// (MATX_ASYNC_DEVICE_MEMORY).
#include <cuda_runtime.h>
#include <matx.h>

#include "rows.hpp"

namespace {

using matx::index_t;
using matx::make_tensor;

const matx::cudaExecutor gpu{};

const auto wait = [] { cudaDeviceSynchronize(); };

void must(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Of the kind that MatX allocates and frees in the order of the stream.
template <class T, int Rank>
auto empty(const index_t (&shape)[Rank]) {
  return make_tensor<T>(shape, matx::MATX_ASYNC_DEVICE_MEMORY);
}

template <class Tensor>
auto to_host(const Tensor& x) {
  using T = typename Tensor::value_type;
  std::vector<T> values(static_cast<std::size_t>(x.TotalSize()));
  must(cudaMemcpy(values.data(), x.Data(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

template <class T, int Rank>
auto to_gpu(const std::vector<T>& values, const index_t (&shape)[Rank]) {
  auto x = empty<T>(shape);
  must(cudaMemcpy(x.Data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return x;
}

/// One element, counted as in memory.
template <class Tensor>
double element(const Tensor& x, index_t i) {
  typename Tensor::value_type value;
  must(cudaMemcpy(&value, x.Data() + i, sizeof(value), cudaMemcpyDeviceToHost));
  return static_cast<double>(value);
}

/// -1 to 1, and no two neighbours alike: zeros would run faster. Through float64, for float32 cannot tell 2^28
/// positions apart.
template <class T>
auto waves(index_t count, double step) {
  auto x = empty<T>({count});
  (x = matx::as_type<T>(matx::sin(matx::range<0>({count}, 0.0, 1.0) * step))).run(gpu);
  rows::check(
      count, 1e-6, [&](index_t i) { return element(x, i); },
      [&](index_t i) { return std::sin(static_cast<double>(i) * step); });
  return x;
}

template <class T>
auto square_waves(index_t side, double step) {
  return waves<T>(side * side, step).View({side, side});
}

/// Poisoned, so that an element which a kernel left out is seen.
template <class T, int Rank>
auto output(const index_t (&shape)[Rank]) {
  auto x = empty<T>(shape);
  (x = static_cast<T>(-77)).run(gpu);
  return x;
}

constexpr index_t large = index_t{1} << 28;
constexpr index_t side = 16384;

// ---------------------------------------------------------------------------------------- elementwise

double copy() {
  const auto x = waves<float>(large, 0.37);
  auto out = output<float>({large});
  const auto call = [&] { (out = x).run(gpu); };
  call();
  rows::check(large, 0, [&](index_t i) { return element(out, i); }, [&](index_t i) { return element(x, i); });
  return rows::time_calls(call, wait);
}

double sin_mul_add() {
  const auto x = waves<float>(large, 0.37), y = waves<float>(large, 0.11);
  auto out = output<float>({large});
  const auto call = [&] { (out = matx::sin(x) * y + x).run(gpu); };
  call();
  rows::check(
      large, 2e-6, [&](index_t i) { return element(out, i); },
      [&](index_t i) { return std::sin(element(x, i)) * element(y, i) + element(x, i); });
  return rows::time_calls(call, wait);
}

/// MatX has no where; its IFELSE chooses between two assignments.
double where() {
  const auto a = waves<float>(large, 0.37), c = waves<float>(large, 0.11);
  auto out = output<float>({large});
  const auto call = [&] { matx::IFELSE(a > 0.5F, out = a, out = c).run(gpu); };
  call();
  rows::check(
      large, 0, [&](index_t i) { return element(out, i); },
      [&](index_t i) { return element(a, i) > 0.5 ? element(a, i) : element(c, i); });
  return rows::time_calls(call, wait);
}

double add_transpose() {
  const auto a = square_waves<float>(side, 0.37);
  auto out = output<float>({side, side});
  const auto call = [&] { (out = a + matx::transpose_matrix(a)).run(gpu); };
  call();
  rows::check(
      side * side, 2e-6, [&](index_t i) { return element(out, i); },
      [&](index_t i) { return element(a, i) + element(a, i % side * side + i / side); });
  return rows::time_calls(call, wait);
}

double latency_add(bool into_existing) {
  constexpr index_t n = 1000;
  constexpr rows::size calls = 10000;
  const auto a = waves<float>(n, 0.37);
  auto b = waves<float>(n, 0.11);
  (b = b + 2.0F).run(gpu);
  auto out = output<float>({n});
  (out = a + b).run(gpu);
  rows::check(
      n, 2e-6, [&](index_t i) { return element(out, i); },
      [&](index_t i) { return element(a, i) + element(b, i); });
  if (into_existing) return rows::time_calls([&] { (out = a + b).run(gpu); }, wait, calls);
  return rows::time_calls(
      [&] {
        auto c = empty<float>({n});
        (c = a + b).run(gpu);
      },
      wait, calls);
}

double add_10000000() {
  constexpr index_t n = 10000000;
  const auto a = to_gpu(rows::noise<float>(n, 1), {n}), b = to_gpu(rows::noise<float>(n, 2), {n});
  const auto call = [&] {
    auto c = empty<float>({n});
    (c = a + b).run(gpu);
    return c;
  };
  const auto c = call();
  rows::check(
      n, 1e-6, [&](index_t i) { return element(c, i); },
      [&](index_t i) { return element(a, i) + element(b, i); });
  return rows::time_calls(call, wait);
}

double cos2_sin2_10000000() {
  constexpr index_t n = 10000000;
  const auto x = to_gpu(rows::noise<float>(n, 1), {n});
  const auto call = [&] {
    auto c = empty<float>({n});
    (c = matx::cos(x) * matx::cos(x) + matx::sin(x) * matx::sin(x)).run(gpu);
    return c;
  };
  const auto c = call();
  rows::check(n, 1e-5, [&](index_t i) { return element(c, i); }, [](index_t) { return 1.0; });
  return rows::time_calls(call, wait);
}

// ---------------------------------------------------------------------------- reductions, scans, random

double sum() {
  const auto a = square_waves<float>(side, 0.37);
  const auto call = [&] {
    auto s = make_tensor<float>({}, matx::MATX_ASYNC_DEVICE_MEMORY);
    (s = matx::sum(a)).run(gpu);
    return s;
  };
  rows::expect(element(call(), 0), rows::exact_sum(to_host(a)), 1e-3);
  return rows::time_calls(call, wait);
}

double sum_of_products() {
  const auto a = square_waves<float>(side, 0.37), b = square_waves<float>(side, 0.11);
  const auto call = [&] {
    auto s = make_tensor<float>({}, matx::MATX_ASYNC_DEVICE_MEMORY);
    (s = matx::sum(a * b)).run(gpu);
    return s;
  };
  const std::vector<float> other = to_host(b);
  rows::expect(element(call(), 0), rows::exact_sum(to_host(a), &other), 1e-3);
  return rows::time_calls(call, wait);
}

double cumsum() {
  const auto a = waves<float>(large, 0.37);
  const auto call = [&] {
    auto sums = empty<float>({large});
    (sums = matx::cumsum(a)).run(gpu);
    return sums;
  };
  rows::check_cumsum(to_host(a), to_host(call()));
  return rows::time_calls(call, wait);
}

double uniform() {
  const auto call = [&] {
    auto x = empty<float>({large});
    (x = matx::random<float>({large}, matx::UNIFORM)).run(gpu);
    return x;
  };
  rows::check_uniform(to_host(call()));
  return rows::time_calls(call, wait);
}

// ------------------------------------------------------------------------------------- linear algebra

/// float32 products are made in float32: MatX asks cuBLASLt for CUBLAS_COMPUTE_32F. The check tells TF32.
template <class Tensor>
double product(const Tensor& a, const Tensor& b, bool into_existing = false) {
  using T = typename Tensor::value_type;
  const index_t n = a.Size(0);
  auto out = output<T>({n, n});
  const auto into = [&] { (out = matx::matmul(a, b)).run(gpu); };
  into();
  rows::check_product(to_host(a), to_host(b), to_host(out), n);
  if (into_existing) return rows::time_calls(into, wait);
  return rows::time_calls(
      [&] {
        auto c = empty<T>({n, n});
        (c = matx::matmul(a, b)).run(gpu);
      },
      wait);
}

double matmul(index_t n, bool into_existing = false) {
  return product(square_waves<float>(n, 0.37), square_waves<float>(n, 0.11), into_existing);
}

template <class T>
double product_of_noise(index_t n) {
  return product(to_gpu(rows::noise<T>(n * n, 1), {n, n}), to_gpu(rows::noise<T>(n * n, 2), {n, n}));
}

double svd(index_t n, bool single_calls) {
  const std::vector<float> host = rows::noise<float>(n * n, single_calls ? 0 : 1);
  const auto a = to_gpu(host, {n, n});
  const auto call = [&] {
    auto u = empty<float>({n, n}), vh = empty<float>({n, n});
    auto s = empty<float>({n});
    (matx::mtie(u, s, vh) = matx::svd(a, matx::SVDMode::REDUCED)).run(gpu);
    return std::tuple(u, s, vh);
  };
  const auto [u, s, vh] = call();
  rows::check_svd(host, to_host(u), to_host(s), to_host(vh), n);
  return single_calls ? rows::time_single_calls(call, wait) : rows::time_calls(call, wait);
}

/// MatX's eig is for symmetric matrices.
double eigh() {
  constexpr index_t stack = 1000, n = 32;
  const std::vector<float> host = rows::symmetric_noise(stack, n);
  const auto a = to_gpu(host, {stack, n, n});
  const auto call = [&] {
    auto v = empty<float>({stack, n, n});
    auto w = empty<float>({stack, n});
    (matx::mtie(v, w) = matx::eig(a)).run(gpu);
    return std::pair(w, v);
  };
  const auto [w, v] = call();
  const std::vector<float> values = to_host(w), vectors = to_host(v);
  for (const index_t k : {index_t{0}, stack / 2, stack - 1}) rows::check_eigh(host, values, vectors, k, n);
  return rows::time_single_calls(call, wait);
}

// ----------------------------------------------------------------------------------- transfers, first calls

double to_device_by_cuda() {
  const std::vector<float> host = rows::link_values();
  const auto n = static_cast<index_t>(host.size());
  const auto call = [&] { return to_gpu(host, {n}); };
  const auto x = call();
  rows::check(n, 0, [&](index_t i) { return element(x, i); }, [&](index_t i) { return host[i]; });
  return rows::time_calls(call, wait, 1);
}

/// From page-locked host memory, which a kernel can read.
double to_device_pinned() {
  const std::vector<float> values = rows::link_values();
  const auto n = static_cast<index_t>(values.size());
  auto host = make_tensor<float>({n}, matx::MATX_HOST_MEMORY);
  std::copy(values.begin(), values.end(), host.Data());
  const auto call = [&] {
    auto x = empty<float>({n});
    (x = host).run(gpu);
    return x;
  };
  const auto x = call();
  rows::check(n, 0, [&](index_t i) { return element(x, i); }, [&](index_t i) { return values[i]; });
  return rows::time_calls(call, wait, 1);
}

/// The first calls of peers.py's five functions. All that happens then is that CUDA loads a kernel of the
/// program.
double first_call() {
  const auto a = waves<float>(1000000, 0.37), b = waves<float>(1000000, 0.11);
  auto out = output<float>({1000000});
  std::vector<double> times;
  const auto first = [&](const auto& call) {
    wait();
    const auto start = rows::clock::now();
    call();
    wait();
    times.push_back(rows::seconds_since(start));
  };
  first([&] { (out = (a - b) * (a - b) / (1.0F + a * a) + 1.0F).run(gpu); });
  first([&] { (out = b / (1.0F + matx::exp(-a))).run(gpu); });
  first([&] { (out = matx::sin(a) * b + a).run(gpu); });
  first([&] { matx::IFELSE(a > 0.5F, out = a * 3.0F, out = b * 3.0F).run(gpu); });
  first([&] { (out = matx::sqrt(a * a + b * b) - matx::tanh(a)).run(gpu); });
  rows::check(
      1000000, 1e-5, [&](index_t i) { return element(out, i); },
      [&](index_t i) { return std::hypot(element(a, i), element(b, i)) - std::tanh(element(a, i)); });
  return rows::median(times);
}

/// CUDA's pool gives its memory back at each synchronisation, unless it is told to keep it as other libraries'
/// pools do.
void keep_pool() {
  cudaMemPool_t pool;
  must(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t all = UINT64_MAX;
  must(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

}  // namespace

int main(int count, char** arguments) {
  const rows::printer row = rows::command_line(count, arguments, "MatX");
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "no CUDA device\n");
    return 1;
  }
  keep_pool();
  row("first_call/cold", first_call);  // while no other row has used these functions
  row("copy", copy);
  row("sin_mul_add/float32", sin_mul_add);
  row("where/float32", where);
  row("add_transpose", add_transpose);
  row("sum/all", sum);
  row("sum_of_products", sum_of_products);
  row("cumsum/all", cumsum);
  row("random/uniform/float32", uniform);
  row("latency/add", [] { return latency_add(false); });
  row("latency/add/into_existing", [] { return latency_add(true); });
  for (const index_t n : {64, 512, 2048, 4096}) {
    row("matmul/float32/" + std::to_string(n), [n] { return matmul(n); });
  }
  row("matmul/float32/64/into_existing", [] { return matmul(64, true); });
  row("tutorial/matmul_2048_float32", [] { return product_of_noise<float>(2048); });
  row("tutorial/dot_1000_float64", [] { return product_of_noise<double>(1000); });
  row("tutorial/add_10000000", add_10000000);
  row("tutorial/cos2_sin2_10000000", cos2_sin2_10000000);
  row("tutorial/svd_64", [] { return svd(64, false); });
  row("svd/float32/1024", [] { return svd(1024, true); });
  row("eigh/float32/1000x32", eigh);
  // MatX has no transfers of ordinary memory; its users call CUDA's.
  row("transfer/to_device_pageable/by_cuda", to_device_by_cuda);
  row("transfer/to_device_pinned", to_device_pinned);
}
