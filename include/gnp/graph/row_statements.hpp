// SPDX-License-Identifier: MIT
// Held statements over the elements of rows, and reductions along the rows, such as a softmax in four
// statements; and what each of them reads from memory, and from earlier statements.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <deque>
#include <gnp/exec/layout/shared_elements.hpp>
#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/text/chain_source.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A value that a statement reads: the result of an earlier statement, or memory.
struct row_input {
  job_operand operand;  // as the elements of all rows see it
  dtype type;
  storage_ref block;
  int statement = -1;  // the earlier statement; none for memory
};

struct row_reduction {
  const reduction_code* code;
  double parameter;
};

/// How a statement runs on its own.
struct statement_alone {
  job elements;  // of the statement, or of a reduction
  std::vector<job_operand> operands;
  reduction reduces;
  axis_set axes{none, 0, ""};
  const char* function = "";
  std::optional<row_job> rows;  // a statement with reductions in it
};

struct row_statement {
  const node_source* source = nullptr;
  dtype type;  // of the result
  std::vector<row_input> inputs;
  std::vector<number_slot> numbers;
  std::vector<row_reduction> reductions;
  std::vector<int> places;  // for each reduction in the source, its place among them
  bool per_row = false;     // is the result one element for each row?
  job_operand result;       // as the elements of all rows see it
  storage_ref block;
  bool is_stored = true;  // false if a later statement writes the same elements, or if nobody can read them
  statement_alone alone;
};

class row_statements {
 public:
  // There is a limit, because each may hold memory that is no longer needed once they have become one kernel.
  static constexpr std::size_t most = 24;

  row_statements(const stream_state* stream, gnp::device where, int rank, const index_t* shape,
                 const bool* reduced)
      : stream_(stream), axes_(none, 0, "") {
    elements_.where = where;
    elements_.rank = rank;
    elements_.count = 1;
    for (int d = 0; d < rank; ++d) {
      elements_.shape[d] = shape[d];
      elements_.count *= shape[d];
      length_ *= reduced[d] ? shape[d] : 1;
      axes_.chosen[d] = reduced[d];
      axes_.count += reduced[d] ? 1 : 0;
      shape_.push_back(shape[d]);
    }
    one_per_row_ = reduced_shape(shape_, axes_, true);
  }

  const std::deque<row_statement>& list() const { return list_; }
  std::deque<row_statement>& list() { return list_; }
  const job& elements() const { return elements_; }
  const shape_t& shape() const { return shape_; }
  const shape_t& one_per_row() const { return one_per_row_; }
  const axis_set& axes() const { return axes_; }

  /// Takes an elementwise statement over all elements, or over one element for each row. False if it is
  /// neither, or if it reads memory that other held statements have yet to write.
  GNP_INLINE bool take(const job& j) {
    std::vector<job_operand> operands(j.operands, j.operands + j.operand_count());
    const std::optional<bool> per_row = see_from_rows(operands, j);
    if (!per_row) return false;
    row_statement made = formula_of(j);
    made.source = j.code->source;
    made.type = j.code->result;
    made.per_row = *per_row;
    return add(std::move(made), j, operands.data());
  }

  /// Takes a reduction of the elements along the rows.
  GNP_INLINE bool take(const reduction& r, const bool* reduced, const char* function) {
    const job& j = r.values;
    if (length_ < 2 || j.rank != elements_.rank || !std::equal(j.shape, j.shape + j.rank, elements_.shape) ||
        !std::equal(reduced, reduced + j.rank, axes_.chosen) || r.code->part_count > 0)
      return false;
    row_statement made = formula_of(j);
    node_source& root = nodes_.emplace_back();
    operands_of_nodes_.push_back(j.code->source);
    root.write = write_reduction;
    root.type = r.code->result;
    root.operands = &operands_of_nodes_.back();
    root.operand_count = 1;
    root.reducer = r.code;
    made.source = &root;
    made.type = r.code->result;
    made.reductions.push_back({r.code, r.parameter[0]});
    made.places.push_back(0);
    made.per_row = true;
    made.alone.reduces = r;
    made.alone.function = function;
    std::copy(reduced, reduced + j.rank, made.alone.axes.chosen);
    return add(std::move(made), j, j.operands);
  }

  /// Takes a statement with reductions along the rows, which is known to be a possible row program.
  GNP_INLINE bool take(const statement& s, const program& text, const leaf_view& destination,
                       const row_job& alone) {
    row_space rows;
    if (!find_rows(s, rows) || !(*rows.shape == shape_) || length_ < 2 ||
        !std::equal(axes_.chosen, axes_.chosen + elements_.rank, rows.axes->chosen) ||
        !is_plain_formula(*text.source, true) ||
        std::any_of(s.leaves.begin(), s.leaves.end(), [](const leaf_view& leaf) { return leaf.table; }))
      return false;
    row_statement made;
    const statement_step& last = s.steps.back();
    made.source = text.source;
    made.type = text.result;
    made.numbers = s.numbers;
    made.per_row = last.reducer != nullptr || !(last.shape == shape_);
    std::vector<int> number_of_step(s.steps.size(), -1);
    for (const int step : s.reductions) {
      int& number = number_of_step[static_cast<std::size_t>(step)];
      const statement_step& reduced = s.steps[static_cast<std::size_t>(step)];
      if (number < 0) {
        number = static_cast<int>(made.reductions.size());
        made.reductions.push_back({reduced.reducer, reduced.options.parameter});
      }
      made.places.push_back(number);
    }
    std::vector<job_operand> operands(s.leaves.size() + 1);
    const auto shape_of = [&](bool one_a_row) { return one_a_row ? &last.result : nullptr; };
    place_in_rows(operands[0], destination, rows, shape_of(made.per_row));
    for (std::size_t i = 0; i < s.leaves.size(); ++i)
      place_in_rows(operands[i + 1], s.leaves[i], rows, shape_of(made.per_row && s.read_by_last[i]));
    made.alone.rows = alone;
    job j;
    j.code = &text;
    return add(std::move(made), j, operands.data());
  }

