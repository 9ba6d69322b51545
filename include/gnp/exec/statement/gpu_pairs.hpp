// SPDX-License-Identifier: MIT
// Statements with a reduction over pairs (exec/reduce/pairs.hpp), like the distances between all points of two
// sets and a function of them. The kernel for pairs stores its result, and the rest of the statement reads it.
#pragma once

#include <gnp/exec/reduce/pairs.hpp>
#include <gnp/exec/statement/gpu_nested.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does an input of a step have different elements along an axis of the step?
GNP_INLINE bool moves_along(const statement_step& step, const step_input& input, std::size_t axis) {
  const shape_t& shape = *input.memory.shape;
  if (axis + shape.size() < step.shape.size()) return false;
  const std::size_t own = axis + shape.size() - step.shape.size();
  return shape[own] != 1 && (input.step >= 0 || (*input.memory.strides)[own] != 0);
}

/// Is a step a reduction over pairs with enough results for all multiprocessors?
GNP_INLINE bool reduces_pairs(const statement_step& step) {
  constexpr index_t enough = index_t{1} << 19;
  if (step.reducer == nullptr || step.reducer->indexed || step.reducer->around_mean != nullptr ||
      element_count(step.result, "reduce") < enough ||
      reduced_length(step.shape, step.options.axes) < fewest_for_pairs)
    return false;
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < step.shape.size(); ++d) {
    if (!step.options.axes.chosen[d] && step.shape[d] != 1) kept.push_back(d);
  }
  if (kept.size() < 2) return false;
  bool has_rows = false;
  bool has_columns = false;
  auto read = static_cast<double>(enough_results);
  for (const step_input& input : step.inputs) {
    const bool moves_down = moves_along(step, input, kept.end()[-2]);
    const bool moves_across = moves_along(step, input, kept.end()[-1]);
    const bool in_memory = input.step >= 0 || input.memory.block != nullptr;
    if (!in_memory || input.memory.table || (moves_down && moves_across)) return false;
    has_rows = has_rows || moves_down;
    has_columns = has_columns || moves_across;
    read += static_cast<double>(element_count(*input.memory.shape, "reduce"));
  }
  return has_rows && has_columns && static_cast<double>(element_count(step.shape, "reduce")) > 8 * read;
}

/// The fewest elements for each result, if the result is stored and then read by another step. On an H200, the
/// roots of sums of 24 squares take 0.129 ms instead of 0.146 for 4096 x 4096 pairs of points, and those of
/// sums of 16 take 0.098 instead of 0.080.
inline constexpr index_t fewest_for_stored_pairs = 24;

/// Does a statement have such a reduction whose result is worth storing? A result that the last step only
/// reduces further, like the nearest of all distances, is not: loops in threads never store it. But they are
/// slow if each result has many elements.
GNP_INLINE bool stores_pairs(const statement& s) {
  const statement_step& last = s.steps.back();
  const index_t results = element_count(last.result, "reduce");
  return std::any_of(s.steps.begin(), s.steps.end(), [&s, results](const statement_step& step) {
    if (!reduces_pairs(step)) return false;
    const index_t length = reduced_length(step.shape, step.options.axes);
    return s.steps.size() == 1 || length > longest_loop ||
           (length >= fewest_for_stored_pairs && element_count(step.result, "reduce") <= results);
  });
}

/// Is a statement better run step by step, with the reductions' own kernels, than in one kernel?
GNP_INLINE bool runs_step_by_step(const statement& s) {
  return is_one_reduction_of_vectors(s) || stores_pairs(s);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
