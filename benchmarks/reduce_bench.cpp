// SPDX-License-Identifier: MIT
// Reductions and scans: what fraction of the copy bandwidth they read (and, scans, write) with. A result is new
// in each call, as in the peers. Each case checks its answer before it is timed.
#include "gpu_timing.hpp"

namespace {

using namespace gpu_timing;
using gnp::array;

constexpr index_t side = 16384;
constexpr index_t total = side * side;

void expect_all(const auto& got, const auto& want, double limit) {
  if (!gnp::allclose(got, want, {.rtol = limit, .atol = limit})) throw wrong_result("not the sum in float64");
}

// A matrix of waves whose sums are known from the same sum in float64.
template <class Make, class Call>
void reduction(benchmark::State& state, const Make& make, double bytes, const Call& call, double limit = 1e-3) {
  const auto x = make();
  expect_all(call(x).template astype<double>(), call(x.template astype<double>()), limit);
  time_bandwidth(state, bytes, [&] { call(x); });
}

array<float> matrix() { return waves<float>({side, side}, 0.37); }

void add_sums() {
  using benchmark::State;
  constexpr double bytes = total * 4.0;
  add_case("sum/all", [](State& s) { reduction(s, matrix, bytes, [](const auto& x) { return gnp::sum(x); }); });
  add_case("sum/axis_0", [](State& s) {
    reduction(s, matrix, bytes, [](const auto& x) { return gnp::sum(x, {.axis = 0}); });
  });
  add_case("sum/axis_1", [](State& s) {
    reduction(s, matrix, bytes, [](const auto& x) { return gnp::sum(x, {.axis = 1}); });
  });
  add_case("sum/transposed", [](State& s) {
    reduction(s, matrix, bytes, [](const auto& x) { return gnp::sum(x.T(), {.axis = 1}); });
  });
  add_case("sum/cube_axis_1", [](State& s) {
    reduction(
        s, [] { return waves<float>({256, 1024, 1024}, 0.37); }, bytes,
        [](const auto& x) { return gnp::sum(x, {.axis = 1}); });
  });
  add_case("sum/float16", [](State& s) {
    const array<gnp::half> x = waves<gnp::half>({2 * total}, 0.37);
    expect_all(gnp::sum(x).astype<double>(), gnp::sum<double>(x), 1e-2);
    time_bandwidth(s, bytes, [&] { gnp::sum(x); });
  });
  add_case("sum/int32", [](State& s) {
    const array<std::int32_t> x = gnp::arange<std::int32_t>(total);
    if (gnp::sum(x).item() != total * (total - 1) / 2) throw wrong_result("not the sum of 0, 1, 2, ...");
    time_bandwidth(s, bytes, [&] { gnp::sum(x); });
  });
  const auto small = [](State& s, const gnp::shape_t& shape, int axis) {
    reduction(
        s, [&] { return waves<float>(shape, 0.37); }, 8e6,
        [axis](const auto& x) { return gnp::sum(x, {.axis = axis}); });
  };
  add_case("sum/1000000x2_axis_1", [small](State& s) { small(s, {1000000, 2}, 1); }, benchmark::kMicrosecond);
  add_case("sum/2x1000000_axis_0", [small](State& s) { small(s, {2, 1000000}, 0); }, benchmark::kMicrosecond);
  add_case(
      "latency/sum",
      [](State& s) {
        const array<float> x = waves<float>({1000}, 0.37);
        expect_all(gnp::sum(x), gnp::sum<double>(x), 1e-5);
        report(s, time_calls([&] { gnp::sum(x); }, 2000));
      },
      benchmark::kMicrosecond);
}

void add_others() {
  using benchmark::State;
  constexpr double bytes = total * 4.0;
  add_case("norm",
           [](State& s) { reduction(s, matrix, bytes, [](const auto& x) { return gnp::linalg::norm(x); }); });
  add_case("vector_product", [](State& s) {
    const array<float> a = matrix(), b = waves<float>({side, side}, 0.11);
    expect_all(gnp::sum(a * b), gnp::sum(a.astype<double>() * b.astype<double>()), 1e-3);
    time_bandwidth(s, 2 * bytes, [&] { gnp::sum(a * b); });
  });
  add_case("mean_squared_distance", [](State& s) {
    const array<float> a = matrix(), b = waves<float>({side, side}, 0.11);
    const auto exact = [](const array<float>& x) { return x.astype<double>(); };
    expect_all(gnp::mean(gnp::square(a - b)), gnp::mean(gnp::square(exact(a) - exact(b))), 1e-5);
    time_bandwidth(s, 2 * bytes, [&] { gnp::mean(gnp::square(a - b)); });
  });
  add_case("argmax", [](State& s) {
    array<float> x = waves<float>({total}, 0.37);
    x(total / 3 * 2 + 5) = 2.0F;
    if (gnp::argmax(x).item() != total / 3 * 2 + 5) throw wrong_result("argmax is elsewhere");
    time_bandwidth(s, bytes, [&] { gnp::argmax(x); });
  });
  add_case("var",
           [](State& s) { reduction(s, matrix, bytes, [](const auto& x) { return gnp::var(x); }, 1e-5); });
}

void add_scans() {
  using benchmark::State;
  constexpr double bytes = 2 * total * 4.0;
  add_case("cumsum/all", [](State& s) {
    const array<float> x = waves<float>({total}, 0.37);
    expect_all(gnp::cumsum(x)(-1), gnp::sum<double>(x), 2e-2);
    time_bandwidth(s, bytes, [&] { gnp::cumsum(x); });
  });
  for (const int axis : {0, 1}) {
    add_case("cumsum/axis_" + std::to_string(axis), [axis](State& s) {
      const array<float> x = matrix();
      const array<float> sums = gnp::cumsum(x, {.axis = axis});
      expect_all(axis == 0 ? sums(-1) : sums(gnp::all, -1), gnp::sum<double>(x, {.axis = axis}), 1e-3);
      time_bandwidth(s, bytes, [&] { gnp::cumsum(x, {.axis = axis}); });
    });
  }
}

}  // namespace

void register_reduce_benchmarks(bool quick) {
  quick_run = quick;
  add_sums();
  add_others();
  add_scans();
}
