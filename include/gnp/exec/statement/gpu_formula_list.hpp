// SPDX-License-Identifier: MIT
// A list of formulas as one kernel of a GPU.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/gpu_several.hpp>
#include <gnp/exec/statement/formula_list.hpp>
#include <gnp/exec/statement/run_steps.hpp>
#include <map>
#include <mutex>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is known about the lists of formulas that compute the same, and their kernels.
class listed_code {
 public:
  explicit listed_code(const std::vector<statement_step>& formulas) {
    std::vector<dtype> results;
    for (const statement_step& formula : formulas) {
      const expression_code& code = *formula.values;
      types_.insert(types_.end(), code.input_types, code.input_types + code.inputs);
      sources_.push_back(code.source);
      results.push_back(code.result);
      all_.constants += code.constants;
    }
    types_.insert(types_.end(), results.begin() + 1, results.end());
    all_.inputs = static_cast<int>(types_.size());
    all_.result = results[0];
    all_.input_types = types_.data();
    all_.source = sources_[0];
    reductions_.kernels = &kernels_of_reductions_;
  }
  listed_code(const listed_code&) = delete;  // its members point to each other
  listed_code& operator=(const listed_code&) = delete;
  ~listed_code() = default;

  several_code formulas() { return {&all_, sources_.data(), static_cast<int>(sources_.size()), &kernels_}; }
  const expression_code& reductions() const { return reductions_; }
  int inputs() const { return all_.inputs; }

 private:
  std::vector<dtype> types_;
  std::vector<const node_source*> sources_;
  expression_code all_, reductions_;
  kernel_table kernels_, kernels_of_reductions_;
};

/// `texts` says what each formula computes, with its reductions. Never removed.
GNP_INLINE listed_code& code_of_list(const std::vector<const node_source*>& texts,
                                     const std::vector<statement_step>& formulas) {
  static std::mutex& lock = *new std::mutex;
  static auto& known = *new std::map<std::vector<const node_source*>, listed_code>;
  const std::lock_guard guard(lock);
  return known.try_emplace(texts, formulas).first->second;
}

GNP_INLINE bool formula_list::is_one_kernel(const statement& s) {
  constexpr index_t few = 1 << 18;  // are read in less time than another kernel takes to start
  row_space rows;
  nested_statement loops;
  // A row program with one result for each row is better joined: what the rows have is then read once.
  const bool by_rows =
      find_rows(s, rows) && rows_are_apart(s, rows) && reduced_length(*rows.shape, *rows.axes) <= longest_row;
  return (by_rows && (s.steps.back().shape == *rows.shape || element_count(*rows.shape, "eval") < few)) ||
         lay_out_nested(loops, s);
}

GNP_INLINE void formula_list::add(statement_step formula, const node_source& text) {
  for (const step_input& input : formula.inputs) {
    if (input.step >= 0) reductions_.steps[static_cast<std::size_t>(input.step)].is_result = true;
  }
  formulas_.push_back(std::move(formula));
  texts_.push_back(&text);
}

GNP_INLINE bool formula_list::write(const leaf_view* places) const {
  listed_code& code = code_of_list(texts_, formulas_);
  if (code.inputs() >= most_operands) return false;
  step_results results(reductions_);
  for (std::size_t i = 0; i < reductions_.steps.size(); ++i) {
    if (!results.has(i)) run_into_results(reductions_, i, code.reductions(), results, places->block->device);
  }
  std::vector<leaf_view> inputs;
  std::vector<number_slot> numbers;
  for (const statement_step& formula : formulas_) {
    const std::vector<leaf_view> read = results.inputs_of(formula);
    inputs.insert(inputs.end(), read.begin(), read.end());
    numbers.insert(numbers.end(), formula.numbers.begin(), formula.numbers.end());
  }
  if (write_several(code.formulas(), places, inputs.data(), bytes_of(numbers))) return true;
  if (reductions_.steps.empty()) return false;
  for (std::size_t k = 0; k < formulas_.size(); ++k) run_after_reductions(formulas_[k], results, places[k]);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
