// SPDX-License-Identifier: MIT
// Held statements over the elements of rows, and reductions along the rows, such as a softmax in four
// statements. For each value that one of them reads, it is known which earlier statement computes it, if any.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <deque>
#include <gnp/exec/layout/shared_elements.hpp>
#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/text/chain_source.hpp>
#include <gnp/graph/made_nodes.hpp>
#include <gnp/graph/row_statement.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

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
    before_last_ = list_.size();
    std::vector<job_operand> operands(j.operands, j.operands + j.operand_count());
    const std::optional<bool> per_row = see_from_rows(operands, j);
    if (!per_row) return false;
    row_statement made = formula_of(j);
    made.source = j.code->source;
    made.type = j.code->result;
    made.per_row = *per_row;
    return add(std::move(made), operands.data(), j.code->input_types, j.code->inputs);
  }

  /// Takes a reduction of the elements along the rows.
  GNP_INLINE bool take(const reduction& r, const bool* reduced, const char* function) {
    const job& j = r.values;
    if (length_ < 2 || j.rank != elements_.rank || !std::equal(j.shape, j.shape + j.rank, elements_.shape) ||
        !std::equal(reduced, reduced + j.rank, axes_.chosen) || r.code->part_count > 0)
      return false;
    before_last_ = list_.size();
    row_statement made = formula_of(j);
    made.source =
        nodes_.add({.write = write_reduction, .type = r.code->result, .reducer = r.code}, {j.code->source});
    made.type = r.code->result;
    made.reductions.push_back({r.code, r.parameter[0]});
    made.places.push_back(0);
    made.per_row = true;
    made.alone.reduces = r;
    made.alone.function = function;
    std::copy(reduced, reduced + j.rank, made.alone.axes.chosen);
    return add(std::move(made), j.operands, j.code->input_types, j.code->inputs);
  }

  /// Takes a statement with reductions along the rows, which is known to be a possible row program.
  GNP_INLINE bool take(const statement& s, const expression_code& text, const leaf_view& destination,
                       const row_job& alone) {
    row_space rows;
    if (!find_rows(s, rows) || !(*rows.shape == shape_) || length_ < 2 || !(axes_ == *rows.axes) ||
        !is_plain_formula(*text.source, true) ||
        std::any_of(s.leaves.begin(), s.leaves.end(), [](const leaf_view& leaf) { return leaf.table; }))
      return false;
    before_last_ = list_.size();
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
    made.alone.numbers = made.numbers;
    if (made.per_row && last.reducer == nullptr) {
      if (add_reductions_apart(made, operands.data(), text.input_types)) return true;
    } else if (add(std::move(made), operands.data(), text.input_types, text.inputs)) {
      return true;
    }
    give_back_last();
    return false;
  }

  /// Removes the last statement, as if it had never been taken.
  GNP_INLINE void give_back_last() {
    while (list_.size() > before_last_) list_.pop_back();
    for (const std::size_t k : overwritten_) list_[k].is_stored = true;
    overwritten_.clear();
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

  /// Finds out what a statement reads, and from where. `operands` are its result and its inputs, with strides
  /// over the elements of all rows.
  GNP_INLINE bool add(row_statement&& made, const job_operand* operands, const dtype* types, int inputs) {
    overwritten_.clear();
    if (list_.size() == most) return false;
    made.result = operands[0];
    made.block = storage_ref::sharing(operands[0].block);
    for (int i = 0; i < inputs; ++i) {
      const job_operand& o = operands[i + 1];
      row_input input{o, types[i], o.block == nullptr ? storage_ref() : storage_ref::sharing(o.block)};
      for (std::size_t k = list_.size(); o.block != nullptr && k-- > 0;) {
        if (list_[k].type == input.type && same_place(list_[k].result, o)) {
          input.statement = static_cast<int>(k);
          break;
        }
        if (share_memory(list_[k].result, o)) return false;
      }
      made.inputs.push_back(std::move(input));
    }
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (list_[k].is_stored && list_[k].type == made.type && same_place(list_[k].result, made.result))
        overwritten_.push_back(k);
    }
    for (const std::size_t k : overwritten_) list_[k].is_stored = false;
    list_.push_back(std::move(made));
    return true;
  }

  GNP_INLINE static int reductions_in(const node_source& node) {
    int count = node.reducer != nullptr ? 1 : 0;
    for (int i = 0; i < node.operand_count; ++i) count += reductions_in(*node.operands[i]);
    return count;
  }

  /// A result for each row, one after the other.
  GNP_INLINE job_operand row_after_row(const storage_ref& memory, dtype type) const {
    job_operand made;
    made.data = static_cast<char*>(memory->data);
    made.block = memory.get();
    made.itemsize = static_cast<int>(itemsize(type));
    const shape_t strides = contiguous_strides(one_per_row_);
    for (int d = 0; d < elements_.rank; ++d) made.strides[d] = axes_.chosen[d] ? 0 : strides[d];
    return made;
  }

  /// A formula of reductions, with one element for each row: what is left of its source once the reductions in
  /// it are statements of their own, and what it then takes.
  struct formula_of_reductions {
    formula_of_reductions(const row_statement& formula, const job_operand* its_operands, const dtype* its_types)
        : whole(formula),
          operands(its_operands),
          types(its_types),
          statements(formula.reductions.size(), -1),
          operands_of_rest{its_operands[0]} {}

    const row_statement& whole;
    const job_operand* operands;
    const dtype* types;
    int inputs = 0;  // of the whole, taken so far; likewise
    int numbers = 0;
    int places = 0;
    std::vector<int> statements;  // of the whole's reductions, once they are added
    row_statement rest;
    std::vector<job_operand> operands_of_rest;
    std::vector<dtype> types_of_rest;
  };

  /// Adds such a formula. Its reductions are statements before it, so that a kernel that goes over the elements
  /// can compute them, too, and leave the formula to a kernel that does not.
  GNP_INLINE bool add_reductions_apart(row_statement& whole, const job_operand* operands, const dtype* types) {
    formula_of_reductions f(whole, operands, types);
    f.rest.source = take_reductions_out_of(*whole.source, f);
    if (f.rest.source == nullptr) return false;
    f.rest.type = whole.type;
    f.rest.per_row = true;
    f.rest.alone = std::move(whole.alone);
    return add(std::move(f.rest), f.operands_of_rest.data(), f.types_of_rest.data(),
               static_cast<int>(f.types_of_rest.size()));
  }

  /// Returns what is left of a node; nothing if a reduction in it cannot be added.
  GNP_INLINE const node_source* take_reductions_out_of(const node_source& node, formula_of_reductions& f) {
    if (node.reducer != nullptr) return add_reduction_of(node, f);
    if (node.write == write_number) {
      f.rest.numbers.push_back(f.whole.numbers[static_cast<std::size_t>(f.numbers++)]);
      return &node;
    }
    if (node.write == write_input) {
      f.types_of_rest.push_back(f.types[f.inputs++]);
      f.operands_of_rest.push_back(f.operands[f.inputs]);
      return &node;
    }
    std::vector<const node_source*> left;
    for (int i = 0; i < node.operand_count; ++i) {
      left.push_back(take_reductions_out_of(*node.operands[i], f));
      if (left.back() == nullptr) return nullptr;
    }
    return nodes_.add(node, std::move(left));
  }

  /// Adds a reduction of the whole, the first time that it is met. Returns a node that takes its result.
  GNP_INLINE const node_source* add_reduction_of(const node_source& node, formula_of_reductions& f) {
    row_statement made;
    made.source = &node;
    made.type = node.type;
    made.per_row = true;
    made.alone.runs_with_next = true;
    const auto numbers = f.whole.numbers.begin() + f.numbers;
    made.numbers.assign(numbers, numbers + node.numbers);
    const int places = reductions_in(node);
    for (int i = 0; i < places; ++i) {
      const int place = f.whole.places[static_cast<std::size_t>(f.places + i)];
      made.places.push_back(static_cast<int>(made.reductions.size()));
      made.reductions.push_back(f.whole.reductions[static_cast<std::size_t>(place)]);
    }
    const job_operand* const inputs = f.operands + 1 + f.inputs;
    const dtype* const types = f.types + f.inputs;
    f.inputs += node.inputs;
    f.numbers += node.numbers;
    f.places += places;
    int& statement =
        f.statements[static_cast<std::size_t>(f.whole.places[static_cast<std::size_t>(f.places - 1)])];
    if (statement < 0) {
      const storage_ref memory = storage_ref::allocate(
          static_cast<std::size_t>(elements_.count / length_) * itemsize(node.type), elements_.where);
      std::vector<job_operand> operands{row_after_row(memory, node.type)};
      operands.insert(operands.end(), inputs, inputs + node.inputs);
      if (!add(std::move(made), operands.data(), types, node.inputs)) return nullptr;
      statement = static_cast<int>(list_.size()) - 1;
    }
    f.operands_of_rest.push_back(list_[static_cast<std::size_t>(statement)].result);
    f.types_of_rest.push_back(node.type);
    return nodes_.add({.write = write_input, .type = node.type, .inputs = 1}, {});
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
  std::size_t before_last_ = 0;           // how many there were before the last one was taken
  std::vector<std::size_t> overwritten_;  // by the last one
  made_nodes nodes_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
