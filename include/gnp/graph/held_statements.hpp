// SPDX-License-Identifier: MIT
// Statements that a graph joins. While work is recorded, a statement is held back until it is known what
// follows it. Statements over the same elements become one kernel: a result that later statements use stays in
// a register, an array that several statements read is read once, and a result that can no longer be read by
// anybody is not stored.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <exception>
#include <gnp/exec/elementwise/joined_job.hpp>
#include <gnp/exec/elementwise/statement_holder.hpp>
#include <gnp/exec/statement/gpu_pairs.hpp>
#include <gnp/graph/held_reduction.hpp>
#include <gnp/graph/row_kernels.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Is this a job of plain formulas and arrays?
[[gnu::cold]] GNP_INLINE bool is_joinable(const job& j) {
  const expression_code& code = *j.code;
  const auto is_plain = [](const job_operand& o) { return !o.table && !o.in_loop; };
  return code.condition == nullptr && code.source->inputs == code.inputs &&
         code.source->numbers == code.constants && is_plain_formula(*code.source) &&
         std::all_of(j.operands, j.operands + j.operand_count(), is_plain);
}

class held_statements final : public statement_holder {
 public:
  /// `joins_rows`: may sums of rows be computed in one kernel with the statements that use them? They may then
  /// be rounded differently.
  held_statements(recording& here, bool joins_rows)
      : statement_holder{
            {[](work_holder& h) { static_cast<held_statements&>(h).start(); }},
            [](statement_holder& h, const job& j) { return static_cast<held_statements&>(h).hold(j); },
            [](statement_holder& h, const reduction& r, const bool* reduced, const char* function) {
              return static_cast<held_statements&>(h).reduce(r, reduced, function);
            },
            [](statement_holder& h, const statement& s, const expression_code& text,
               const leaf_view& destination) {
              return static_cast<held_statements&>(h).hold_rows(s, text, destination);
            }},
        here_(here),
        joins_rows_(joins_rows) {}
  held_statements(const held_statements&) = delete;
  held_statements& operator=(const held_statements&) = delete;
  ~held_statements() = default;

 private:
  GNP_INLINE bool hold(const job& j) {
    if (j.where.is_cpu() || !is_joinable(j) || stream_of(j.where)->recorded != &here_ ||
        here_.order().is_within_work())
      return false;
    if (rows_ && !j.rolls && rows_->take(j) && is_one_kernel(*rows_)) return true;
    if (!rows_ && joined_ && take(j)) return true;
    start();
    joined_.emplace(j, stream_of(j.where));
    return true;
  }

  GNP_INLINE bool reduce(const reduction& r, const bool* reduced, const char* function) {
    const job& j = r.values;
    if (j.where.is_cpu() || j.rolls || !is_joinable(j) || stream_of(j.where)->recorded != &here_) return false;
    if (joins_rows_ && !here_.order().is_within_work() &&
        hold_with_rows(j.where, j.rank, j.shape, reduced,
                       [&](row_statements& rows) { return rows.take(r, reduced, function); }))
      return true;
    if (!joined_) return false;
    const std::optional<joined_statements> elements = with_elements(j);
    if (!elements) return false;
    reduction_of_held made(r, *elements);
    if (!made.plan(r, reduced)) return false;
    // The statements are still held: the next one may be the last that reads their results.
    std::optional<joined_statements> statements = std::exchange(joined_, std::nullopt);
    try {
      made.run(function);
    } catch (...) {
      joined_ = std::move(statements);
      throw;
    }
    joined_ = std::move(statements);
    return true;
  }

  GNP_INLINE bool hold_rows(const statement& s, const expression_code& text, const leaf_view& destination) {
    const gnp::device where = destination.block->device;
    row_space space;
    if (!joins_rows_ || where.is_cpu() || stream_of(where)->recorded != &here_ ||
        here_.order().is_within_work() || runs_step_by_step(s) || short_rows_read_little(s) ||
        !find_rows(s, space))
      return false;
    std::optional<row_job> alone = plan_rows(s, text, destination, hardware_of(where));
    return alone &&
           hold_with_rows(where, space.rank(), space.shape->begin(), space.axes->chosen,
                          [&](row_statements& rows) { return rows.take(s, text, destination, *alone); });
  }

  /// Holds a statement over rows, together with the statements that are already held if they are over the same
  /// rows.
  template <class Take>
  GNP_INLINE bool hold_with_rows(gnp::device where, int rank, const index_t* shape, const bool* reduced,
                                 const Take& take) {
    if (rows_ && take(*rows_) && is_one_kernel(*rows_)) return true;
    if (rows_) start();
    row_statements rows(stream_of(where), where, rank, shape, reduced);
    if (joined_ && !add_joined_to(rows)) {
      start();
      rows = row_statements(stream_of(where), where, rank, shape, reduced);
    }
    if (!take(rows) || !is_one_kernel(rows)) return false;
    joined_.reset();
    rows_.emplace(std::move(rows));
    return true;
  }

  /// Can the last statement be one kernel together with all that it depends on? If not, it is removed again.
  GNP_INLINE static bool is_one_kernel(row_statements& rows) {
    const std::vector<bool> nothing_is_there(rows.list().size());
    if (composed_rows(rows, rows.list().size() - 1, nothing_is_there).plan(hardware_of(rows.elements().where)))
      return true;
    rows.give_back_last();
    return false;
  }

