// SPDX-License-Identifier: MIT
// Several results that need the same short reductions: to find the nearest points of two sets, for example,
// each set needs all distances. Each kernel computes the reductions again in loops, and nothing of their size
// is stored. Results of the same elements share a kernel.
#pragma once

#include <gnp/exec/statement/gpu_nested.hpp>
#include <gnp/exec/statement/gpu_row_part.hpp>
#include <gnp/exec/statement/joint_loops.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The steps that read a step's result.
GNP_INLINE std::vector<std::size_t> readers_of(const statement& s, std::size_t step) {
  std::vector<std::size_t> readers;
  for (std::size_t i = step + 1; i < s.steps.size(); ++i) {
    const std::vector<step_input>& inputs = s.steps[i].inputs;
    if (std::any_of(inputs.begin(), inputs.end(),
                    [step](const step_input& input) { return input.step == static_cast<int>(step); }))
      readers.push_back(i);
  }
  return readers;
}

/// The reductions that read a step's result, each as a separate statement that includes that step.
struct loops_apart {
  std::vector<std::size_t> readers;
  std::vector<row_part> parts;
};

/// The readers of step `first`, if it has many more elements than those they are computed from, and if each
/// reader can compute them itself. Otherwise nothing, and the step's result has to be stored.
GNP_INLINE std::optional<loops_apart> loops_apart_from(const statement& s, std::size_t first,
                                                       const step_results& results) {
  const statement_step& step = s.steps[first];
  if (!s.one_text || step.is_result || !axes_of_loop(step).found() ||
      !short_rows_read_little(part_of(s, first).steps))
    return {};
  loops_apart found;
  found.readers = readers_of(s, first);
  for (const std::size_t reader : found.readers) {
    if (s.steps[reader].reducer == nullptr || results.has(reader) || place_in_text(s, reader) >= 64) return {};
    const row_part& part = found.parts.emplace_back(part_of(s, reader));
    nested_statement loops;
    // (The results of steps between the two would have to be stored, too.)
    if (part.numbers.size() != 2 || !lay_out_nested(loops, part.steps)) return {};
  }
  return found;
}

/// Reader `k`, and the later ones without a result that one kernel computes with it.
GNP_INLINE std::vector<std::size_t> add_readers(joint_loops& joint, const loops_apart& apart, std::size_t k,
                                                const step_results& results) {
  std::vector<std::size_t> together{k};
  if (k + 1 == apart.parts.size() || !joint.add(apart.parts[k].steps)) return together;
  for (std::size_t i = k + 1; i < apart.parts.size(); ++i) {
    if (!results.has(apart.readers[i]) && joint.add(apart.parts[i].steps)) together.push_back(i);
  }
  return together;
}

/// Computes the results of the readers of step `first`, if the result of that step need not be stored.
GNP_INLINE bool run_loops_apart_on_gpu(const statement& s, std::size_t first, const expression_code& text,
                                       step_results& results, device where) {
  const std::optional<loops_apart> found = loops_apart_from(s, first, results);
  if (!found) return false;
  for (std::size_t k = 0; k < found->parts.size(); ++k) {
    if (results.has(found->readers[k])) continue;
    joint_loops joint;
    const std::vector<std::size_t> together = add_readers(joint, *found, k, results);
    std::vector<leaf_view> made;
    std::uint64_t steps = 0;
    for (const std::size_t i : together) {
      const std::size_t reader = found->readers[i];
      made.push_back(results.make(reader, s.steps[reader], where));
      steps |= std::uint64_t{1} << place_in_text(s, reader);
    }
    if (together.size() > 1) {
      joint.run(text.kernels, steps, made);
    } else if (const statement& part = found->parts[k].steps;
               !run_nested_on_gpu(part, *part.steps.back().text, made[0])) {
      results.drop(found->readers[k]);
      return false;
    }
  }
  results.assume(first, s.steps[first]);
  check_sent_indices(where);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
