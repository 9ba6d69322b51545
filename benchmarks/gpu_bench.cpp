// SPDX-License-Identifier: MIT
// The GPU rows: what fraction of the memory's copy bandwidth elementwise work reaches, what a small call costs,
// and how fast data crosses to the host. Each case checks its answer before it is timed.
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

void count_failure();  // in main.cpp

namespace {

using gnp::index_t;

bool quick_run = false;

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
  batch(least_calls);  // compiles, and lets the memory pool and the clocks rise
  const double guess = batch(least_calls);
  const auto calls = 2 * std::max((least_calls + 1) / 2, static_cast<index_t>(std::ceil(0.0125 / guess)));
  std::vector<double> times(quick_run ? 5 : 11);
  for (double& time : times) time = batch(calls);
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

void report(benchmark::State& state, const timing& time) {
  for (auto _ : state) state.SetIterationTime(time.median);
  state.counters["spread"] = time.slowest / time.fastest - 1;
}

// ------------------------------------------------------------------------------------- the copy bandwidth

// The driver's own copy, found as gnp finds it. gnp's first array has left a current context behind.
void driver_copy(void* to, const void* from, std::size_t bytes) {
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

constexpr index_t copy_elements = index_t{1} << 28;
constexpr double copy_bytes = 2.0 * copy_elements * sizeof(float);  // read once, written once

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
const copy_times& copies() {
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

double copy_bandwidth() { return copy_bytes / std::min(copies().by_driver.median, copies().by_gnp.median); }

void report_bandwidth(benchmark::State& state, const timing& time, double bytes) {
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
constexpr double tolerance = std::is_same_v<T, gnp::half> ? 4e-3
                             : std::is_same_v<T, double>  ? 1e-13
                                                          : 2e-6;

// First, last, and places in between that fall on different vectors, tiles and blocks.
std::vector<index_t> places(index_t count) {
  std::vector<index_t> result{0, 1, count - 2, count - 1};
  for (index_t k = 1; k < 40; ++k) result.push_back(((count / 40) * k + (k * 7919) % 97) % count);
  return result;
}

void expect(double got, double want, double limit, index_t where) {
  if (std::abs(got - want) <= limit * std::max(1.0, std::abs(want))) return;  // false for NaN
  throw wrong_result("wrong at " + std::to_string(where) + ": got " + std::to_string(got) + ", expected " +
                     std::to_string(want));
}

template <class T, class Want>
void check_1d(const gnp::array<T>& out, double limit, Want&& want) {
  for (const index_t i : places(out.size())) expect(number(out.item(i)), want(i), limit, i);
}

template <class T, class Want>
void check_2d(const gnp::array<T>& out, double limit, Want&& want) {
  const index_t cols = out.shape()[1];
  for (const index_t at : places(out.size())) {
    expect(number(out.item(at / cols, at % cols)), want(at / cols, at % cols), limit, at);
  }
}

// Poisoned, so that an element which the kernel left out is seen.
template <class T>
gnp::array<T> output(const gnp::shape_t& shape) {
  gnp::array<T> out = gnp::empty<T>(shape);
  out.fill(static_cast<T>(-77.0F));
  return out;
}

// ---------------------------------------------------------------------------------------- bandwidth cases

template <class T>
void sin_mul_add(benchmark::State& state, index_t n) {
  const gnp::array<T> x = waves<T>({n}, 0.37), y = waves<T>({n}, 0.11);
  gnp::array<T> out = output<T>({n});
  const auto call = [&] { out(gnp::ellipsis) = gnp::sin(x) * y + x; };
  call();
  check_1d(out, tolerance<T>,
           [&](index_t i) { return std::sin(number(x.item(i))) * number(y.item(i)) + number(x.item(i)); });
  time_bandwidth(state, 3.0 * n * sizeof(T), call);
}

template <class T>
void where_case(benchmark::State& state, index_t n) {
  const gnp::array<T> a = waves<T>({n}, 0.37), c = waves<T>({n}, 0.11);
  gnp::array<T> out = output<T>({n});
  const auto call = [&] { out(gnp::ellipsis) = gnp::where(a > 0.5F, a, c); };
  call();
  check_1d(out, 0, [&](index_t i) { return number(a.item(i)) > 0.5 ? number(a.item(i)) : number(c.item(i)); });
  time_bandwidth(state, 3.0 * n * sizeof(T), call);
}

template <class T>
void scale_in_place(benchmark::State& state, index_t n) {
  gnp::array<T> x = waves<T>({n}, 0.37);
  const gnp::array<T> before = x.copy();
  x(gnp::ellipsis) = x * 2 + 1;
  check_1d(x, tolerance<T>, [&](index_t i) { return number(before.item(i)) * 2 + 1; });
  // Repeated, x * 2 + 1 would soon be infinite; every second call undoes the one before it. Scalars are
  // arguments of the kernel, so both are the same one.
  float scale = 0.5F, offset = -0.5F;
  time_bandwidth(state, 2.0 * n * sizeof(T), [&] {
    x(gnp::ellipsis) = x * scale + offset;
    scale = scale == 2.0F ? 0.5F : 2.0F;
    offset = offset == 1.0F ? -0.5F : 1.0F;
  });
}

void multiply_complex(benchmark::State& state, index_t n) {
  using T = gnp::complex64;
  const gnp::array<float> re = waves<float>({n}, 0.37), im = waves<float>({n}, 0.11);
  const gnp::array<T> a = re + im * T(0, 1), b = im - re * T(0, 1);
  gnp::array<T> out = gnp::empty<T>({n});
  out.fill(T(-77, -77));
  const auto call = [&] { out(gnp::ellipsis) = a * b; };
  call();
  for (const index_t i : places(n)) {
    const T p = a.item(i), q = b.item(i), got = out.item(i);
    if (p.real() != re.item(i) || p.imag() != im.item(i)) throw wrong_result("complex input is not re + im j");
    expect(got.real(), p.real() * q.real() - p.imag() * q.imag(), 2e-6, i);
    expect(got.imag(), p.real() * q.imag() + p.imag() * q.real(), 2e-6, i);
  }
  time_bandwidth(state, 3.0 * n * sizeof(T), call);
}

void compare(benchmark::State& state, index_t n) {
  const gnp::array<float> a = waves<float>({n}, 0.37);
  gnp::array<bool> out = gnp::empty<bool>({n});
  const auto call = [&] { out(gnp::ellipsis) = a > 0.5F; };
  for (const bool poison : {false, true}) {  // a bool cannot hold a third value, so poison with each of the two
    out.fill(poison);
    call();
    check_1d(out, 0, [&](index_t i) { return a.item(i) > 0.5F ? 1.0 : 0.0; });
  }
  time_bandwidth(state, static_cast<double>(n) * (sizeof(float) + sizeof(bool)), call);
}

void astype(benchmark::State& state, index_t n) {
  const gnp::array<gnp::half> a = waves<gnp::half>({n}, 0.37);
  gnp::array<float> out = output<float>({n});
  const auto call = [&] { out(gnp::ellipsis) = a.astype<float>(); };
  call();
  check_1d(out, 0, [&](index_t i) { return number(a.item(i)); });
  time_bandwidth(state, static_cast<double>(n) * (sizeof(gnp::half) + sizeof(float)), call);
}

constexpr index_t side = 16384;
constexpr double matrix_bytes = 4.0 * side * side;

void broadcast_add(benchmark::State& state, bool row) {
  const gnp::array<float> a = waves<float>({side, side}, 0.37);
  const gnp::array<float> v = row ? waves<float>({side}, 0.11) : waves<float>({side, 1}, 0.11);
  gnp::array<float> out = output<float>({side, side});
  const auto call = [&] { out(gnp::ellipsis) = a + v; };
  call();
  check_2d(out, 2e-6, [&](index_t i, index_t j) { return a.item(i, j) + (row ? v.item(j) : v.item(i, 0)); });
  time_bandwidth(state, 2 * matrix_bytes, call);
}

// Half of each 32-byte sector is wanted and all of it is moved: one whole read, half a write.
void slice_columns(benchmark::State& state) {
  const gnp::array<float> a = waves<float>({side, side}, 0.37);
  gnp::array<float> out = output<float>({side, side / 2});
  const auto view = a(gnp::all, gnp::slice(gnp::none, gnp::none, 2));
  const auto call = [&] { out(gnp::ellipsis) = view; };
  call();
  check_2d(out, 0, [&](index_t i, index_t j) { return a.item(i, 2 * j); });
  time_bandwidth(state, 1.5 * matrix_bytes, call);
}

void slice_step(benchmark::State& state) {
  constexpr index_t n = index_t{1} << 28;
  const gnp::array<float> a = waves<float>({n}, 0.37);
  gnp::array<float> out = output<float>({n / 2});
  const auto view = a(gnp::slice(gnp::none, gnp::none, 2));
  const auto call = [&] { out(gnp::ellipsis) = view; };
  call();
  check_1d(out, 0, [&](index_t i) { return a.item(2 * i); });
  time_bandwidth(state, 1.5 * 4.0 * n, call);
}

void permute(benchmark::State& state, bool last_first) {
  const gnp::array<float> a = waves<float>({256, 1024, 1024}, 0.37);
  gnp::array<float> out = output<float>({1024, 256, 1024});
  const auto view = last_first ? a.transpose({2, 0, 1}) : a.transpose({1, 0, 2});
  const auto call = [&] { out(gnp::ellipsis) = view; };
  call();
  for (const index_t at : places(out.size())) {
    const index_t i = at / (256 * 1024), j = at / 1024 % 256, k = at % 1024;
    expect(out.item(i, j, k), last_first ? a.item(j, k, i) : a.item(j, i, k), 0, at);
  }
  time_bandwidth(state, 2.0 * 4 * 256 * 1024 * 1024, call);
}

void transpose_copy(benchmark::State& state) {
  const gnp::array<float> a = waves<float>({side, side}, 0.37);
  gnp::array<float> out = output<float>({side, side});
  const auto call = [&] { out(gnp::ellipsis) = a.T(); };
  call();
  check_2d(out, 0, [&](index_t i, index_t j) { return a.item(j, i); });
  time_bandwidth(state, 2 * matrix_bytes, call);
}

void add_transpose(benchmark::State& state) {
  const gnp::array<float> a = waves<float>({side, side}, 0.37);
  gnp::array<float> out = output<float>({side, side});
  const auto call = [&] { out(gnp::ellipsis) = a + a.T(); };
  call();
  check_2d(out, 2e-6, [&](index_t i, index_t j) { return a.item(i, j) + a.item(j, i); });
  time_bandwidth(state, 3 * matrix_bytes, call);
}

// Past 2^32 bytes and past 2^31 elements: right to the last one.
template <class T>
void large(benchmark::State& state, index_t n) {
  gnp::array<T> a = gnp::empty<T>({n});
  a.fill(static_cast<T>(3));
  a(gnp::slice(1, gnp::none, 3)) = static_cast<T>(50);
  a(gnp::slice(n - 3, gnp::none)) = static_cast<T>(99);
  const auto value = [&](index_t i) { return i >= n - 3 ? 99.0 : i % 3 == 1 ? 50.0 : 3.0; };
  gnp::array<T> out = gnp::empty<T>({n});
  out.fill(static_cast<T>(7));
  const auto call = [&] { out(gnp::ellipsis) = a + 1; };
  call();
  check_1d(out, 0, [&](index_t i) { return value(i) + 1; });
  for (index_t i = n - 40; i < n; ++i) expect(number(out.item(i)), value(i) + 1, 0, i);
  time_bandwidth(state, 2.0 * n * sizeof(T), call);
}

// --------------------------------------------------------------------------------- small calls, and the link

// End to end: the result is allocated and freed in every call, and the kernel launched.
void latency(benchmark::State& state, bool five_operators) {
  constexpr index_t n = 1000;
  const gnp::array<float> a = waves<float>({n}, 0.37), b = waves<float>({n}, 0.11) + 2;
  constexpr index_t calls = 10000;
  if (five_operators) {
    const gnp::array<float> out = (a + b) * a - b / (a + 3);
    check_1d(out, 2e-6, [&](index_t i) {
      const double p = a.item(i), q = b.item(i);
      return (p + q) * p - q / (p + 3);
    });
    report(state, time_calls([&] { const gnp::array<float> c = (a + b) * a - b / (a + 3); }, calls));
  } else {
    const gnp::array<float> out = a + b;
    check_1d(out, 2e-6, [&](index_t i) { return number(a.item(i)) + number(b.item(i)); });
    report(state, time_calls([&] { const gnp::array<float> c = a + b; }, calls));
  }
}

constexpr index_t link_elements = index_t{1} << 26;

void report_link(benchmark::State& state, const timing& time) {
  report(state, time);
  state.counters["bytes"] = 4.0 * link_elements;
  state.counters["GB_per_s"] = 4.0 * link_elements / time.median / 1e9;
}

gnp::host_array<float> host_memory(bool pinned) {
  auto host = pinned ? gnp::empty_pinned<float>({link_elements}) : gnp::host_array<float>({link_elements});
  for (index_t i = 0; i < link_elements; ++i) host[i] = static_cast<float>(i % 65521) * 0.25F;
  return host;
}

void to_device(benchmark::State& state, bool pinned) {
  const auto host = host_memory(pinned);
  const auto call = [&] { return gnp::asarray(host); };
  const gnp::array<float> a = call();
  check_1d(a, 0, [&](index_t i) { return host[i]; });
  report_link(state, time_calls(call, 1));
}

void to_host(benchmark::State& state, bool pinned) {
  auto host = host_memory(pinned);
  const gnp::array<float> a = gnp::asarray(host) + 1;
  const auto call = [&] { gnp::asnumpy(a, host); };
  call();
  for (const index_t i : places(link_elements)) {
    expect(host[i], static_cast<double>(i % 65521) * 0.25 + 1, 1e-7, i);
  }
  report_link(state, time_calls(call, 1));
}

// -------------------------------------------------------------------------------------------- the list

void add_case(const std::string& name, const std::function<void(benchmark::State&)>& body,
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

void copy_case(benchmark::State& state, const timing& time) { report_bandwidth(state, time, copy_bytes); }

}  // namespace

void register_gpu_benchmarks(bool quick) {
  quick_run = quick;
  using benchmark::State;
  constexpr index_t one = 1;

  add_case("copy/driver", [](State& s) { copy_case(s, copies().by_driver); });
  add_case("copy/gnp", [](State& s) { copy_case(s, copies().by_gnp); });

  add_case("sin_mul_add/float32", [](State& s) { sin_mul_add<float>(s, one << 28); });
  add_case("sin_mul_add/float64", [](State& s) { sin_mul_add<double>(s, one << 27); });
  add_case("sin_mul_add/float16", [](State& s) { sin_mul_add<gnp::half>(s, one << 29); });
  add_case("where/float32", [](State& s) { where_case<float>(s, one << 28); });
  add_case("where/float64", [](State& s) { where_case<double>(s, one << 27); });
  add_case("where/float16", [](State& s) { where_case<gnp::half>(s, one << 29); });
  add_case("scale_in_place/float32", [](State& s) { scale_in_place<float>(s, one << 28); });
  add_case("scale_in_place/float64", [](State& s) { scale_in_place<double>(s, one << 27); });
  add_case("scale_in_place/float16", [](State& s) { scale_in_place<gnp::half>(s, one << 29); });
  add_case("multiply/complex64", [](State& s) { multiply_complex(s, one << 27); });
  add_case("compare/float32_to_bool", [](State& s) { compare(s, one << 28); });
  add_case("astype/float16_to_float32", [](State& s) { astype(s, one << 28); });

  add_case("broadcast_add/row", [](State& s) { broadcast_add(s, true); });
  add_case("broadcast_add/column", [](State& s) { broadcast_add(s, false); });
  add_case("slice_copy/columns", slice_columns);
  add_case("slice_copy/step_2", slice_step);
  add_case("permute_copy/201", [](State& s) { permute(s, true); });
  add_case("permute_copy/102", [](State& s) { permute(s, false); });
  add_case("transpose_copy", transpose_copy);
  add_case("add_transpose", add_transpose);

  add_case("large/uint8_2p32_7", [](State& s) { large<std::uint8_t>(s, (one << 32) + 7); });
  add_case("large/float32_2p31_9", [](State& s) { large<float>(s, (one << 31) + 9); });

  add_case(
      "latency/add", [](State& s) { latency(s, false); }, benchmark::kMicrosecond);
  add_case(
      "latency/five_operators", [](State& s) { latency(s, true); }, benchmark::kMicrosecond);

  add_case("transfer/to_device_pageable", [](State& s) { to_device(s, false); });
  add_case("transfer/to_device_pinned", [](State& s) { to_device(s, true); });
  add_case("transfer/to_host_pageable", [](State& s) { to_host(s, false); });
  add_case("transfer/to_host_pinned", [](State& s) { to_host(s, true); });
}
