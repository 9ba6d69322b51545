// SPDX-License-Identifier: MIT
// Combines held statements over the elements of rows into one statement, as if each had been written where its
// result is read. If the whole has reductions, it is a row program.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/exec/elementwise/run_job.hpp>
#include <gnp/graph/row_statements.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel that computes the result of one statement, together with everything that the result depends on.
class composed_rows {
 public:
  // More operations would take long to compile.
  static constexpr int most_operations = 512;
  static constexpr std::size_t most_places = 24;

  /// `is_there` says which statements' results are in memory already.
  composed_rows(const row_statements& all, std::size_t last, const std::vector<bool>& is_there)
      : all_(all), last_(all.list()[last]), strides_(strides_of(last_.result, result_shape())) {
    for (const row_statement& s : all.list()) steps_.emplace_back(s.reductions.size(), -1);
    statement_step result;
    result.shape = result.result = result_shape();
    const node_source* const root = copy_statement(last, is_there, result, true);
    // If the result is a reduction, it is the last step already.
    if (root->reducer == nullptr) whole_.steps.push_back(std::move(result));
    text_ = {.inputs = static_cast<int>(types_.size()),
             .constants = static_cast<int>(whole_.numbers.size()),
             .result = last_.type,
             .input_types = types_.data(),
             .source = root};
  }
  composed_rows(const composed_rows&) = delete;
  composed_rows& operator=(const composed_rows&) = delete;
  ~composed_rows() = default;

  /// Stores the result of another statement, a reduction, in addition to its own. False if that reduction is
  /// not part of this statement.
  GNP_INLINE bool also_store(std::size_t statement) {
    const row_statement& s = all_.list()[statement];
    if (s.source->reducer == nullptr) return false;
    // The reductions within its elements come before it.
    const int step = steps_[statement][static_cast<std::size_t>(s.places.back())];
    const auto last = static_cast<int>(whole_.steps.size()) - 1;
    if (step < 0 || step >= 8 || step == last || !is_row_after_row(s.result) ||
        (last_.per_row && !is_row_after_row(last_.result)) || shares_block(s))
      return false;
    also_stored_.resize(8);
    also_stored_[static_cast<std::size_t>(step)] = {s.result.data, s.result.block, s.result.itemsize, nullptr,
                                                    nullptr};
    stored_steps_ |= static_cast<std::uint8_t>(1U << step);
    return true;
  }

  /// False if this cannot be a single kernel.
  GNP_INLINE bool plan(row_hardware hardware) {
    if (is_too_large()) return false;
    if (has_reductions()) {
      rows_ = plan_rows(whole_, text_, destination(), hardware, stored_steps_);
      return rows_.has_value();
    }
    if (!fits_in_a_kernel(whole_.leaves.size(), whole_.numbers.size(), all_.elements().rank)) return false;
    operands_.resize(whole_.leaves.size() + 2);
    job_.code = &text_;
    job_.operands = operands_.data();
    job_.constants = bytes_of(whole_.numbers);
    lay_out(job_, destination(), whole_.leaves.data());
    return !destination_overlaps_input(job_);
  }

  /// After plan().
  GNP_INLINE void run() {
    if (!rows_) return run_now(job_);
    const watched_work watched(all_.elements().where, [this] {
      std::size_t bytes = gnp::detail::bytes_of(destination());
      for (const leaf_view& leaf : whole_.leaves) bytes += gnp::detail::bytes_of(leaf);
      return work_facts{std::to_string(statements_) + " statements of rows " + name(text_.result), bytes};
    });
    launch_rows(*rows_, also_stored_.data());
  }

  /// The kernel of a statement with reductions; after plan().
  [[gnu::cold]] GNP_INLINE std::string text() const { return kernel_source(rows_->program, rows_->plan); }

  /// Calls f with each value that is read from memory, and with the number of the statement that reads it.
  template <class F>
  void for_each_read(const F& f) const {
    for (const auto& [statement, input] : reads_) f(statement, *input);
  }
  /// Adds the arrays that it reads from memory and that have all elements, not one for each row.
  GNP_INLINE void add_arrays(std::vector<const char*>& known) const {
    for (const auto& [statement, input] : reads_) {
      const job_operand& o = input->operand;
      bool moves = false;
      for (int d = 0; d < all_.elements().rank; ++d)
        moves = moves || (all_.axes().chosen[d] && o.strides[d] != 0);
      if (moves && o.block != nullptr && std::find(known.begin(), known.end(), o.data) == known.end())
        known.push_back(o.data);
    }
  }
  /// How many such arrays it reads and writes.
  GNP_INLINE std::size_t arrays() const {
    std::vector<const char*> known;
    add_arrays(known);
    return known.size() + (last_.per_row ? 0U : 1U);
  }
  bool is_of_rows() const { return last_.per_row; }
  int operations() const { return operations_; }
  bool has_reductions() const { return !whole_.reductions.empty(); }

 private:
  /// How much of a statement's source has been copied, and for which step of the combined statement.
  struct copying {
    std::size_t statement;
    const std::vector<bool>& is_there;
    std::size_t input = 0, number = 0, place = 0;
  };

