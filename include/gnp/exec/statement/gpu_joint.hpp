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

/// The innermost axis in memory of all arrays that a step reads: the last one or the first one. Nothing if they
/// lie across each other, if an axis is walked backwards, or if elements are chosen by indices.
GNP_INLINE std::optional<int> axis_in_memory(const statement_step& step) {
  const int rank = step.shape.rank();
  for (const int axis : {rank - 1, 0}) {
    const auto lies_along = [&](const step_input& input) {
      const leaf_view& leaf = input.memory;
      if (leaf.block == nullptr) return true;  // numbers, positions, and results that are not there yet
      const int missing = rank - leaf.shape->rank();
      for (int d = 0; d < leaf.shape->rank(); ++d) {
        const index_t stride = (*leaf.strides)[static_cast<std::size_t>(d)];
        if ((*leaf.shape)[static_cast<std::size_t>(d)] == 1) continue;
        if (stride < 0 || (d + missing == axis ? stride > 1 : stride == 1)) return false;
      }
      return !leaf.table;
    };
    if (std::all_of(step.inputs.begin(), step.inputs.end(), lies_along)) return axis;
  }
  return {};
}

/// Can a step reduce elements of a slightly different shape from those of other steps in its kernel? It reduces
/// what is contiguous in memory, and does not ask where its elements are.
GNP_INLINE bool may_differ(const statement_step& step) {
  if (step.shape.rank() == 0 || step.shape.rank() > most_overhang_axes || in_integers(*step.reducer).indexed)
    return false;
  const std::optional<int> inner = axis_in_memory(step);
  return inner && step.options.axes.chosen[*inner];
}

/// Do two steps read the same array? (Only then is there something to gain if their shapes differ.)
GNP_INLINE bool read_same_memory(const statement_step& a, const statement_step& b) {
  return std::any_of(a.inputs.begin(), a.inputs.end(), [&b](const step_input& x) {
    return x.memory.block != nullptr && x.step < 0 &&
           std::any_of(
               b.inputs.begin(), b.inputs.end(),
               [&x](const step_input& y) { return y.step < 0 && y.memory.block == x.memory.block; });
  });
}

/// Steps that share a kernel, and the elements that all of them have.
struct joint_group {
  std::vector<std::size_t> steps;
  shape_t common;
  shape_t largest;  // along each axis

  bool overhangs() const { return !(common == largest); }

  /// Takes steps of a slightly different shape along these axes: they have few elements past those that all
  /// the others have.
  GNP_INLINE bool extends_to(const shape_t& shape, const axis_set& axes) {
    constexpr index_t most_past = 16;  // one of so many
    joint_group with = *this;
    for (int d = 0; d < shape.rank(); ++d) {
      const auto axis = static_cast<std::size_t>(d);
      with.common[axis] = (std::min)(common[axis], shape[axis]);
      with.largest[axis] = (std::max)(largest[axis], shape[axis]);
      const index_t past = with.largest[axis] - with.common[axis];
      if (past > (axes.chosen[d] ? with.common[axis] / most_past : 0)) return false;
    }
    common = with.common;
    largest = with.largest;
    return true;
  }
};

