// SPDX-License-Identifier: MIT
// A reduction of the results of held statements. It computes these results itself, from what the statements
// read, so that they need not be stored for it.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/joined_statements.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/text/work_names.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Such a reduction, with the statements as part of the expression for its elements.
class reduction_of_held {
 public:
  /// `elements` are those of the reduction, added to the statements as the last one.
  reduction_of_held(const reduction& asked, const joined_statements& elements)
      : made_(asked), code_(*asked.code), needed_(elements.needed_by_last()), chain_(needed_.chain()) {
    operands_.push_back(asked.values.operands[0]);
    for (const joined_statements::array_read& read : needed_.reads) operands_.push_back(read.operand);
    operands_.push_back(asked.values.operands[asked.values.operand_count()]);  // positions
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
    made_.values.constants = needed_.numbers.data();
  }
  reduction_of_held(const reduction_of_held&) = delete;
  reduction_of_held& operator=(const reduction_of_held&) = delete;
  ~reduction_of_held() = default;

  /// Does it combine the elements in the same order as if it read them from memory?
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
                        p.plan.reads_little, p.plan.pairs, p.shares.arguments.splits, p.shares.tiles);
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
  expression_code values_;
  joined_statements needed_;
  formula_chain chain_;
  std::vector<chain_value> value_;
  std::vector<job_operand> operands_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
