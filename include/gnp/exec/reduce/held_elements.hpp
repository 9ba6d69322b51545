// SPDX-License-Identifier: MIT
// A reduction of what statements compute that a recording holds: it computes these elements itself, from what
// the statements read, so that they need not be stored for it.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/held_statements.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Such a reduction, with the statements as part of its elements' expression.
class reduction_of_held {
 public:
  /// `elements` are those of the reduction, added to the statements as the last one.
  reduction_of_held(const reduction& asked, const joined_statements& elements)
      : made_(asked), code_(*asked.code) {
    const joined_statements needed = elements.needed_by_last();
    operands_.push_back(asked.values.operands[0]);
    for (const joined_statements::array_read& read : needed.reads) {
      operands_.push_back(read.operand);
      chain_.reads.push_back(read.type);
    }
    operands_.push_back(asked.values.operands[asked.values.operand_count()]);  // positions
    numbers_ = needed.numbers;
    chain_.numbers = needed.number_types;
    for (const joined_statements::formula& f : needed.formulas)
      chain_.formulas.push_back({f.code->source, f.code->result, f.inputs, f.numbers});
    value_ = values_of(chain_, {chain_.formulas.size() - 1});
    values_ = *asked.code->values;
    values_.inputs = static_cast<int>(chain_.reads.size());
    values_.constants = static_cast<int>(chain_.numbers.size());
    values_.input_types = chain_.reads.data();
    values_.source = value_.data();
    values_.kernels = nullptr;
    code_.values = &values_;
    code_.kernels = nullptr;
    made_.code = &code_;
    made_.values.code = &values_;
    made_.values.operands = operands_.data();
    made_.values.constants = numbers_.data();
  }
  reduction_of_held(const reduction_of_held&) = delete;
  reduction_of_held& operator=(const reduction_of_held&) = delete;
  ~reduction_of_held() = default;

  /// Does it add up the same elements in the same order as it would read them from memory?
  GNP_INLINE bool plan(const reduction& asked, const bool* reduced) {
    const int operands = asked.values.operand_count() + 1;
    std::vector<job_operand> copies(asked.values.operands, asked.values.operands + operands);
    reduction from_memory = asked;
    from_memory.values.operands = copies.data();
    collapse(from_memory, reduced);
    collapse(made_, reduced);
    const job& a = from_memory.values;
    const job& b = made_.values;
    if (from_memory.along != made_.along || from_memory.kept != made_.kept || a.rank != b.rank ||
        !std::equal(a.shape, a.shape + a.rank, b.shape))
      return false;
    gpu& device = activate(b.where.ordinal());
    const planned_reduction before = plan_reduction(from_memory, device);
    const planned_reduction now = plan_reduction(made_, device);
    const auto order = [](const planned_reduction& p) {
      return std::tuple(p.plan.vector, p.plan.items, p.plan.threads, p.plan.group, p.plan.rows_each,
                        p.plan.of_little, p.shares.arguments.splits, p.shares.tiles);
    };
    return order(before) == order(now);
  }

  /// After plan().
  GNP_INLINE void run(const char* function) {
    const watched_work watched(made_.values.where,
                               [&] { return facts_of(made_.values, function, code_.result); });
    reduce_on_gpu(made_);
  }

 private:
  reduction made_;
  reduction_code code_;
  program values_{};
  formula_chain chain_;
  std::vector<chain_value> value_;
  std::vector<job_operand> operands_;
  std::vector<unsigned char> numbers_;
};

/// Runs a reduction, before it is collapsed, that reads results of held statements. False if it reads none, or
/// had better read them from memory.
[[gnu::cold]] GNP_INLINE bool reduce_held(const reduction& r, const bool* reduced, const char* function) {
  const job& j = r.values;
  auto& here = static_cast<recording&>(*recording_here);
  auto* const held = static_cast<held_statements*>(here.held());
  if (held == nullptr || j.where.is_cpu() || !is_joinable(j)) return false;
  stream_state* const stream = current_stream(activate(j.where.ordinal()));
  if (stream->recorded != &here) return false;
  const std::optional<joined_statements> elements = held->with_elements(j, stream);
  if (!elements) return false;
  reduction_of_held made(r, *elements);
  if (!made.plan(r, reduced)) return false;
  // The statements go on being held: what comes next may be the last that reads them.
  std::unique_ptr<held_work> statements = here.take_held();
  made.run(function);
  here.hold(std::move(statements));
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