/// Step `first` and the later steps that can share its kernel: those that reduce elements of the same shape
/// along the same axes, and whose inputs have all been computed. Along these axes the shapes may differ
/// slightly, as those of differences along the rows and along the columns of an array do.
GNP_INLINE joint_group joint_steps(const statement& s, std::size_t first, const step_results& results,
                                   bool of_one_shape = false) {
  const statement_step& a = s.steps[first];
  joint_group found{{first}, a.shape, a.shape};
  bool may_extend = !of_one_shape && may_differ(a);
  int state = state_in_kernel(a);
  for (std::size_t i = first + 1; i < s.steps.size(); ++i) {
    const statement_step& b = s.steps[i];
    if (found.steps.size() == most_reductions || b.reducer == nullptr || place_in_text(s, i) >= 64) break;
    if (results.has(i) || !results.can_run(b) || state + state_in_kernel(b) > most_joint_state) continue;
    if (b.shape.rank() != a.shape.rank() || !(a.options.axes == b.options.axes)) continue;
    const bool differs =
        may_extend && may_differ(b) && axis_in_memory(a) == axis_in_memory(b) && read_same_memory(a, b);
    const bool alike = b.shape == a.shape && !found.overhangs();
    if (!alike && !(differs && found.extends_to(b.shape, a.options.axes))) continue;
    may_extend = differs;
    found.steps.push_back(i);
    state += state_in_kernel(b);
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
    operands_.resize(inputs_.size() + 2 + steps.size());
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
  bool fits(const joint_group& group) const {
    const int rank = group.common.rank();
    const std::size_t more = group.overhangs() ? sizeof(overhang_arguments) / sizeof(std::uint64_t) : 0;
    return fits_in_a_kernel(inputs_.size(), numbers_.size(), rank) &&
           argument_block::fits(static_cast<std::size_t>(rank), inputs_.size() + 2, numbers_.size(), more);
  }

  /// Lays the job out for elements that all steps have, in as few axes as possible, and notes how many more
  /// each of them has.
  GNP_INLINE void lay_out_overhangs(const statement& s, const joint_group& group, const leaf_view& to) {
    const axis_set& axes = s.steps[group.steps[0]].options.axes;
    lay_out(job_, group.common, axes, to, inputs_.data());
    // Each step gets one more operand: an array of the step's own shape. Axes are merged only if it allows
    // that, and its strides then tell its shape.
    const std::size_t first = inputs_.size() + 1;
    for (std::size_t k = 0; k < group.steps.size(); ++k) {
      const shape_t own = contiguous_strides(s.steps[group.steps[k]].shape);
      operands_[first + k] = job_operand();
      std::copy(own.begin(), own.end(), operands_[first + k].strides);
    }
    job_.along = collapse(job_.values, static_cast<int>(first + group.steps.size()), axes.chosen, job_.kept,
                          reduced_along::rows);
    const struct job& j = job_.values;
    for (int d = 0; d < j.rank; ++d) {
      overhangs_.common[d] = static_cast<std::uint64_t>(j.shape[d]);
      for (std::size_t k = 0; k < group.steps.size(); ++k) {
        const index_t* const own = operands_[first + k].strides;
        index_t outer = element_count(s.steps[group.steps[k]].shape, "reduce");
        for (int other = 0; other < j.rank; ++other) {
          if (own[other] > own[d]) outer = (std::min)(outer, own[other]);
        }
        overhangs_.extent[k][d] = static_cast<std::uint64_t>(outer / own[d]);
      }
    }
    job_.overhangs = &overhangs_;
  }

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
  overhang_arguments overhangs_;
};

/// Computes the results of step `first` and of the steps that can share its kernel in one kernel, and stores
/// formulas of the same elements, if there are any. False if there is nothing that shares it.
GNP_INLINE bool run_joint_on_gpu(const statement& s, std::size_t first, const expression_code& text,
                                 step_results& results, device where,
                                 std::span<const formula_to_store> formulas) {
  const statement_step& step = s.steps[first];
  if (element_count(step.shape, "reduce") == 0) return false;
  const joint_group group = joint_steps(s, first, results, !formulas.empty());
  const std::vector<std::size_t>& steps = group.steps;
  if (steps.size() == 1 && formulas.empty()) return false;
  joint_reduction joint(s, steps, text, results, formulas);
  if (!joint.fits(group)) return false;

  reduction& r = joint.job();
  r.outputs = element_count(step.result, "reduce");
  r.length = reduced_length(group.common, step.options.axes);
  const leaf_view destination = results.make(first, step, where);
  for (std::size_t k = 1; k < steps.size(); ++k)
    r.results[k] = results.make(steps[k], s.steps[steps[k]], where).block;
  if (group.overhangs()) {
    joint.lay_out_overhangs(s, group, destination);
  } else {
    lay_out(r, step.shape, step.options.axes, destination, joint.inputs().data());
    collapse(r, step.options.axes.chosen);
  }
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
