// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// The kernels of indexing by arrays: gathers within expressions and reductions, compaction, scattering.
#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/gather/gpu_compact.hpp>
#include <gnp/exec/gather/run_scatter.hpp>
#include <gnp/exec/text/reduce_source.hpp>
#include <gnp/gnp.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

using namespace gnp::detail;
using gnp::array;

GNP_UFUNC(mean_of_two, (x, y), 0.5 * (x + y));

/// A plan in which each input has a slot of its own, reached one way.
kernel_plan plan_for(kernel_shape shape, int inputs, int rank, int vector, int items, bool wide,
                     lane_access access) {
  kernel_plan plan;
  plan.shape = shape;
  plan.rank = static_cast<std::uint8_t>(rank);
  plan.vector = static_cast<std::uint8_t>(vector);
  plan.items = static_cast<std::uint8_t>(items);
  plan.wide = wide;
  plan.inputs = static_cast<std::uint8_t>(inputs);
  plan.slots = static_cast<std::uint8_t>(inputs + 1);
  for (int i = 0; i <= inputs; ++i) {
    plan.access[static_cast<std::size_t>(i)] = i == 0 ? lane_access::run : access;
    if (i > 0) plan.slot_of[static_cast<std::size_t>(i) - 1] = static_cast<std::uint8_t>(i);
  }
  return plan;
}

/// The same where the first input is a table of which rows are taken whole.
kernel_plan with_runs(kernel_plan plan) {
  plan.gathered_runs = 1;
  if (plan.vector == 1) plan.vector = 2;
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    const bool moves = plan.access[slot] == lane_access::run || plan.access[slot] == lane_access::counted;
    plan.moves[slot] = static_cast<std::uint16_t>(moves ? 1U << (plan.rank - 1) : 1U);
  }
  return plan;
}

/// x(index) of one type of each: a table, offsets, an index.
template <class T, class I>
void add_gather(std::vector<kernel>& kernels) {
  using node = gathered<true, T, 1, array<I>>;
  const auto& code = code_of<node>;
  for (const bool wide : {false, true}) {
    kernel_plan plan = plan_for(kernel_shape::flat, 3, 1, wide ? 1 : 2, 2, wide, lane_access::run);
    plan.access[1] = lane_access::repeated;
    plan.access[2] = lane_access::counted;
    kernels.push_back(
        {std::string("gather of ") + gnp::name(gnp::dtype_of<T>) + " by " + gnp::name(gnp::dtype_of<I>),
         kernel_source(code, plan)});
    plan.shape = kernel_shape::elementwise;
    plan.rank = 3;
    plan.items = 1;
    kernels.push_back({"the same in rows", kernel_source(code, plan)});
    kernels.push_back({"rows taken whole", kernel_source(code, with_runs(plan))});
    CHECK(has(kernels.back(), "load_vector(g0[i]"));
    CHECK(!has(kernels[kernels.size() - 2], "load_vector(g0[i]"));
  }
}

/// Sums of rows that are taken whole, along them and across them.
template <class T, class Index>
void add_sums_of_rows(std::vector<kernel>& kernels) {
  using node = gathered<true, T, 1, array<Index>>;
  const auto& code = reduction_code_of<sum_reducer, node, T, T>;
  for (const kernel_shape shape : {kernel_shape::reduce_rows, kernel_shape::reduce_columns}) {
    for (const bool wide : {false, true}) {
      kernel_plan plan = plan_for(shape, 3, 3, 2, 4, wide, lane_access::repeated);
      plan.kept = 2;
      plan.group = 32;
      plan.access[2] = lane_access::counted;
      kernels.push_back(
          {std::string("sum of rows of ") + gnp::name(gnp::dtype_of<T>), kernel_source(code, with_runs(plan))});
    }
  }
}

