// SPDX-License-Identifier: MIT
// Joined statements as one kernel of a GPU.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/gpu_several.hpp>
#include <gnp/exec/elementwise/joined_statements.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Plans and runs the kernel for those results of joined statements that have to be stored.
class joined_job {
 public:
  explicit joined_job(const joined_statements& joined)
      : joined_(joined.needed_to_store()),
        chain_(joined_.chain()),
        types_(chain_.reads),
        job_(joined_.elements()) {
    std::vector<job_operand> results;
    for (const joined_statements::formula& f : joined_.formulas) {
      if (f.is_stored) {
        if (!results.empty()) types_.push_back(f.code->result);
        stored_.push_back(static_cast<std::size_t>(&f - joined_.formulas.data()));
        results.push_back(f.result);
      }
    }
    if (results.empty()) return;
    // The results after the first one are the last inputs.
    operands_.push_back(results[0]);
    shifts_.resize(joined_.reads.size());
    for (std::size_t k = 0; k < shifts_.size(); ++k)
      operands_.push_back(joined_.reads[k].rolled_by(shifts_[k]));
    operands_.insert(operands_.end(), results.begin() + 1, results.end());
    operands_.emplace_back();  // for the use of plans

    values_ = values_of(chain_, stored_);
    for (const chain_value& value : values_) sources_.push_back(&value);
    code_ = {.inputs = static_cast<int>(types_.size()),
             .constants = static_cast<int>(chain_.numbers.size()),
             .result = chain_.formulas[stored_[0]].result,
             .input_types = types_.data(),
             .source = sources_[0]};
    job_.code = &code_;
    job_.operands = operands_.data();
    job_.constants = joined_.numbers.data();
  }
  joined_job(const joined_job&) = delete;
  joined_job& operator=(const joined_job&) = delete;
  ~joined_job() = default;

  /// False if the statements had better run one by one.
  GNP_INLINE bool plan() {
    if (stored_.empty()) return true;
    collapse(job_);
    if (job_.rolls) {
      plan_ = make_rolled_plan(job_);
      return true;
    }
    if (stored_.size() > 1) {
      // If inputs are read at neighbouring places, each result is computed separately, with everything that it
      // depends on.
      constexpr std::size_t few = 8;
      return plan_several(job_, several(), plan_) &&
             (plan_.shape != kernel_shape::shifted || chain_.formulas.size() <= few);
    }
    plan_ = make_plan(job_);
    // Shifted results of bytes are faster separately, because then four of them are computed at a time.
    return plan_.shape != kernel_shape::shifted || job_.operands[0].itemsize > 1;
  }

  /// The kernel; after plan().
  [[gnu::cold]] GNP_INLINE std::string text() const {
    return stored_.size() > 1 ? kernel_source(several(), plan_) : kernel_source(code_, plan_);
  }

  /// After plan().
  GNP_INLINE void run() const {
    if (stored_.empty()) return;
    const watched_work watched(job_.where, [this] {
      return work_facts{std::to_string(chain_.formulas.size()) + " statements " + name(code_.result),
                        bytes_moved(job_)};
    });
    const submission work(job_.where);
    const gpu_kernel kernel = stored_.size() > 1 ? kernel_of(several(), plan_, work.device())
                                                 : kernel_of(code_, plan_, work.device());
    use_slots(work, job_, plan_);
    for (std::size_t k = 1; k < stored_.size(); ++k)
      work.writes(*job_.operands[plan_.slot_of[plan_.inputs - k]].block);
    launch_job(work, job_, plan_, kernel.function);
  }

 private:
  several_code several() const { return {&code_, sources_.data(), static_cast<int>(stored_.size()), nullptr}; }

  joined_statements joined_;
  formula_chain chain_;
  std::vector<dtype> types_;         // of the inputs
  std::vector<std::size_t> stored_;  // the numbers of the stored formulas
  std::vector<job_operand> operands_;
  std::vector<std::vector<index_t>> shifts_;  // of what is read
  std::vector<chain_value> values_;
  std::vector<const node_source*> sources_;
  expression_code code_;
  job job_;
  kernel_plan plan_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
