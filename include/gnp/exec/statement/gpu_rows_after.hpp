// SPDX-License-Identifier: MIT
// A row program that reads results of other reductions, which run before it: in x - mean(x, 0) - mean(x, 1) the
// columns' means are computed first, and then a row's mean and its elements in one pass.
#pragma once

#include <gnp/exec/elementwise/shortened_expression.hpp>
#include <gnp/exec/statement/gpu_pairs.hpp>
#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/statement/step_results.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The axis along which the first array of a shape that a statement reads is contiguous; else the last one.
GNP_INLINE int contiguous_axis(const statement& s, const shape_t& shape) {
  for (const leaf_view& leaf : s.leaves) {
    if (leaf.block == nullptr || leaf.table || !(*leaf.shape == shape)) continue;
    const auto found = std::find(leaf.strides->begin(), leaf.strides->end(), index_t{1});
    if (found != leaf.strides->end()) return static_cast<int>(found - leaf.strides->begin());
  }
  return shape.rank() - 1;
}

/// The reductions of a statement that do not have these rows. None if one of them needs the result of a
/// reduction that has.
GNP_INLINE std::vector<bool> reductions_before(const statement& s, const statement_step& of_rows) {
  std::vector<bool> before;
  for (const statement_step& step : s.steps) {
    before.push_back(step.reducer != nullptr && !have_same_rows(step, of_rows));
    for (const step_input& input : step.inputs) {
      if (before.back() && input.step >= 0 && !before[static_cast<std::size_t>(input.step)]) return {};
    }
  }
  return std::find(before.begin(), before.end(), true) == before.end() ? std::vector<bool>() : before;
}

/// Do reductions of these rows share a pass with the result, or with each other, because one needs another?
GNP_INLINE bool saves_a_pass(const statement& s, const statement_step& of_rows) {
  const statement_step& last = s.steps.back();
  if (last.reducer == nullptr && last.shape == of_rows.shape) return true;
  return std::any_of(s.steps.begin(), s.steps.end(), [&](const statement_step& step) {
    return step.reducer != nullptr && have_same_rows(step, of_rows) &&
           std::any_of(step.inputs.begin(), step.inputs.end(), [&](const step_input& input) {
             return input.step >= 0 && have_same_rows(s.steps[static_cast<std::size_t>(input.step)], of_rows);
           });
  });
}

/// Which reductions of a statement run before its rows, whose own reductions save a pass. None if it has no
/// such rows, or no other reductions. Rows that are contiguous are better than columns.
GNP_INLINE std::vector<bool> reductions_before_rows(const statement& s) {
  if (!s.one_text || runs_step_by_step(s)) return {};
  for (const bool contiguous : {true, false}) {
    for (const statement_step& step : s.steps) {
      const axis_set& axes = step.options.axes;
      const int rank = step.shape.rank();
      if (step.reducer == nullptr || rank == 0 || axes.count == rank || !saves_a_pass(s, step) ||
          axes.chosen[contiguous_axis(s, step.shape)] != contiguous)
        continue;
      std::vector<bool> before = reductions_before(s, step);
      if (!before.empty()) return before;
    }
  }
  return {};
}

/// Has none of the rows' reductions a result yet? (All readers of a short reduction may have been computed
/// together with it, in loops of a thread. It then has no memory that rows could read.)
GNP_INLINE bool rows_are_left(const std::vector<bool>& before, const step_results& results) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i] && results.has(i)) return false;
  }
  return true;
}

/// The part of a statement that comes after some of its reductions.
struct statement_after {
  statement steps;
  const expression_code* text;
};