  /// Removes the last statement, as if it had never been taken.
  GNP_INLINE void give_back_last() {
    list_.pop_back();
    for (const std::size_t k : overwritten_) list_[k].is_stored = true;
  }

  /// Finds results in memory of the recording to which only these statements still refer. They need not be
  /// stored.
  GNP_INLINE void forget_unreadable() {
    for (row_statement& s : list_) {
      const storage* const block = s.block.get();
      std::int64_t held = 0;
      for (const row_statement& other : list_) {
        held += other.block.get() == block ? 1 : 0;
        held += std::count_if(other.inputs.begin(), other.inputs.end(),
                              [block](const row_input& input) { return input.block.get() == block; });
      }
      if (block->owned && block->uses.is_made_on(stream_) &&
          block->references.load(std::memory_order_acquire) == held)
        s.is_stored = false;
    }
  }

  GNP_INLINE bool share_memory(const job_operand& a, const job_operand& b) const {
    return a.block != nullptr && a.block == b.block && share_elements(elements_, a, b);
  }

 private:
  GNP_INLINE static row_statement formula_of(const job& j) {
    row_statement made;
    made.alone.elements = j;
    const auto operands = static_cast<std::size_t>(j.operand_count());
    made.alone.operands.assign(j.operands, j.operands + operands + 1);  // the last one is for positions
    made.numbers.resize(static_cast<std::size_t>(j.code->constants));
    if (!made.numbers.empty())
      std::memcpy(made.numbers.front().bytes, j.constants, made.numbers.size() * constant_slot);
    return made;
  }

  /// Gives the operands of a job their strides over the elements of all rows. Returns true if the job has one
  /// element for each row, false if it has all elements, and nothing if it has neither.
  GNP_INLINE std::optional<bool> see_from_rows(std::vector<job_operand>& operands, const job& j) const {
    const int rank = elements_.rank;
    const auto has_shape = [&j](const shape_t& shape) {
      return j.rank == shape.rank() && std::equal(shape.begin(), shape.end(), j.shape);
    };
    if (has_shape(shape_)) return false;
    const shape_t dropped = reduced_shape(shape_, axes_, false);
    const bool is_run = j.rank == 1 && std::all_of(operands.begin(), operands.end(),
                                                   [](const job_operand& o) { return o.strides[0] == 1; });
    const bool all = is_run && j.count == elements_.count;
    if (!all && !has_shape(one_per_row_) && !has_shape(dropped) &&
        !(is_run && j.count == elements_.count / length_))
      return std::nullopt;
    const bool has_all_axes = !all && has_shape(one_per_row_);
    for (job_operand& o : operands) {
      const job_operand given = o;
      index_t step = 1;
      int from = j.rank;
      for (int d = rank - 1; d >= 0; --d) {
        const bool is_reduced = axes_.chosen[d] && !all;
        if (has_all_axes || (!is_reduced && !is_run)) --from;
        o.strides[d] = is_reduced ? 0 : is_run ? step : given.strides[from];
        if (!is_reduced) step *= elements_.shape[d];
      }
    }
    return !all;
  }

  /// Finds out what a statement reads, and from where. `operands` are those of the job `j`, with strides over
  /// the elements of all rows.
  GNP_INLINE bool add(row_statement&& made, const job& j, const job_operand* operands) {
    if (list_.size() == most) return false;
    made.result = operands[0];
    made.block = storage_ref::sharing(operands[0].block);
    for (int i = 0; i < j.code->inputs; ++i) {
      const job_operand& o = operands[i + 1];
      row_input input{o, j.code->input_types[i],
                      o.block == nullptr ? storage_ref() : storage_ref::sharing(o.block)};
      for (std::size_t k = list_.size(); o.block != nullptr && k-- > 0;) {
        if (list_[k].type == input.type && same_place(list_[k].result, o)) {
          input.statement = static_cast<int>(k);
          break;
        }
        if (share_memory(list_[k].result, o)) return false;
      }
      made.inputs.push_back(std::move(input));
    }
    overwritten_.clear();
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (list_[k].is_stored && list_[k].type == made.type && same_place(list_[k].result, made.result))
        overwritten_.push_back(k);
    }
    for (const std::size_t k : overwritten_) list_[k].is_stored = false;
    list_.push_back(std::move(made));
    return true;
  }

  bool same_place(const job_operand& a, const job_operand& b) const {
    return are_same_elements(elements_.rank, elements_.shape, a, b);
  }

  job elements_;  // without code and operands
  const stream_state* stream_;
  index_t length_ = 1;  // of a row
  axis_set axes_;
  shape_t shape_, one_per_row_;
  std::deque<row_statement> list_;
  std::vector<std::size_t> overwritten_;  // by the last one
  std::deque<node_source> nodes_;
  std::deque<const node_source*> operands_of_nodes_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