template <class V, class C>
void add_compaction(std::vector<kernel>& kernels, int inputs, int vector) {
  const compact_code& code = compact_code_of<V, C>;
  for (const bool wide : {false, true}) {
    for (const int rank : {1, 3}) {
      kernel_plan plan = plan_for(
          kernel_shape::compact, inputs, rank, vector,
          compacted_items(vector, code.elements->result, wide ? 1 : 1 << 20, code.positions && rank == 1), wide,
          rank == 1 ? lane_access::run : lane_access::strided);
      if (std::is_same_v<V, position>) plan.access[1] = lane_access::counted;
      plan.access[0] = lane_access::strided;
      kernels.push_back({"compaction " + std::to_string(kernels.size()), kernel_source(code, plan)});
    }
  }
}

}  // namespace

TEST_CASE("gathers compile for every type of element and index") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  add_gather<bool, std::int8_t>(kernels);
  add_gather<gnp::half, std::int16_t>(kernels);
  add_gather<float, std::int32_t>(kernels);
  add_gather<double, std::int64_t>(kernels);
  add_gather<gnp::complex64, std::uint8_t>(kernels);
  add_gather<gnp::complex128, std::uint64_t>(kernels);
  add_sums_of_rows<double, std::int64_t>(kernels);
  add_sums_of_rows<float, std::int32_t>(kernels);
  add_sums_of_rows<gnp::complex128, std::uint64_t>(kernels);
  // Places alone, as a scatter has them; two indices, one of them computed; and a sum of a gather.
  using places_node = places<1, array<std::uint32_t>>;
  kernel_plan plan = plan_for(kernel_shape::flat, 2, 1, 2, 2, false, lane_access::run);
  plan.access[1] = lane_access::counted;
  kernels.push_back({"places", kernel_source(code_of<places_node>, plan)});
  const array<float> x;
  const array<int> i;
  using two = std::remove_cvref_t<decltype(x(i, i + 1) * 2.0F)>;
  plan = plan_for(kernel_shape::elementwise, 4, 2, 4, 1, true, lane_access::repeated);
  kernels.push_back({"two indices", kernel_source(code_of<two>, plan)});
  using one = std::remove_cvref_t<decltype(x(i))>;
  const auto& sum = reduction_code_of<sum_reducer, one, float, float>;
  plan = plan_for(kernel_shape::reduce_rows, 3, 1, 4, 4, false, lane_access::run);
  plan.group = 256;
  plan.access[1] = lane_access::repeated;
  plan.access[2] = lane_access::counted;
  kernels.push_back({"a sum", kernel_source(sum, plan)});
  check_all(kernels, {75, 90});
}

TEST_CASE("compactions compile for every shape of their kernel") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const array<float> x;
  using condition = std::remove_cvref_t<decltype(x > 0.5F)>;
  add_compaction<array<float>, condition>(kernels, 2, 4);
  add_compaction<array<gnp::complex128>, array<bool>>(kernels, 2, 2);
  add_compaction<array<gnp::half>, array<bool>>(kernels, 2, 8);
  add_compaction<position, array<bool>>(kernels, 2, 8);
  add_compaction<position, condition>(kernels, 2, 4);
  check_all(kernels, {75, 90});
}

TEST_CASE("assignments where a condition is true compile") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const auto add = [&kernels]<class V, class C>(const V&, const C&) {
    const expression_code& code = conditional_code<V, C>;
    for (const bool wide : {false, true}) {
      for (const int rank : {1, 3}) {
        const kernel_plan plan =
            plan_for(kernel_shape::elementwise, code.inputs, rank, 1, 8, wide, lane_access::run);
        const std::string text = kernel_source(code, plan);
        CHECK(text.find("&& keeps(p, ") != std::string::npos);
        kernels.push_back({std::string("where, of ") + gnp::name(code.result), text});
      }
    }
  };
  const array<float> x;
  add(make_constant<float>(1.0F, "test"), array<bool>());
  add(x * 2.0F, x > 0.5F);
  add(array<std::uint8_t>(), array<bool>());
  add(array<gnp::half>(), array<gnp::half>() != array<gnp::half>());
  add(make_constant<gnp::complex128>(1.0, "test"), array<bool>());
  check_all(kernels, {75, 90});
}

