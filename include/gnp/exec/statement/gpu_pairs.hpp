// SPDX-License-Identifier: MIT
// Statements with a reduction over pairs (exec/reduce/pairs.hpp), like the distances between all points of two
// sets and a function of them. The kernel for pairs stores its result, and the rest of the statement reads it.
#pragma once

#include <gnp/exec/reduce/pairs.hpp>
#include <gnp/exec/statement/gpu_nested.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does an input of a step have different elements along an axis of the step?
GNP_INLINE bool moves_along(const statement_step& step, const step_input& input, int axis) {
  const shape_t& shape = *input.memory.shape;
  const int own = axis - (step.shape.rank() - shape.rank());
  return own >= 0 && shape[own] != 1 && (input.step >= 0 || (*input.memory.strides)[own] != 0);
}

/// Is a step a reduction over pairs with enough results for all multiprocessors?
GNP_INLINE bool reduces_pairs(const statement_step& step) {
  if (step.reducer == nullptr || step.reducer->indexed || step.reducer->around_mean != nullptr ||
      element_count(step.result, "reduce") < enough_pairs ||
      reduced_length(step.shape, step.options.axes) < fewest_for_pairs)
    return false;
  const auto stays = [&step](int d) { return !step.options.axes.chosen[d] && step.shape[d] != 1; };
  const auto moves = [&step](int i, int d) {
    return moves_along(step, step.inputs[static_cast<std::size_t>(i)], d);
  };
  if (!makes_pairs_of_last_axes(step.shape.rank(), stays, static_cast<int>(step.inputs.size()), moves))
    return false;
  auto read = static_cast<double>(enough_results);
  for (const step_input& input : step.inputs) {
    const bool in_memory = input.step >= 0 || input.memory.block != nullptr;
    if (!in_memory || input.memory.table) return false;
    read += static_cast<double>(element_count(*input.memory.shape, "reduce"));
  }
  return static_cast<double>(element_count(step.shape, "reduce")) > 8 * read;
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

/// Is a statement one reduction that is faster in the reduction kernel than in loops? It is if its rows are not
/// very short, or if it reduces blocks of a picture, whose rows that kernel reads as whole vectors.
GNP_INLINE bool is_one_reduction_of_blocks(const statement& s) {
  if (s.steps.size() != 1 || short_rows_read_little(s)) return false;
  const statement_step& last = s.steps.back();
  return last.options.axes.count > 1 || reduced_length(last.shape, last.options.axes) > longest_loop;
}

/// Is a statement better run step by step, with the reductions' own kernels, than in one kernel?
GNP_INLINE bool runs_step_by_step(const statement& s) {
  return is_one_reduction_of_vectors(s) || is_one_reduction_of_blocks(s) || stores_pairs(s);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
