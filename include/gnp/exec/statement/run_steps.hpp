// SPDX-License-Identifier: MIT
// How a statement with reductions in it runs: in few kernels if possible, otherwise one step after the other.
#pragma once

#include <gnp/exec/elementwise/run_job.hpp>
#include <gnp/exec/reduce/run_reduction.hpp>
#include <gnp/exec/statement/cpu_rows.hpp>
#include <gnp/exec/statement/gpu_joint.hpp>
#include <gnp/exec/statement/gpu_loops_apart.hpp>
#include <gnp/exec/statement/gpu_nested.hpp>
#include <gnp/exec/statement/gpu_reduced_rows.hpp>
#include <gnp/exec/statement/gpu_row_part.hpp>
#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/statement/gpu_rows_after.hpp>
#include <gnp/exec/statement/statement_way.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/memory/bad_index.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Runs a reduction of a statement into memory that does not overlap its inputs.
GNP_INLINE void run_step(const statement_step& step, const step_results& results,
                         const leaf_view& destination) {
  const std::vector<leaf_view> inputs = results.inputs_of(step);
  std::vector<job_operand> operands(inputs.size() + 2);
  run_reduction(*step.reducer, step.shape, step.options.axes, step.options.parameter, destination,
                inputs.data(), bytes_of(step.numbers), operands.data(), step.options.function);
}

GNP_INLINE void run_into_results(const statement& s, std::size_t i, const expression_code& text,
                                 step_results& results, device where) {
#if GNP_HAS_CUDA
  const auto runs_on_gpu = [&](step_way way) {
    if (way == step_way::row_part) return run_row_part_on_gpu(s, i, results, where);
    if (way == step_way::loops_apart) return run_loops_apart_on_gpu(s, i, text, results, where);
    return run_joint_on_gpu(s, i, text, results, where, {});
  };
  if (suits_a_step_way(where, runs_on_gpu)) return;
#endif
  (void)text;
  run_step(s.steps[i], results, results.make(i, s.steps[i], where));
}

#if GNP_HAS_CUDA
/// Runs what comes after some reductions of a statement as a row program, after these reductions; false if only
/// the reductions have run.
GNP_INLINE bool run_rows_after_others(const statement& s, const expression_code& text, step_results& results,
                                      const leaf_view& destination) {
  const device where = destination.block->device;
  const std::vector<bool> before = where.is_cpu() ? std::vector<bool>() : reductions_before_rows(s);
  if (before.empty()) return false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] && !results.has(i)) run_into_results(s, i, text, results, where);
  }
  if (!rows_are_left(before, results)) return false;
  const statement_after rows = after_writer::what_follows(s, text, before, results);
  if (!run_rows_on_gpu(rows.steps, *rows.text, destination)) return false;
  check_sent_indices(where);
  return true;
}
#endif

/// Runs one step after the other, each into new memory. The last one writes the destination, to which `copy`
/// can copy. The destination may also be read.
GNP_INLINE void run_steps(const statement& s, const expression_code& text, const leaf_view& destination,
                          const expression_code& copy) {
  const device where = destination.block->device;
  const std::size_t last = s.steps.size() - 1;
  const statement_step& final_step = s.steps[last];
  step_results results(s);
#if GNP_HAS_CUDA
  if (run_rows_after_others(s, text, results, destination)) return;
#endif
  for (std::size_t i = 0; i < last; ++i) {
    if (!results.has(i)) run_into_results(s, i, text, results, where);
  }
  if (final_step.reducer == nullptr) {
    const std::vector<leaf_view> inputs = results.inputs_of(final_step);
    std::vector<job_operand> operands(inputs.size() + 2);
    return run_into(*final_step.values, copy, destination, inputs.data(), bytes_of(final_step.numbers),
                    operands.data());
  }
  bool in_place = !results.has(last) && *destination.shape == final_step.result;
  for (const leaf_view& input : results.inputs_of(final_step))
    in_place = in_place && input.block != destination.block;
  if (in_place) return run_step(final_step, results, destination);
  if (!results.has(last)) run_step(final_step, results, results.make(last, final_step, where));
  const leaf_view result = results.view(last);
  job_operand operands[3];
  run_apart(copy, destination, &result, nullptr, operands);
}

