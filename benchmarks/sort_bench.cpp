// SPDX-License-Identifier: MIT
// Sorting and searching on the GPU: long lists, rows of every length, the largest of many. Each case checks its
// answer before it is timed.
#include <limits>

#include "gpu_timing.hpp"

namespace {

using namespace gpu_timing;

// All values are as likely as any other where they are integers.
template <class T>
gnp::array<T> noise(const gnp::shape_t& shape) {
  auto generator = gnp::random::default_rng(7);
  if constexpr (std::is_integral_v<T>) {
    return generator.template integers<T>(std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), shape);
  } else {
    return generator.standard_normal<float>(shape).template astype<T>();
  }
}

void require(bool right, const char* what) {
  if (!right) throw wrong_result(what);
}

template <class T>
void check_sorted(const gnp::array<T>& x, const gnp::array<T>& sorted, int axis) {
  const gnp::array<T> rows = axis == 0 ? sorted.T() : sorted;
  const auto later = rows(gnp::ellipsis, gnp::slice(1, gnp::none));
  const auto earlier = rows(gnp::ellipsis, gnp::slice(0, -1));
  require(gnp::all(earlier <= later).item(), "not in order");
  // The same elements, told by what they add up to.
  const double total = gnp::sum(x.template astype<double>());
  const double size = gnp::sum(gnp::abs(x.template astype<double>()));
  require(std::abs(gnp::sum(sorted.template astype<double>()).item() - total) <= 1e-9 * size, "other elements");
}

template <class T>
void sort_case(benchmark::State& state, const gnp::shape_t& shape, int axis) {
  const gnp::array<T> x = noise<T>(shape);
  check_sorted(x, gnp::sort(x, axis), axis);
  report(state, time_calls([&] { gnp::sort(x, axis); }));
}

template <class T>
void argsort_case(benchmark::State& state, const gnp::shape_t& shape) {
  const gnp::array<T> x = noise<T>(shape);
  require(gnp::array_equal(gnp::take_along_axis(x, gnp::argsort(x)), gnp::sort(x)), "not the order");
  report(state, time_calls([&] { gnp::argsort(x); }));
}

void top_k_case(benchmark::State& state, const gnp::shape_t& shape) {
  const gnp::array<float> x = noise<float>(shape);
  const auto best = gnp::top_k(x, 10);
  require(gnp::array_equal(best.values, gnp::sort(x, {.descending = true})(gnp::ellipsis, gnp::slice(10))),
          "not the largest");
  require(gnp::array_equal(gnp::take_along_axis(x, best.indices), best.values), "not where they are");
  report(state, time_calls([&] { gnp::top_k(x, 10); }));
}

void search_case(benchmark::State& state) {
  const gnp::array<float> x = noise<float>({1 << 24});
  const gnp::array<float> table = gnp::sort(x(gnp::slice(1 << 20)));
  const auto found = gnp::searchsorted(table, x);
  require(gnp::array_equal(gnp::take(table, found(gnp::slice(1 << 20))), x(gnp::slice(1 << 20))), "not found");
  report(state, time_calls([&] { gnp::searchsorted(table, x); }));
}

void latency_case(benchmark::State& state) {
  const gnp::array<float> x = noise<float>({1000});
  check_sorted(x, gnp::sort(x), -1);
  report(state, time_calls([&] { gnp::sort(x); }, 1000));
}

}  // namespace

void register_sort_benchmarks(bool quick) {
  quick_run = quick;
  using benchmark::State;
  constexpr index_t n = index_t{1} << 26;
  add_case("sort/float32", [](State& s) { sort_case<float>(s, {n}, -1); });
  add_case("sort/int32", [](State& s) { sort_case<std::int32_t>(s, {n}, -1); });
  add_case("sort/int64", [](State& s) { sort_case<std::int64_t>(s, {n}, -1); });
  add_case("sort/float64", [](State& s) { sort_case<double>(s, {n}, -1); });
  add_case("sort/float16", [](State& s) { sort_case<gnp::half>(s, {n}, -1); });
  add_case("argsort/float32", [](State& s) { argsort_case<float>(s, {n}); });
  add_case("argsort/int32", [](State& s) { argsort_case<std::int32_t>(s, {n}); });
  add_case("argsort/int64", [](State& s) { argsort_case<std::int64_t>(s, {n}); });
  add_case("argsort/float64", [](State& s) { argsort_case<double>(s, {n}); });
  add_case("sort/rows_1048576x64", [](State& s) { sort_case<float>(s, {1 << 20, 64}, -1); });
  add_case("sort/rows_65536x1024", [](State& s) { sort_case<float>(s, {1 << 16, 1024}, -1); });
  add_case("sort/rows_1024x65536", [](State& s) { sort_case<float>(s, {1024, 65536}, -1); });
  add_case("sort/columns_1024x65536", [](State& s) { sort_case<float>(s, {1024, 65536}, 0); });
  add_case("top_k/2p26", [](State& s) { top_k_case(s, {n}); });
  add_case("top_k/65536x1024", [](State& s) { top_k_case(s, {65536, 1024}); });
  add_case("searchsorted/2p24_in_2p20", [](State& s) { search_case(s); });
  add_case("latency/sort", [](State& s) { latency_case(s); }, benchmark::kMicrosecond);
}