  /// Once this has failed, it fails again, so that a body that continues after the exception does not become a
  /// graph without these statements.
  GNP_INLINE void start() {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    try {
      if (rows_) {
        row_statements rows = std::move(*rows_);
        rows_.reset();
        start(rows);
      }
      if (joined_) {
        joined_statements statements = std::move(*joined_);
        joined_.reset();
        start(statements);
      }
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }
  GNP_INLINE void start(row_statements& rows) {
    rows.forget_unreadable();
    row_kernels kernels(rows);
    if (kernels.plan(hardware_of(rows.elements().where))) {
      for (const auto& kernel : kernels.list()) kernel->run();
      return;
    }
    // One after the other, as if they had never been held together.
    const bool joins_rows = std::exchange(joins_rows_, false);
    std::deque<row_statement>& list = rows.list();
    while (!list.empty()) {
      const auto whole = std::find_if(list.begin(), list.end(),
                                      [](const row_statement& s) { return !s.alone.runs_with_next; });
      run_alone(*whole);
      list.erase(list.begin(), whole + 1);  // its parts held the memory that it reads
    }
    joins_rows_ = joins_rows;
  }
  GNP_INLINE void run_alone(row_statement& s) {
    statement_alone& alone = s.alone;
    if (alone.rows) {
      start();
      alone.rows->elements.operands = alone.rows->operands.data();
      alone.rows->elements.constants = bytes_of(alone.numbers);
      return launch_rows(*alone.rows);
    }
    job j = alone.elements;
    j.operands = alone.operands.data();
    j.constants = bytes_of(s.numbers);
    if (alone.reduces.code == nullptr) {
      if (!hold(j)) run_now(j);
      return;
    }
    alone.reduces.values = j;
    if (reduce(alone.reduces, alone.axes.chosen, alone.function)) return;
    collapse(alone.reduces, alone.axes.chosen);
    reduce_on_gpu(alone.reduces);
  }
  GNP_INLINE static void start(joined_statements& statements) {
    statements.forget_unreadable();
    if (std::none_of(statements.formulas.begin(), statements.formulas.end(),
                     [](const joined_statements::formula& f) { return f.is_stored; }))
      return;
    if (statements.formulas.size() > 1) {
      joined_job all(statements);
      if (all.plan()) return all.run();
    }
    for (joined_statements::formula& f : statements.formulas) run_alone(statements, f);
  }

  static row_hardware hardware_of(gnp::device where) { return row_hardware_of(activate(where.ordinal())); }
  static stream_state* stream_of(gnp::device where) { return current_stream(activate(where.ordinal())); }

  /// Takes one more statement. False if it has to be a separate kernel, or if that is better.
  GNP_INLINE bool take(const job& next) {
    joined_->forget_unreadable();
    std::vector<job_operand> operands(next.operands, next.operands + next.operand_count());
    job j = next;
    j.operands = operands.data();
    joined_statements with_next = *joined_;
    if (!with_next.bring_to_one_shape(j) || !with_next.may_join(j)) return false;
    with_next.add(j);
    if (!joined_job(with_next).plan()) return false;
    joined_ = std::move(with_next);
    return true;
  }

  /// The statements, followed by the elements of a reduction, which are computed from their results. Only if
  /// the reduction may run before the statements, and if computing the results again is less work than storing
  /// and reading them.
  GNP_INLINE std::optional<joined_statements> with_elements(const job& elements) const {
    joined_statements all = *joined_;
    std::vector<job_operand> operands(elements.operands, elements.operands + elements.operand_count());
    job j = elements;
    j.operands = operands.data();
    if (!all.bring_to_one_shape(j) || j.rank != elements.rank || !all.may_be_computed_again(j))
      return std::nullopt;
    all.add(j);
    return all;
  }

  GNP_INLINE static void run_alone(const joined_statements& all, joined_statements::formula& f) {
    with_job(all, f, [](job& j) { run_now(j); });
  }
  /// Calls f with a formula as a job of its own.
  template <class F>
  GNP_INLINE static void with_job(const joined_statements& all, joined_statements::formula& f, const F& call) {
    if (!f.has_memory) {
      f.block = storage_ref::allocate(
          static_cast<std::size_t>(all.count) * static_cast<std::size_t>(f.result.itemsize), all.where);
      f.result.block = f.block.get();
      f.result.data = static_cast<char*>(f.block->data);
      all.set_dense_strides(f.result);
      f.has_memory = true;
    }
    std::vector<job_operand> operands{f.result};
    std::vector<std::vector<index_t>> shifts(f.inputs.size());
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      const auto [is_computed, number] = f.inputs[i];
      operands.push_back(is_computed ? all.formulas[number].result : all.reads[number].rolled_by(shifts[i]));
    }
    operands.emplace_back();
    std::vector<unsigned char> numbers(f.numbers.size() * constant_slot);
    for (std::size_t k = 0; k < f.numbers.size(); ++k)
      std::memcpy(numbers.data() + k * constant_slot, all.numbers.data() + f.numbers[k] * constant_slot,
                  constant_slot);
    job j = all.elements();
    j.code = f.code;
    j.rolls = std::any_of(shifts.begin(), shifts.end(), [](const auto& by) { return !by.empty(); });
    j.operands = operands.data();
    j.constants = numbers.data();
    call(j);
  }

  /// The joined statements as statements of rows.
  GNP_INLINE bool add_joined_to(row_statements& rows) const {
    joined_statements all = *joined_;
    if (all.rolls()) return false;
    for (joined_statements::formula& f : all.formulas) {
      bool taken = false;
      with_job(all, f, [&](job& j) { taken = rows.take(j); });
      if (!taken) return false;
    }
    return true;
  }

  recording& here_;
  bool joins_rows_;
  // At most one of these is set: statements of rows include those of the other kind.
  std::optional<joined_statements> joined_;
  std::optional<row_statements> rows_;
  std::exception_ptr failure_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