GNP_INLINE bool run_with_reductions(const statement& s, const expression_code& text,
                                    const leaf_view& destination, std::uint8_t stored,
                                    const leaf_view* of_steps) {
#if GNP_HAS_CUDA
  const device where = destination.block->device;
  if (where.is_cpu() || holder_here() != nullptr || runs_step_by_step(s) || short_rows_read_little(s))
    return false;
  const std::optional<row_job> planned =
      plan_rows(s, text, destination, row_hardware_of(activate(where.ordinal())), stored);
  if (!planned) return false;
  const watched_work watched(where, [&] { return facts_of(s, text, destination); });
  launch_rows(*planned, of_steps);
  check_sent_indices(where);
  return true;
#else
  (void)s, (void)text, (void)destination, (void)stored, (void)of_steps;
  return false;
#endif
}

/// Can a reduction's kernel store formulas of its elements? It reduces whole arrays, or long rows of whole
/// vectors.
GNP_INLINE bool reduces_long_rows(const statement_step& step) {
  constexpr index_t long_row = 1024;
  const axis_set& axes = step.options.axes;
  const int kept = step.shape.rank() - axes.count;
  if (kept == 0) return true;
  for (int d = 0; d < kept; ++d) {
    if (axes.chosen[d]) return false;
  }
  const index_t length = reduced_length(step.shape, axes);
  return length >= long_row && length % 16 == 0;
}

/// Are all these either the same for all elements of a shape, or so contiguous that vectors of any length up to
/// 16 bytes can be read?
GNP_INLINE bool lie_in_whole_vectors(const leaf_view* leaves, int count, const shape_t& shape) {
  for (int i = 0; i < count; ++i) {
    const leaf_view& leaf = leaves[i];
    if (leaf.table || leaf.block == nullptr) return false;
    const bool is_one = element_count(*leaf.shape, "eval") == 1;
    const bool is_whole = *leaf.shape == shape && *leaf.strides == contiguous_strides(shape) &&
                          reinterpret_cast<std::uintptr_t>(leaf.data) % 16 == 0;
    if (!is_one && !is_whole) return false;
  }
  return true;
}

/// Are all these one element, or rows of an even number of elements within an array whose rows begin at
/// multiples of 16 bytes, such as the shifted views of a stencil? Pairs of elements are then stored beside a
/// reduction of them all, which takes less time than another kernel.
GNP_INLINE bool lie_in_pairs(const leaf_view* leaves, int count, const shape_t& shape) {
  constexpr index_t long_row = 256;
  if (shape.rank() < 2 || shape.back() < long_row || shape.back() % 2 != 0) return false;
  for (int i = 0; i < count; ++i) {
    const leaf_view& leaf = leaves[i];
    if (leaf.table || leaf.block == nullptr) return false;
    if (element_count(*leaf.shape, "eval") == 1) continue;
    if (*leaf.shape != shape || leaf.itemsize < 4 || leaf.strides->back() != 1) return false;
    for (int d = 0; d + 1 < shape.rank(); ++d) {
      if ((*leaf.strides)[d] * leaf.itemsize % 16 != 0) return false;
    }
  }
  return true;
}

