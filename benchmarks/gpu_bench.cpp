// SPDX-License-Identifier: MIT
// The GPU rows: what fraction of the memory's copy bandwidth elementwise work reaches, what a small call costs,
// and how fast data crosses to the host. Each case checks its answer before it is timed.
#include <cstdio>
#include <cstdlib>

#include "gpu_timing.hpp"

namespace {

using namespace gpu_timing;

// ---------------------------------------------------------------------------------------------- checking

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

/// A .npy that the system has in memory. (gnp is beside its own copy from ordinary memory.)
void load_file(benchmark::State& state) {
  const char* const folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/gnp-bench.npy";
  const auto host = host_memory(false);
  gnp::save(path, host);
  const auto call = [&] { return gnp::load<float>(path); };
  const gnp::array<float> a = call();
  check_1d(a, 0, [&](index_t i) { return host[i]; });
  report_link(state, time_calls(call, 1));
  std::remove(path.c_str());
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

// ------------------------------------------------------------------------------------------------- streams

GNP_UFUNC(wander, (x), auto y = x, for (int i = 0; i < 20000; ++i) y = sqrt(y * y + x), y);

// Work too small to fill the GPU, twice, reading one array: on one stream one after the other, on two side by
// side.
void two_readers(benchmark::State& state) {
  const gnp::array<float> x = abs(waves<float>({4096}, 0.37));
  const gnp::stream left;
  const gnp::stream right;
  const auto read_on = [&x](const gnp::stream& s) {
    const gnp::use_stream on(s);
    const gnp::array<float> y = wander(x);
  };
  const timing one = time_calls([&] {
    read_on(left);
    read_on(left);
  });
  const timing two = time_calls([&] {
    read_on(left);
    read_on(right);
  });
  report(state, two);
  state.counters["of_one_stream"] = two.median / one.median;
}

// -------------------------------------------------------------------------------------------- the list

void copy_case(benchmark::State& state, const timing& time) { report_bandwidth(state, time, copy_bytes); }

}  // namespace

void register_gpu_benchmarks(bool quick) {
  gpu_timing::quick_run = quick;
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

  add_case("latency/add", [](State& s) { latency(s, false); }, benchmark::kMicrosecond);
  add_case("latency/five_operators", [](State& s) { latency(s, true); }, benchmark::kMicrosecond);

  add_case("transfer/to_device_pageable", [](State& s) { to_device(s, false); });
  add_case("transfer/to_device_pinned", [](State& s) { to_device(s, true); });
  add_case("transfer/load_npy", load_file);
  add_case("transfer/to_host_pageable", [](State& s) { to_host(s, false); });
  add_case("transfer/to_host_pinned", [](State& s) { to_host(s, true); });
}

void register_stream_benchmarks(bool quick) {
  gpu_timing::quick_run = quick;
  add_case("streams/two_readers", two_readers);
}