TEST_CASE("scatters compile") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const bool wide : {false, true}) {
    kernels.push_back({"claims", claim_source(wide)});
    for (const int size : {1, 2, 4, 8, 16}) kernels.push_back({"scatter", scatter_source(size, wide)});
  }
  const auto add_at_kernels = [&kernels]<class Op, class T>(Op*, T*) {
    using node = gnp::expression<Op, gnp::array<T>, gnp::array<T>>;
    for (const bool in_order : {true, false}) {
      if (!in_order && sizeof(T) != 4 && sizeof(T) != 8) continue;
      kernels.push_back({std::string(Op::name) + "_at of " + gnp::name(gnp::dtype_of<T>),
                         at_source(source_of<node>.operation, gnp::dtype_of<T>, gnp::dtype_of<T>,
                                   gnp::dtype_of<body_type<node, 0>>, in_order)});
    }
    kernels.push_back(
        {std::string(Op::name) + " in order of " + gnp::name(gnp::dtype_of<T>),
         fold_in_order_source(source_of<node>.operation, gnp::dtype_of<T>, gnp::dtype_of<body_type<node, 0>>)});
  };
  using namespace gnp::operations;
  const auto add_wide_values = [&kernels]<class Op, class T, class V>(Op*, T*, V*) {
    using node = gnp::expression<Op, gnp::array<T>, gnp::array<V>>;
    kernels.push_back({std::string(Op::name) + "_at of wider values",
                       at_source(source_of<node>.operation, gnp::dtype_of<T>, gnp::dtype_of<V>,
                                 gnp::dtype_of<body_type<node, 0>>, true)});
  };
  add_wide_values(static_cast<minimum_ufunc*>(nullptr), static_cast<std::int8_t*>(nullptr),
                  static_cast<std::int64_t*>(nullptr));
  add_wide_values(static_cast<divide_ufunc*>(nullptr), static_cast<gnp::half*>(nullptr),
                  static_cast<gnp::bfloat16*>(nullptr));
  add_wide_values(static_cast<power_ufunc*>(nullptr), static_cast<gnp::complex64*>(nullptr),
                  static_cast<gnp::complex128*>(nullptr));
  const auto add_types = [&add_at_kernels]<class Op>(Op* op) {
    add_at_kernels(op, static_cast<std::int8_t*>(nullptr));
    add_at_kernels(op, static_cast<std::int32_t*>(nullptr));
    add_at_kernels(op, static_cast<std::uint64_t*>(nullptr));
    add_at_kernels(op, static_cast<gnp::half*>(nullptr));
    add_at_kernels(op, static_cast<float*>(nullptr));
    add_at_kernels(op, static_cast<gnp::complex64*>(nullptr));
  };
  add_types(static_cast<add_ufunc*>(nullptr));
  add_types(static_cast<multiply_ufunc*>(nullptr));
  add_types(static_cast<maximum_ufunc*>(nullptr));
  add_at_kernels(static_cast<mean_of_two_ufunc*>(nullptr), static_cast<float*>(nullptr));
  add_at_kernels(static_cast<mean_of_two_ufunc*>(nullptr), static_cast<gnp::half*>(nullptr));
  add_at_kernels(static_cast<subtract_ufunc*>(nullptr), static_cast<double*>(nullptr));
  add_at_kernels(static_cast<divide_ufunc*>(nullptr), static_cast<double*>(nullptr));
  add_at_kernels(static_cast<floor_divide_ufunc*>(nullptr), static_cast<std::int64_t*>(nullptr));
  add_at_kernels(static_cast<power_ufunc*>(nullptr), static_cast<float*>(nullptr));
  add_at_kernels(static_cast<fmin_ufunc*>(nullptr), static_cast<double*>(nullptr));
  add_at_kernels(static_cast<bitwise_xor_ufunc*>(nullptr), static_cast<std::int32_t*>(nullptr));
  check_all(kernels, {75, 90});
}

#endif
