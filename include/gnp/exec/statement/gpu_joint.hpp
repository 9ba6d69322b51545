// SPDX-License-Identifier: MIT
// Several reductions of the same elements in one pass over memory: together, the mean, the standard deviation
// and the extremes of an array cost as much as one of them.
#pragma once

#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/statement/statement_facts.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/memory/bad_index.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most bytes of states that a thread of such a kernel can have, because the states of a whole block share
/// its fastest memory.
inline constexpr int most_joint_state = 176;

inline int state_in_kernel(const statement_step& step) {
  return (in_integers(*step.reducer).state_size + 15) / 16 * 16;
}

/// Which of the text's reductions a step is: the first of them, if several turned out to be the same.
GNP_INLINE std::size_t place_in_text(const statement& s, std::size_t step) {
  const auto found = std::find(s.reductions.begin(), s.reductions.end(), static_cast<int>(step));
  return static_cast<std::size_t>(found - s.reductions.begin());
}

/// Step `first` and the later steps that can share its kernel: those that reduce elements of the same shape
/// along the same axes, and whose inputs have all been computed.
GNP_INLINE std::vector<std::size_t> joint_steps(const statement& s, std::size_t first,
                                                const step_results& results) {
  std::vector<std::size_t> found{first};
  const statement_step& a = s.steps[first];
  int state = state_in_kernel(a);
  for (std::size_t i = first + 1; i < s.steps.size(); ++i) {
    const statement_step& b = s.steps[i];
    if (found.size() == most_reductions || b.reducer == nullptr || place_in_text(s, i) >= 64) break;
    if (b.shape == a.shape && !results.has(i) && results.can_run(b) &&
        std::equal(a.options.axes.chosen, a.options.axes.chosen + a.shape.rank(), b.options.axes.chosen) &&
        state + state_in_kernel(b) <= most_joint_state) {
      found.push_back(i);
      state += state_in_kernel(b);
    }
  }
  return found;
}

/// Computes the results of step `first` and of the steps that can share its kernel in one kernel; false if
/// there are no others.
GNP_INLINE bool run_joint_on_gpu(const statement& s, std::size_t first, const expression_code& text,
                                 step_results& results, device where) {
  if (element_count(s.steps[first].shape, "reduce") == 0) return false;
  const std::vector<std::size_t> steps = joint_steps(s, first, results);
  if (steps.size() == 1) return false;

  reduction r;
  std::vector<const reduction_code*> parts;
  std::vector<dtype> types;
  std::vector<leaf_view> inputs;
  std::vector<number_slot> numbers;
  reduction_code joint = in_integers(*s.steps[first].reducer);
  joint.state_size = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const statement_step& step = s.steps[steps[k]];
    const reduction_code& code = in_integers(*step.reducer);
    const std::vector<leaf_view> read = results.inputs_of(step);
    parts.push_back(&code);
    types.insert(types.end(), step.values->input_types, step.values->input_types + step.values->inputs);
    inputs.insert(inputs.end(), read.begin(), read.end());
    numbers.insert(numbers.end(), step.numbers.begin(), step.numbers.end());
    joint.state_size += state_in_kernel(step);
    joint.indexed = joint.indexed || code.indexed;
    r.parameter[k] = step.options.parameter;
    r.steps |= std::uint64_t{1} << place_in_text(s, steps[k]);
  }
  if (!fits_in_a_kernel(inputs.size(), numbers.size(), s.steps[first].shape.rank())) return false;
  const expression_code values{.inputs = static_cast<int>(inputs.size()),
                               .constants = static_cast<int>(numbers.size()),
                               .result = parts[0]->values->result,
                               .input_types = types.data(),
                               .source = parts[0]->values->source,
                               .kernels = text.kernels};
  joint.values = &values;
  joint.kernels = text.kernels;
  joint.parts = parts.data();
  joint.part_count = static_cast<int>(parts.size());

  std::vector<job_operand> operands(inputs.size() + 2);
  r.code = &joint;
  r.values.code = &values;
  r.values.operands = operands.data();
  r.values.constants = bytes_of(numbers);
  const statement_step& step = s.steps[first];
  r.outputs = element_count(step.result, "reduce");
  r.length = reduced_length(step.shape, step.options.axes);
  const leaf_view destination = results.make(first, step, where);
  for (std::size_t k = 1; k < steps.size(); ++k)
    r.results[k] = results.make(steps[k], s.steps[steps[k]], where).block;
  lay_out(r, step.shape, step.options.axes, destination, inputs.data());
  collapse(r, step.options.axes.chosen);
  const watched_work watched(where, [&] {
    std::string functions;
    for (const std::size_t k : steps)
      functions += (functions.empty() ? "" : " and ") + std::string(s.steps[k].options.function);
    return facts_of(r.values, functions.c_str(), step.reducer->result);
  });
  reduce_on_gpu(r);
  check_sent_indices(where);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
