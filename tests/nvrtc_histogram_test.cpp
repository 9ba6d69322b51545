// SPDX-License-Identifier: MIT
// test: no-asan
// Every histogram kernel, for element types of each kind, few bins and many; the operations of quantiles and
// sets.
#include <gnp/exec/histogram/gpu_histogram.hpp>
#include <gnp/exec/histogram/histogram.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/unique.hpp>
#include <gnp/statistics/nan_quantile.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::array;
using gnp::detail::bin_work;
using gnp::detail::kernel_plan;
using gnp::detail::lane_access;

kernel_plan plan_for(int rank, int vector, int items, int copies, bool wide, bool weighted) {
  kernel_plan plan;
  plan.shape = gnp::detail::kernel_shape::reduce_rows;
  plan.rank = static_cast<std::uint8_t>(rank);
  plan.vector = static_cast<std::uint8_t>(vector);
  plan.items = static_cast<std::uint8_t>(items);
  plan.group = static_cast<std::uint16_t>(copies);
  plan.threads = gnp::detail::histogram_threads;
  plan.wide = wide;
  plan.inputs = 1;
  plan.slots = weighted ? 3 : 2;
  plan.access[0] = lane_access::strided;
  plan.access[1] = rank > 1 ? lane_access::strided : lane_access::run;
  plan.access[2] = lane_access::run;
  plan.slot_of[0] = 1;
  plan.slot_of[1] = 2;
  return plan;
}

template <class Finder, class C, class X>
void add(std::vector<kernel>& kernels, const std::string& name) {
  const gnp::detail::histogram_code& code = gnp::detail::histogram_code_of<Finder, C, X>;
  const auto text = [&](bin_work work, const kernel_plan& plan) {
    kernels.push_back({name, kernel_source(gnp::detail::histogram_pass{nullptr, &code, work}, plan)});
  };
  const int vector = 16 / static_cast<int>(sizeof(typename X::value_type));
  text(bin_work::count, plan_for(1, vector, 4, 32, false, false));
  text(bin_work::count, plan_for(3, 1, 1, 0, true, false));
  text(bin_work::count_parts, plan_for(1, vector, 4, 8, false, false));
  text(bin_work::spread, plan_for(1, vector, vector == 16 ? 1 : 16 / vector, 0, false, false));
  text(bin_work::spread, plan_for(3, 1, 16, 0, true, false));
  text(bin_work::mark, plan_for(1, vector, 4, 0, false, false));
  text(bin_work::mark, plan_for(3, 1, 1, 0, true, false));
  text(bin_work::largest_weight, plan_for(1, 2, 4, 1, false, true));
  text(bin_work::add_weights, plan_for(2, 2, 4, 8, false, true));
  text(bin_work::add_weights, plan_for(1, 2, 1, 0, true, true));
}

template <class X>
void add_operation(std::vector<kernel>& kernels, const std::string& name) {
  kernel_plan plan;
  plan.shape = gnp::detail::kernel_shape::flat;
  plan.rank = 1;
  plan.vector = 1;
  plan.inputs = static_cast<std::uint8_t>(gnp::detail::input_count<X>);
  plan.slots = static_cast<std::uint8_t>(plan.inputs + 1);
  for (std::uint8_t i = 0; i < plan.inputs; ++i) plan.slot_of[i] = static_cast<std::uint8_t>(i + 1);
  plan.access.fill(lane_access::run);
  kernels.push_back({name, kernel_source(gnp::detail::code_of<X>, plan)});
}

}  // namespace

TEST_CASE("kernel texts of quantiles and sets") {
  if (nvrtc_is_missing()) return;
  namespace operations = gnp::operations;
  std::vector<kernel> kernels;
  const array<double> n;
  add_operation<decltype(gnp::ufunc<operations::quantile_rank_below_ufunc>()(n, 0.5, 6.0))>(kernels,
                                                                                            "rank below");
  add_operation<decltype(gnp::ufunc<operations::quantile_rank_above_ufunc>()(n, 0.5, 6.0))>(kernels,
                                                                                            "rank above");
  add_operation<decltype(gnp::ufunc<operations::quantile_share_ufunc>()(n, 0.5, 6.0))>(kernels, "share");
  const array<gnp::half> h;
  const array<gnp::complex64> z;
  const array<bool> b;
  add_operation<decltype(gnp::ufunc<operations::starts_group_ufunc>()(h, h))>(kernels, "groups of half");
  add_operation<decltype(gnp::ufunc<operations::starts_group_ufunc>()(z, z))>(kernels, "groups of complex64");
  add_operation<decltype(gnp::ufunc<operations::starts_group_ufunc>()(b, b))>(kernels, "groups of bool");
  add_operation<decltype(gnp::ufunc<operations::starts_alone_ufunc>()(n, n))>(kernels, "alone of double");
  check_all(kernels, {75, 90, 120});
}

TEST_CASE("kernel texts of histograms") {
  if (nvrtc_is_missing()) return;
  using namespace gnp::detail;
  std::vector<kernel> kernels;
  add<numbered_finder, std::int64_t, array<std::int32_t>>(kernels, "numbers of int32");
  add<numbered_finder, std::int64_t, array<bool>>(kernels, "numbers of bool");
  add<even_finder, float, array<gnp::half>>(kernels, "even bins of half");
  add<even_finder, float, array<float>>(kernels, "even bins of float");
  add<even_finder, double, array<std::int8_t>>(kernels, "even bins of int8");
  add<edged_finder, double, array<double>>(kernels, "edges of double");
  add<edged_finder, std::uint8_t, array<bool>>(kernels, "edges of bool");
  add<edged_finder, float, decltype(array<gnp::bfloat16>() * 2)>(kernels, "an expression");
  kernels.push_back({"sums", histogram_sums_source()});
  kernels.push_back({"counts of lists", gnp::detail::count_lists_source()});
  check_all(kernels, {75, 90, 120});
}

#else

TEST_CASE("kernel texts of histograms") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
