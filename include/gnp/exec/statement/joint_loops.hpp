// SPDX-License-Identifier: MIT
// Reductions of elements that loops of a thread compute, as one reduction: a regression by distances needs both
// the sum of weights and the sum of weighted values, and each weight is computed once for both.
#pragma once

#include <gnp/exec/statement/gpu_joint.hpp>
#include <gnp/exec/statement/gpu_nested.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Reductions of elements of the same shape along the same axes: their codes, inputs, numbers and loops, one
/// reduction's after the other's.
class joint_loops {
 public:
  joint_loops() = default;
  joint_loops(const joint_loops&) = delete;  // the job points to the other members
  joint_loops& operator=(const joint_loops&) = delete;

  /// Adds the last step of a statement, whose other steps are loops. The statement has to stay where it is.
  /// False if one kernel cannot compute it with those before it; then nothing is added.
  GNP_INLINE bool add(const statement& s) {
    const statement_step& last = s.steps.back();
    nested_statement& n = nested_.emplace_back();
    if (!lay_out_nested(n, s) || n.of_elements || !fits(n, s)) {
      nested_.pop_back();
      return false;
    }
    expression_code& values = values_.emplace_back(*last.text);
    values.constants = static_cast<int>(n.numbers.size());
    values.result = last.values->result;
    values.source = last.text->source->operands[0];
    reduction_code& elements = elements_.emplace_back(*last.reducer);
    elements.values = &values;
    parts_.push_back(&elements);
    steps_.push_back(&last);
    state_size_ += state_of(last);
    add_loops(n.loops, s.loops.size() - 1);
    for (const std::uint8_t slot : n.slot_of_number)
      slot_of_number_.push_back(static_cast<std::uint8_t>(slot + numbers_.size()));
    types_.insert(types_.end(), values.input_types, values.input_types + values.inputs);
    inputs_.insert(inputs_.end(), n.inputs.begin(), n.inputs.end());
    in_loop_.insert(in_loop_.end(), n.in_loop.begin(), n.in_loop.end());
    numbers_.insert(numbers_.end(), n.numbers.begin(), n.numbers.end());
    return true;
  }

  /// Runs them into these results, in the same order. `steps` has a bit for each of them, which tells them from
  /// others among the kernels.
  GNP_INLINE void run(kernel_table* kernels, std::uint64_t steps, std::span<const leaf_view> results) {
    const statement_step& first = *steps_[0];
    values_.push_back({.inputs = static_cast<int>(inputs_.size()),
                       .constants = static_cast<int>(numbers_.size()),
                       .result = values_[0].result,
                       .input_types = types_.data(),
                       .source = values_[0].source,
                       .kernels = kernels});
    reduction_code code = elements_[0];
    code.values = &values_.back();
    code.kernels = kernels;
    code.state_size = state_size_;
    code.parts = parts_.data();
    code.part_count = static_cast<int>(parts_.size());
    std::vector<job_operand> operands(inputs_.size() + 2);
    reduction r;
    r.code = &code;
    r.loops = loops_;
    r.loops.slot_of_number = slot_of_number_.empty() ? nullptr : slot_of_number_.data();
    r.steps = steps;
    r.outputs = element_count(first.result, "reduce");
    r.length = reduced_length(first.shape, first.options.axes);
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      code.indexed = code.indexed || elements_[k].indexed;
      r.parameter[k] = steps_[k]->options.parameter;
      if (k > 0) r.results[k] = results[k].block;
    }
    r.values.code = code.values;
    r.values.operands = operands.data();
    r.values.constants = bytes_of(numbers_);
    lay_out(r, first.shape, first.options.axes, results[0], inputs_.data());
    for (std::size_t i = 0; i < inputs_.size(); ++i) operands[i + 1].in_loop = in_loop_[i];
    collapse_for_loops(r, first.options.axes.chosen);
    const watched_work watched(r.values.where, [&] {
      std::string functions;
      for (const statement_step* step : steps_)
        functions += (functions.empty() ? "" : " and ") + std::string(step->options.function);
      return facts_of(r.values, functions.c_str(), first.reducer->result);
    });
    reduce_on_gpu(r);
  }

 private:
  static int state_of(const statement_step& step) { return (step.reducer->state_size + 15) / 16 * 16; }
  static std::size_t count_of_loops(const thread_loops& loops) {
    return static_cast<std::size_t>(64 - std::countl_zero(loops.lengths) + 7) / 8;
  }

  GNP_INLINE bool fits(const nested_statement& n, const statement& s) const {
    const statement_step& last = s.steps.back();
    const statement_step& first = steps_.empty() ? last : *steps_[0];
    return have_same_rows(last, first) && element_count(last.shape, "reduce") > 0 &&
           parts_.size() < most_reductions && state_size_ + state_of(last) <= most_joint_state &&
           loop_count_ + count_of_loops(n.loops) <= most_loops &&
           place_count_ + s.loops.size() - 1 <= most_places_of_loops &&
           fits_in_a_kernel(inputs_.size() + n.inputs.size(), numbers_.size() + n.numbers.size(),
                            last.shape.rank());
  }

  GNP_INLINE void add_loops(const loop_facts& more, std::size_t places) {
    const std::size_t input = inputs_.size();
    loops_.lengths |= more.lengths << (8 * loop_count_);
    loops_.inner_lengths |= more.inner_lengths << (8 * loop_count_);
    for (std::size_t k = 0; k < places; ++k)
      loops_.loop_at |= ((more.loop_at >> (3 * k) & 7) + loop_count_) << (3 * (place_count_ + k));
    loops_.one_by_one |= more.one_by_one << input;
    loops_.in_whole_vectors |= more.in_whole_vectors << input;
    loops_.same_along_inner |= more.same_along_inner << input;
    loops_.same_along_outer |= more.same_along_outer << input;
    loops_.next_along_outer |= more.next_along_outer << input;
    std::copy(more.taken_in_line.begin(), more.taken_in_line.end() - static_cast<std::ptrdiff_t>(input),
              loops_.taken_in_line.begin() + static_cast<std::ptrdiff_t>(input));
    loop_count_ += count_of_loops(more);
    place_count_ += places;
  }

  std::deque<nested_statement> nested_;
  std::deque<expression_code> values_;
  std::deque<reduction_code> elements_;
  std::vector<const reduction_code*> parts_;
  std::vector<const statement_step*> steps_;
  std::vector<dtype> types_;
  std::vector<leaf_view> inputs_;
  std::vector<bool> in_loop_;
  std::vector<number_slot> numbers_;
  std::vector<std::uint8_t> slot_of_number_;
  loop_facts loops_;
  std::size_t loop_count_ = 0;
  std::size_t place_count_ = 0;
  int state_size_ = 0;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
