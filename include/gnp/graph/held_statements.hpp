// SPDX-License-Identifier: MIT
// Statements that a graph joins. While work is recorded, a statement is held until it is known what follows it.
// Statements of the same elements become one kernel: what one of them computes, the next ones take from a
// register, what several of them read is read once, and what nobody can read any more is not stored.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <exception>
#include <gnp/exec/elementwise/joined_job.hpp>
#include <gnp/exec/elementwise/statement_holder.hpp>
#include <gnp/graph/held_reduction.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Is this a job of plain formulas and arrays?
[[gnu::cold]] GNP_INLINE bool is_joinable(const job& j) {
  const program& code = *j.code;
  const auto is_plain = [](const job_operand& o) { return !o.table && !o.in_loop; };
  return !j.rolls && code.condition == nullptr && code.source->inputs == code.inputs &&
         code.source->numbers == code.constants && is_plain_formula(*code.source) &&
         std::all_of(j.operands, j.operands + j.operand_count(), is_plain);
}

class held_statements final : public statement_holder {
 public:
  explicit held_statements(recording& here)
      : statement_holder{
            {[](work_holder& h) { static_cast<held_statements&>(h).start(); }},
            [](statement_holder& h, const job& j) { return static_cast<held_statements&>(h).hold(j); },
            [](statement_holder& h, const reduction& r, const bool* reduced, const char* function) {
              return static_cast<held_statements&>(h).reduce(r, reduced, function);
            }},
        here_(here) {}
  held_statements(const held_statements&) = delete;
  held_statements& operator=(const held_statements&) = delete;
  ~held_statements() = default;

 private:
  GNP_INLINE bool hold(const job& j) {
    if (j.where.is_cpu() || !is_joinable(j) || stream_of(j.where)->recorded != &here_ ||
        here_.order().is_within_work())
      return false;
    if (joined_ && take(j)) return true;
    start();
    joined_.emplace(j, stream_of(j.where));
    return true;
  }

  GNP_INLINE bool reduce(const reduction& r, const bool* reduced, const char* function) {
    const job& j = r.values;
    if (!joined_ || j.where.is_cpu() || !is_joinable(j) || stream_of(j.where)->recorded != &here_) return false;
    const std::optional<joined_statements> elements = with_elements(j);
    if (!elements) return false;
    reduction_of_held made(r, *elements);
    if (!made.plan(r, reduced)) return false;
    // The statements go on being held: what comes next may be the last that reads them.
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

  /// Once it has failed, it fails again: a body that goes on after the exception makes no graph without these
  /// statements.
  GNP_INLINE void start() {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    if (!joined_) return;
    joined_statements statements = std::move(*joined_);
    joined_.reset();
    try {
      start(statements);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
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

  static stream_state* stream_of(gnp::device where) { return current_stream(activate(where.ordinal())); }

  /// Takes one more statement. False if it had better be a kernel of its own, or has to be.
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

  /// The statements with elements of a reduction, made of their results, as the last one: if the reduction may
  /// run before the statements, and computing the results again is less work than to store and read them.
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
    if (!f.has_memory) {
      f.block = storage_ref::allocate(
          static_cast<std::size_t>(all.count) * static_cast<std::size_t>(f.result.itemsize), all.where);
      f.result.block = f.block.get();
      f.result.data = static_cast<char*>(f.block->data);
      all.set_dense_strides(f.result);
      f.has_memory = true;
    }
    std::vector<job_operand> operands{f.result};
    for (const chain_input& input : f.inputs)
      operands.push_back(input.computed ? all.formulas[input.number].result : all.reads[input.number].operand);
    operands.emplace_back();
    std::vector<unsigned char> numbers(f.numbers.size() * constant_slot);
    for (std::size_t k = 0; k < f.numbers.size(); ++k)
      std::memcpy(numbers.data() + k * constant_slot, all.numbers.data() + f.numbers[k] * constant_slot,
                  constant_slot);
    job j = all.elements();
    j.code = f.code;
    j.operands = operands.data();
    j.constants = numbers.data();
    run_now(j);
  }

  recording& here_;
  std::optional<joined_statements> joined_;
  std::exception_ptr failure_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