  /// Do results with one element for each row lie one after the other?
  GNP_INLINE bool is_row_after_row(const job_operand& o) const {
    return is_contiguous(all_.one_per_row(), strides_of(o, all_.one_per_row()));
  }
  GNP_INLINE bool shares_block(const row_statement& s) const {
    const auto is_here = [&s](const storage* block) { return block == s.result.block; };
    return is_here(last_.result.block) ||
           std::any_of(whole_.leaves.begin(), whole_.leaves.end(),
                       [&](const leaf_view& leaf) { return is_here(leaf.block); }) ||
           std::any_of(also_stored_.begin(), also_stored_.end(),
                       [&](const leaf_view& other) { return is_here(other.block); });
  }
  bool is_too_large() const { return operations_ > most_operations || whole_.reductions.size() > most_places; }
  const shape_t& result_shape() const { return last_.per_row ? all_.one_per_row() : all_.shape(); }
  leaf_view destination() const {
    return {last_.result.data, last_.result.block, last_.result.itemsize, &result_shape(), &strides_};
  }
  GNP_INLINE static shape_t strides_of(const job_operand& o, const shape_t& shape) {
    shape_t strides;
    for (int d = 0; d < shape.rank(); ++d) strides.push_back(o.strides[d]);
    return strides;
  }

  GNP_INLINE const node_source* copy_statement(std::size_t statement, const std::vector<bool>& is_there,
                                               statement_step& step, bool is_result) {
    ++statements_;
    copying from{statement, is_there};
    return copy(*all_.list()[statement].source, from, step, is_result);
  }

  /// Copies a node as part of a step, and replaces the results of statements by those statements. `is_result`:
  /// is it part of the result, outside of all reductions?
  GNP_INLINE const node_source* copy(const node_source& node, copying& from, statement_step& step,
                                     bool is_result) {
    const row_statement& statement = all_.list()[from.statement];
    if (is_too_large()) return &node;
    if (node.write == write_number) {
      step.numbers.push_back(statement.numbers[from.number++]);
      whole_.numbers.push_back(step.numbers.back());
      return &node;
    }
    if (node.write == write_input) {
      const row_input& input = statement.inputs[from.input++];
      if (input.statement >= 0 && !from.is_there[static_cast<std::size_t>(input.statement)])
        return copy_statement(static_cast<std::size_t>(input.statement), from.is_there, step, is_result);
      add_memory(input, step, is_result);
      reads_.emplace_back(from.statement, &input);
      return &node;
    }
    std::vector<const node_source*> operands;
    if (node.write == write_reduction) {
      operands.push_back(copy_reduction(node, from, step));
    } else {
      operations_ += weight_of_operation(node);
      for (int i = 0; i < node.operand_count; ++i)
        operands.push_back(copy(*node.operands[i], from, step, is_result));
    }
    return nodes_.add(node, std::move(operands));
  }

  /// Makes a reduction a step of the combined statement when it is first encountered. Returns its elements.
  GNP_INLINE const node_source* copy_reduction(const node_source& node, copying& from, statement_step& reader) {
    statement_step step;
    step.shape = all_.shape();
    step.result = all_.one_per_row();
    step.options.axes = all_.axes();
    step.options.rank = all_.shape().rank();
    step.options.keepdims = true;
    const node_source* const elements = copy(*node.operands[0], from, step, false);
    const row_statement& statement = all_.list()[from.statement];
    if (is_too_large()) return elements;
    const auto number = static_cast<std::size_t>(statement.places[from.place++]);
    int& known = steps_[from.statement][number];
    if (known < 0) {
      known = static_cast<int>(whole_.steps.size());
      step.reducer = statement.reductions[number].code;
      step.options.parameter = statement.reductions[number].parameter;
      whole_.steps.push_back(std::move(step));
    }
    whole_.reductions.push_back(known);
    reader.inputs.push_back({{nullptr, nullptr, 0, &all_.one_per_row(), &no_strides_}, known});
    return elements;
  }

  GNP_INLINE void add_memory(const row_input& input, statement_step& step, bool is_result) {
    const shape_t& shape = is_result ? result_shape() : all_.shape();
    const shape_t& strides = whole_.strides.emplace_front(strides_of(input.operand, shape));
    const leaf_view leaf{input.operand.data, input.operand.block, input.operand.itemsize, &shape, &strides};
    step.inputs.push_back({leaf});
    whole_.leaves.push_back(leaf);
    whole_.read_by_last.push_back(is_result);
    types_.push_back(input.type);
  }

  const row_statements& all_;
  const row_statement& last_;
  shape_t strides_;  // of the result
  shape_t no_strides_;
  statement whole_;
  std::vector<dtype> types_;
  made_nodes nodes_;
  std::vector<std::vector<int>> steps_;  // of the combined statement, for each statement's reductions
  std::vector<std::pair<std::size_t, const row_input*>> reads_;
  expression_code text_;
  std::vector<leaf_view> also_stored_;  // for each step, the memory of results that are also stored
  std::uint8_t stored_steps_ = 0;
  int operations_ = 0;
  int statements_ = 0;
  std::optional<row_job> rows_;
  job job_;  // where there are no reductions
  std::vector<job_operand> operands_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
