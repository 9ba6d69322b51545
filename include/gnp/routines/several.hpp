// SPDX-License-Identifier: MIT
// eval: several results at once.
#pragma once

#include <gnp/exec/statement/run.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/routines/side_by_side.hpp>
#include <tuple>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Identifies the statement of one or more reductions, which contains nothing else.
template <class... X>
struct several {};
template <class... X>
inline constexpr program text_of<several<X...>>{.kernels = kernels_for<several<X...>>};

/// Adds a reduction to the statement and returns its step; -1 for what is computed separately.
template <class X>
int add_if_reduction(statement& s, const X& x) {
  if constexpr (is_reduced_v<X>) {
    if (!x.options().initial.given() && x.operand().ndim() == x.options().rank) {
      const int step = add_reduction(s, x);
      s.steps[static_cast<std::size_t>(step)].is_result = true;
      return step;
    }
    pass_over_reductions(s, source_of<X>);
  }
  return -1;
}

/// The result of a step as an array. The first caller gets the step's own memory, and later ones get a copy.
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
/// max(x)). On a GPU, reductions of the same elements along the same axes are computed in one pass over memory,
/// and so are formulas of the same shape: std::tie(m, p) = eval(0.9F * m + g, p - 0.9F * m - g) reads m, g and
/// p once.
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