GNP_INLINE bool run_beside_formulas([[maybe_unused]] const statement& s,
                                    [[maybe_unused]] const expression_code& text,
                                    [[maybe_unused]] step_results& results, [[maybe_unused]] device where,
                                    [[maybe_unused]] std::span<const formula_to_store> formulas) {
#if GNP_HAS_CUDA
  if (where.is_cpu() || holder_here() != nullptr) return false;
  const shape_t& shape = *formulas[0].to.shape;
  const auto all_formulas = [&](const auto& lie) {
    return std::all_of(formulas.begin(), formulas.end(), [&](const formula_to_store& formula) {
      return lie(formula.leaves, formula.code->inputs, shape);
    });
  };
  const bool in_vectors = all_formulas(lie_in_whole_vectors);
  const bool in_pairs = all_formulas(lie_in_pairs) &&
                        std::all_of(formulas.begin(), formulas.end(),
                                    [](const formula_to_store& formula) { return formula.to.itemsize >= 4; });
  const auto fits = [&](const statement_step& step) {
    const std::vector<leaf_view> inputs =
        results.can_run(step) ? results.inputs_of(step) : std::vector<leaf_view>();
    const auto count = static_cast<int>(inputs.size());
    if (inputs.empty() || step.shape != shape) return false;
    return (in_vectors && reduces_long_rows(step) && lie_in_whole_vectors(inputs.data(), count, shape)) ||
           (in_pairs && element_count(step.result, "eval") == 1 && lie_in_pairs(inputs.data(), count, shape));
  };
  const auto found = std::find_if(s.steps.begin(), s.steps.end(), fits);
  if (found == s.steps.end()) return false;
  return run_joint_on_gpu(s, static_cast<std::size_t>(found - s.steps.begin()), text, results, where, formulas);
#else
  return false;
#endif
}

GNP_INLINE void run_after_reductions(const statement_step& formula, const step_results& results,
                                     const leaf_view& to) {
  const std::vector<leaf_view> read = results.inputs_of(formula);
  std::vector<job_operand> operands(read.size() + 2);
  run_apart(*formula.values, to, read.data(), bytes_of(formula.numbers), operands.data());
}

GNP_INLINE shape_t strides_of_result(const statement& s) {
  const statement_step& last = s.steps.back();
  if (last.reducer != nullptr) return contiguous_strides(last.result);
  std::vector<leaf_view> inputs;
  for (const step_input& input : last.inputs) {
    inputs.push_back(input.memory);
    if (input.step >= 0) inputs.back().block = &nothing_on.at[0];
  }
  return dense_strides(inputs.data(), static_cast<int>(inputs.size()), last.result);
}

#if GNP_HAS_CUDA
GNP_INLINE bool runs_as_statement(const shape_t& shape, const axis_set& axes, index_t results, device where,
                                  const leaf_view* inputs, int count) {
  const auto slides = [&] { return std::any_of(inputs, inputs + count, overlaps_itself); };
  return runs_as_statement(reduced_length(shape, axes), axes, results, where, slides);
}
#endif

GNP_INLINE void run(const statement& s, const expression_code& text, const leaf_view& destination,
                    const expression_code& copy) {
  const device where = destination.block->device;
#if GNP_HAS_CUDA
  statement_holder* const holder = holder_here();
  if (holder != nullptr && holder->hold_rows(*holder, s, text, destination)) [[unlikely]]
    return;
  if (!where.is_cpu()) {
    const auto runs_on_gpu = [&](statement_way way) {
      if (way == statement_way::rows) return run_rows_on_gpu(s, text, destination);
      if (way == statement_way::loops) return run_nested_on_gpu(s, text, destination);
      return run_reduced_rows_on_gpu(s, text, destination);
    };
    if (suits_a_way(s, where, runs_on_gpu)) return check_sent_indices(where);
    return run_steps(s, text, destination, copy);
  }
#endif
  const auto run_part = [&](const statement& part, const leaf_view& to) { run_steps(part, text, to, copy); };
  const auto runs_on_cpu = [&](statement_way) { return run_rows_on_cpu(s, text, destination, run_part); };
  // If one thread throws because of an index out of bounds, another one may have recorded such an index, too.
  try {
    if (suits_a_way(s, where, runs_on_cpu)) return throw_bad_index_on_cpu();
  } catch (...) {
    bad_index_on_cpu().state = 0;
    throw;
  }
  run_steps(s, text, destination, copy);
}

}}}  // namespace gnp::GNP_ABI::detail
