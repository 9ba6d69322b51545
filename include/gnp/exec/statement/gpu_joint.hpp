// SPDX-License-Identifier: MIT
// Several reductions of the same elements in one pass over memory: together, the mean, the standard deviation
// and the extremes of an array cost as much as one of them.
#pragma once

#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/statement/statement_facts.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/memory/bad_index.hpp>
#include <span>
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

/// Reductions of several steps as one: their codes, inputs and numbers, one step's after the other's. Formulas
/// of the same elements, which are stored, come after them, and then the memory that they are stored in.
class joint_reduction {
 public:
  joint_reduction(const statement& s, const std::vector<std::size_t>& steps, const expression_code& text,
                  const step_results& results, std::span<const formula_to_store> formulas)
      : code_(in_integers(*s.steps[steps[0]].reducer)), stored_(formulas.size()) {
    code_.state_size = 0;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      add(s.steps[steps[k]], results);
      job_.parameter[k] = s.steps[steps[k]].options.parameter;
      job_.steps |= std::uint64_t{1} << place_in_text(s, steps[k]);
    }
    for (std::size_t k = 0; k < formulas.size(); ++k) add(formulas[k], stored_[k]);
    for (const formula_to_store& formula : formulas) {
      types_.push_back(formula.code->result);
      inputs_.push_back(formula.to);
    }
    values_ = {.inputs = static_cast<int>(inputs_.size()),
               .constants = static_cast<int>(numbers_.size()),
               .result = parts_[0]->values->result,
               .input_types = types_.data(),
               .source = parts_[0]->values->source,
               .kernels = text.kernels};
    code_.values = &values_;
    code_.kernels = text.kernels;
    code_.parts = parts_.data();
    code_.part_count = static_cast<int>(parts_.size());
    code_.stored_parts = static_cast<int>(formulas.size());
    operands_.resize(inputs_.size() + 2);
    job_.code = &code_;
    job_.values.code = &values_;
    job_.values.operands = operands_.data();
    job_.values.constants = bytes_of(numbers_);
  }
  joint_reduction(const joint_reduction&) = delete;  // the job points to the other members
  joint_reduction& operator=(const joint_reduction&) = delete;

  /// The job, which still has no layout and no results.
  reduction& job() { return job_; }
  const std::vector<leaf_view>& inputs() const { return inputs_; }
  bool fits(int rank) const { return fits_in_a_kernel(inputs_.size(), numbers_.size(), rank); }

 private:
  GNP_INLINE void add(const statement_step& step, const step_results& results) {
    const reduction_code& code = in_integers(*step.reducer);
    const std::vector<leaf_view> read = results.inputs_of(step);
    parts_.push_back(&code);
    types_.insert(types_.end(), step.values->input_types, step.values->input_types + step.values->inputs);
    inputs_.insert(inputs_.end(), read.begin(), read.end());
    numbers_.insert(numbers_.end(), step.numbers.begin(), step.numbers.end());
    code_.state_size += state_in_kernel(step);
    code_.indexed = code_.indexed || code.indexed;
  }

  GNP_INLINE void add(const formula_to_store& formula, reduction_code& part) {
    const expression_code& code = *formula.code;
    part.values = &code;
    parts_.push_back(&part);
    types_.insert(types_.end(), code.input_types, code.input_types + code.inputs);
    inputs_.insert(inputs_.end(), formula.leaves, formula.leaves + code.inputs);
    const auto* const numbers = reinterpret_cast<const number_slot*>(formula.numbers);
    numbers_.insert(numbers_.end(), numbers, numbers + code.constants);
  }

  std::vector<const reduction_code*> parts_;
  std::vector<dtype> types_;
  std::vector<leaf_view> inputs_;
  std::vector<number_slot> numbers_;
  std::vector<job_operand> operands_;
  reduction_code code_;
  std::vector<reduction_code> stored_;
  expression_code values_{};
  reduction job_;
};

/// Computes the results of step `first` and of the steps that can share its kernel in one kernel, and stores
/// formulas of the same elements, if there are any. False if there is nothing that shares it.
GNP_INLINE bool run_joint_on_gpu(const statement& s, std::size_t first, const expression_code& text,
                                 step_results& results, device where,
                                 std::span<const formula_to_store> formulas) {
  const statement_step& step = s.steps[first];
  if (element_count(step.shape, "reduce") == 0) return false;
  const std::vector<std::size_t> steps = joint_steps(s, first, results);
  if (steps.size() == 1 && formulas.empty()) return false;
  joint_reduction joint(s, steps, text, results, formulas);
  if (!joint.fits(step.shape.rank())) return false;

  reduction& r = joint.job();
  r.outputs = element_count(step.result, "reduce");
  r.length = reduced_length(step.shape, step.options.axes);
  const leaf_view destination = results.make(first, step, where);
  for (std::size_t k = 1; k < steps.size(); ++k)
    r.results[k] = results.make(steps[k], s.steps[steps[k]], where).block;
  lay_out(r, step.shape, step.options.axes, destination, joint.inputs().data());
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
