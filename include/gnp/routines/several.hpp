// SPDX-License-Identifier: MIT
// eval: several results at once.
#pragma once

#include <gnp/exec/elementwise/several_code.hpp>
#include <gnp/exec/statement/run.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <tuple>

namespace gnp { inline namespace GNP_ABI {
namespace operations {

/// Several expressions that a kernel computes side by side.
struct beside {
  static constexpr const char* name = "eval";
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::gather_rule{}; }
};

}  // namespace operations

namespace detail {

/// Formulas whose elements one kernel can compute with others'.
template <class X>
inline constexpr bool is_formula_v = is_expression_v<X> && !is_deferred_v<X> && !has_reductions_v<X>;

#if GNP_HAS_CUDA
template <class... X>
constexpr auto types_of_several() {
  constexpr auto read = input_types<expression<operations::beside, X...>>;
  std::array<dtype, read.size() + sizeof...(X)> types{};
  std::copy(read.begin(), read.end() - 1, types.begin());
  std::size_t next = read.size() - 1;
  std::size_t result = 0;
  ((result++ > 0 ? void(types[next++] = dtype_of<typename X::value_type>) : void()), ...);
  return types;
}
template <class... X>
inline constexpr auto types_of_several_v = types_of_several<X...>();
template <class First, class... X>
inline constexpr program several_program{
    input_count<First> + (input_count<X> + ... + 0) + static_cast<int>(sizeof...(X)),
    constant_count<First> + (constant_count<X> + ... + 0),
    dtype_of<typename First::value_type>,
    types_of_several_v<First, X...>.data(),
    nullptr,
    &source_of<First>,
    nullptr,
    false};
template <class... X>
inline constexpr several_code several_code_of{&several_program<X...>, sources_of<X...>,
                                              static_cast<int>(sizeof...(X)),
                                              kernels_for<expression<operations::beside, X...>>};

/// Can one kernel compute them?
template <class... X>
inline constexpr bool fit_side_by_side =
    sizeof...(X) > 1 && (is_formula_v<X> && ...) &&
    (input_count<X> + ...) + static_cast<int>(sizeof...(X)) < most_operands;

/// Writes formulas by one kernel into memory of one shape that nothing they read is changed by; false where
/// that is not so, or one by one is better.
template <class... X>
bool write_side_by_side(const std::tuple<array<typename X::value_type>...>& results,
                        const job_inputs<expression<operations::beside, X...>>& inputs) {
  return std::apply(
      [&](const auto&... result) {
        const leaf_view views[] = {view_of(result)...};
        return write_several(several_code_of<X...>, views, inputs.leaves(), inputs.constants());
      },
      results);
}
#endif

/// Formulas of one shape on a GPU, computed into `results` by one kernel; false where they are not, or one by
/// one is better.
template <class... X>
bool compute_side_by_side([[maybe_unused]] std::tuple<array<typename X::value_type>...>& results,
                          [[maybe_unused]] const X&... x) {
#if GNP_HAS_CUDA
  if constexpr (fit_side_by_side<X...>) {
    const auto& first = std::get<0>(std::tie(x...));
    const device where = first.device();
    const shape_t shape = first.shape();
    if (where.is_cpu() || !((x.shape() == shape && x.device() == where) && ...) ||
        element_count(shape, "eval") == 0)
      return false;
    const expression<operations::beside, X...> formulas(std::in_place, x...);
    const job_inputs<expression<operations::beside, X...>> inputs(formulas);
    const shape_t strides = dense_strides(inputs.leaves(), inputs.count, shape);
    results = {array<typename X::value_type>(shape, strides, where, "eval")...};
    return write_side_by_side<X...>(results, inputs);
  }
#endif
  return false;
}

/// The statement of one reduction or more, which nothing but they make.
template <class... X>
struct several {};
template <class... X>
inline constexpr program text_of<several<X...>>{
    0, 0, dtype::bool_, nullptr, nullptr, nullptr, kernels_for<several<X...>>, false};

/// Adds a reduction as steps; -1 for what is computed by itself.
template <class X>
int add_if_reduction(statement& s, const X& x) {
  if constexpr (is_reduced_v<X>) {
    if (!x.options().initial.given() && x.operand().ndim() == x.options().rank) {
      const int step = add_reduction(s, x);
      s.steps[static_cast<std::size_t>(step)].is_result = true;
      return step;
    }
  }
  return -1;
}

/// The result of a step as an array; the first to ask gets the memory that it is in.
template <class X>
array<typename X::value_type> result_of(const X& x, int step, const step_results& results,
                                        std::vector<bool>& given) {
  using T = typename X::value_type;
  if (step < 0) {
    if constexpr (is_expression_v<X> || is_reduced_v<X>) {
      return evaluate(x);
    } else {
      return x.copy();
    }
  }
  const auto at = static_cast<std::size_t>(step);
  const storage_ref& memory = results.memory(at);
  const array<T> result(memory, static_cast<T*>(memory->data), x.shape(), contiguous_strides(x.shape()));
  if (given[at]) return result.copy();
  given[at] = true;
  return result;
}

}  // namespace detail

/// The values of several expressions as new arrays: auto [m, s, low, high] = eval(mean(x), std(x), min(x),
/// max(x)); On a GPU, reductions of the same elements along the same axes are made in one pass over memory, and
/// so are formulas of one shape: std::tie(m, p) = eval(0.9F * m + g, p - 0.9F * m - g) reads m, g and p once.
template <array_like... X>
std::tuple<array<typename X::value_type>...> eval(const X&... x) {
  static_assert(sizeof...(X) > 0, "gnp: eval takes what is to be computed");
  if constexpr ((detail::is_formula_v<X> && ...)) {
    std::tuple<array<typename X::value_type>...> results;
    if (detail::compute_side_by_side(results, x...)) return results;
  }
  detail::statement s;
  const int steps[] = {detail::add_if_reduction(s, x)...};
  detail::step_results results(s);
  const device where = s.where("eval").value_or(default_device());
  for (std::size_t i = 0; i < s.steps.size(); ++i) {
    if (!results.has(i)) detail::run_into_results(s, i, detail::text_of<detail::several<X...>>, results, where);
  }
  std::vector<bool> given(s.steps.size() + 1);
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::tuple<array<typename X::value_type>...>{detail::result_of(x, steps[Index], results, given)...};
  }(std::index_sequence_for<X...>());
}

}}  // namespace gnp::GNP_ABI
