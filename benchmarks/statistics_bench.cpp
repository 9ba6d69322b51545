// SPDX-License-Identifier: MIT
// Counting, histograms, distinct values and medians on the GPU. Each case checks its answer before it is timed.
#include "gpu_timing.hpp"

namespace {

using namespace gpu_timing;
using gnp::array;

constexpr index_t many = index_t{1} << 26;

void require(bool right, const char* what) {
  if (!right) throw wrong_result(what);
}

/// Numbers below `limit`, each as likely as the next.
array<std::int32_t> places(index_t limit, index_t count) {
  return gnp::random::default_rng(7).integers<std::int32_t>(0, static_cast<std::int32_t>(limit), {count});
}
array<float> shares(const gnp::shape_t& shape) {
  return gnp::random::default_rng(7).uniform<float>(0, 1, shape);
}

void bincount_case(benchmark::State& state, index_t bins, index_t count, index_t least_calls = 2) {
  const array<std::int32_t> x = places(bins, count);
  const array<std::int64_t> counts = gnp::bincount(x);
  require(gnp::sum(counts).item() == count, "not as many as there are");
  require(gnp::sum(counts * gnp::arange<std::int64_t>(counts.size())).item() == gnp::sum(x).item(),
          "other numbers");
  report(state, time_calls([&] { gnp::bincount(x); }, least_calls));
}

void weighted_case(benchmark::State& state, index_t bins) {
  const array<std::int32_t> x = places(bins, many);
  const array<double> w = shares({many}).astype<double>();
  const double total = gnp::sum(w);
  require(std::abs(gnp::sum(gnp::bincount(x, w)).item() - total) <= 1e-9 * total, "not the sum of the weights");
  report(state, time_calls([&] { gnp::bincount(x, w); }));
}

template <class Bins>
void histogram_case(benchmark::State& state, const Bins& bins, const gnp::histogram_options& options) {
  const array<float> x = shares({many});
  const array<std::int64_t> counts = gnp::histogram(x, bins, options).hist;
  require(gnp::sum(counts).item() == many, "not as many as there are");
  require(gnp::abs(counts - many / counts.size()).max().item() < many / 1000, "not evenly spread");
  report(state, time_calls([&] { gnp::histogram(x, bins, options); }));
}

void unique_case(benchmark::State& state, index_t limit, index_t count, index_t least_calls = 2) {
  const array<std::int32_t> x = places(limit, count);
  const auto [values, counts] = gnp::unique(x, {.return_counts = true});
  require(gnp::sum(counts).item() == count, "not as many as there are");
  require(gnp::all(gnp::diff(values) > 0).item(), "not in order");
  report(state, time_calls([&] { gnp::unique(x); }, least_calls));
}

void median_case(benchmark::State& state, const gnp::shape_t& shape, const gnp::axes_t& axis) {
  const array<float> x = shares(shape);
  require(gnp::abs(gnp::median(x, axis) - 0.5F).max().item() < 0.2F, "not in the middle");
  report(state, time_calls([&] { gnp::median(x, axis); }));
}

}  // namespace

void register_statistics_benchmarks(bool quick) {
  quick_run = quick;
  using benchmark::State;
  add_case("bincount_10", [](State& s) { bincount_case(s, 10, many); });
  add_case("bincount_1000", [](State& s) { bincount_case(s, 1000, many); });
  add_case("bincount_1000000", [](State& s) { bincount_case(s, 1000000, many); });
  add_case("bincount_weights_1000", [](State& s) { weighted_case(s, 1000); });
  add_case("bincount_weights_1000000", [](State& s) { weighted_case(s, 1000000); });
  add_case("histogram", [](State& s) { histogram_case(s, 100, {}); });
  add_case("histogram_range", [](State& s) { histogram_case(s, 100, {.range = {0, 1}}); });
  add_case("histogram_edges", [](State& s) { histogram_case(s, gnp::linspace<float>(0, 1, 101), {}); });
  add_case("unique_1000", [](State& s) { unique_case(s, 1000, many); });
  add_case("unique_10m", [](State& s) { unique_case(s, 10000000, many); });
  add_case("median", [](State& s) { median_case(s, {many}, gnp::none); });
  add_case("median_rows", [](State& s) { median_case(s, {65536, 1024}, 1); });
  add_case("small_unique", [](State& s) { unique_case(s, 100, 1000, 1000); });
  add_case("small_bincount", [](State& s) { bincount_case(s, 100, 1000, 1000); });
}
