// SPDX-License-Identifier: MIT
// Statements that a graph joins. While work is recorded, a statement is held until it is known what follows it.
// Statements of the same elements become one kernel: what one of them computes, the next ones take from a
// register, what several of them read is read once, and what nobody can read any more is not stored.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/joined_job.hpp>
#include <gnp/memory/recording.hpp>
#include <memory>
#include <optional>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class held_statements final : public held_work {
 public:
  explicit held_statements(const job& first) : joined_(first) {}

  /// Takes one more statement. False if it had better be a kernel of its own, or has to be.
  GNP_INLINE bool take(const job& next) {
    joined_.forget_unreadable();
    std::vector<job_operand> operands(next.operands, next.operands + next.operand_count());
    job j = next;
    j.operands = operands.data();
    joined_statements with_next = joined_;
    if (!with_next.bring_to_one_shape(j) || !with_next.may_join(j)) return false;
    with_next.add(j);
    if (!joined_job(with_next).plan()) return false;
    joined_ = std::move(with_next);
    return true;
  }

  /// The statements with elements of a reduction, made of their results, as the last one: if the reduction may
  /// run before the statements, and computing the results again is less work than to store and read them.
  GNP_INLINE std::optional<joined_statements> with_elements(const job& elements,
                                                            const stream_state* stream) const {
    joined_statements all = joined_;
    job j = elements;
    if (!all.bring_to_one_shape(j) || j.rank != elements.rank || !all.may_be_computed_again(j, stream))
      return std::nullopt;
    all.add(j);
    return all;
  }

  GNP_INLINE void start() override {
    joined_.forget_unreadable();
    if (std::none_of(joined_.formulas.begin(), joined_.formulas.end(),
                     [](const joined_statements::formula& f) { return f.is_stored; }))
      return;
    if (joined_.formulas.size() > 1) {
      joined_job all(joined_);
      if (all.plan()) return all.run();
    }
    for (joined_statements::formula& f : joined_.formulas) run_alone(f);
  }

 private:
  GNP_INLINE void run_alone(joined_statements::formula& f) {
    if (!f.has_memory) {
      f.block = storage_ref::allocate(
          static_cast<std::size_t>(joined_.count) * static_cast<std::size_t>(f.result.itemsize), joined_.where);
      f.result.block = f.block.get();
      f.result.data = static_cast<char*>(f.block->data);
      joined_.set_dense_strides(f.result);
      f.has_memory = true;
    }
    std::vector<job_operand> operands{f.result};
    for (const chain_input& input : f.inputs)
      operands.push_back(input.computed ? joined_.formulas[input.number].result
                                        : joined_.reads[input.number].operand);
    operands.emplace_back();
    std::vector<unsigned char> numbers(f.numbers.size() * constant_slot);
    for (std::size_t k = 0; k < f.numbers.size(); ++k)
      std::memcpy(numbers.data() + k * constant_slot, joined_.numbers.data() + f.numbers[k] * constant_slot,
                  constant_slot);
    job j = joined_.elements();
    j.code = f.code;
    j.operands = operands.data();
    j.constants = numbers.data();
    run_now(j);
  }

  joined_statements joined_;
};

/// Is this a job of plain formulas and arrays?
[[gnu::cold]] GNP_INLINE bool is_joinable(const job& j) {
  const program& code = *j.code;
  const auto is_plain = [](const job_operand& o) { return !o.table && !o.in_loop; };
  return !j.rolls && code.condition == nullptr && code.source->inputs == code.inputs &&
         code.source->numbers == code.constants && is_plain_formula(*code.source) &&
         std::all_of(j.operands, j.operands + j.operand_count(), is_plain);
}

[[gnu::cold]] GNP_INLINE bool hold_statement(const job& j) {
  if (j.where.is_cpu() || !is_joinable(j)) return false;
  auto& here = static_cast<recording&>(*recording_here);
  if (current_stream(activate(j.where.ordinal()))->recorded != &here || here.order().is_within_work())
    return false;
  auto* const held = static_cast<held_statements*>(here.held());
  if (held != nullptr && held->take(j)) return true;
  here.start_held();
  here.hold(std::make_unique<held_statements>(j));
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