/// Writes down what comes after some reductions of a statement, whose results then are memory.
class after_writer {
 public:
  GNP_INLINE static statement_after what_follows(const statement& s, const expression_code& text,
                                                 const std::vector<bool>& before, const step_results& results) {
    after_writer writer(s, before, results);
    writer.add_steps();
    writer.find_parts(*text.source, 0, 0, -1);
    const node_source* const source = text.source;
    const shortened_expression& left = text.kernels->shortened(text, {&source, 1}, writer.parts_);
    writer.add_leaves(left);
    for (const int number : left.number_from)
      writer.to_.numbers.push_back(s.numbers[static_cast<std::size_t>(number)]);
    return {std::move(writer.to_), &left.code};
  }

 private:
  after_writer(const statement& s, const std::vector<bool>& before, const step_results& results)
      : s_(s), before_(before), results_(results) {}

  GNP_INLINE void add_steps() {
    std::vector<int> number;
    for (std::size_t i = 0; i < s_.steps.size(); ++i) {
      number.push_back(static_cast<int>(to_.steps.size()));
      if (before_[i]) continue;
      statement_step& copy = to_.steps.emplace_back(s_.steps[i]);
      const std::vector<leaf_view> read = results_.inputs_of(s_.steps[i], &before_);
      for (std::size_t k = 0; k < read.size(); ++k) {
        const int from = copy.inputs[k].step;
        const bool is_there = from < 0 || before_[static_cast<std::size_t>(from)];
        copy.inputs[k] = {read[k], is_there ? -1 : number[static_cast<std::size_t>(from)]};
      }
    }
    number_ = std::move(number);
  }

  /// Finds the reductions that have run within a node, whose inputs and numbers begin here, and lists the
  /// others.
  GNP_INLINE void find_parts(const node_source& node, int input, int number, int around) {
    int inside = around;
    if (node.reducer != nullptr) {
      inside = static_cast<int>(next_++);
      const statement_loop& loop = s_.loops[static_cast<std::size_t>(inside)];
      if (before_[static_cast<std::size_t>(loop.step)]) {
        parts_.push_back({&node, input, number});
        part_loops_.push_back({&loop, around < 0});
        pass_over(node);
        return;
      }
      to_.loops.push_back(loop);
      to_.loops.back().step = number_[static_cast<std::size_t>(loop.step)];
    }
    for (int i = 0; i < node.operand_count; ++i) {
      const node_source& operand = *node.operands[i];
      find_parts(operand, input, number, inside);
      input += operand.inputs;
      number += operand.numbers;
    }
    if (node.reducer != nullptr)
      to_.reductions.push_back(
          number_[static_cast<std::size_t>(s_.loops[static_cast<std::size_t>(inside)].step)]);
  }
  GNP_INLINE void pass_over(const node_source& node) {
    for (int i = 0; i < node.operand_count; ++i) {
      if (node.operands[i]->reducer != nullptr) ++next_;
      pass_over(*node.operands[i]);
    }
  }

  GNP_INLINE void add_leaves(const shortened_expression& left) {
    for (const int from : left.input_from) {
      if (from >= 0) {
        to_.leaves.push_back(s_.leaves[static_cast<std::size_t>(from)]);
        to_.read_by_last.push_back(s_.read_by_last[static_cast<std::size_t>(from)]);
        continue;
      }
      const auto& [loop, by_last] = part_loops_[static_cast<std::size_t>(-1 - from)];
      leaf_view result = results_.view(static_cast<std::size_t>(loop->step));
      result.shape = loop->result;  // in the shape in which it is read here
      result.strides = &to_.strides.emplace_front(contiguous_strides(*loop->result));
      to_.leaves.push_back(result);
      to_.read_by_last.push_back(by_last);
    }
  }

  struct part_loop {
    const statement_loop* loop;
    bool by_last;
  };

  const statement& s_;
  const std::vector<bool>& before_;
  const step_results& results_;
  statement to_;
  std::vector<int> number_;  // of each step in the new statement
  std::vector<expression_part> parts_;
  std::vector<part_loop> part_loops_;
  std::size_t next_ = 0;  // of the statement's reductions, in the order in which they begin
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
