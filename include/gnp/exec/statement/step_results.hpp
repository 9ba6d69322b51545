// SPDX-License-Identifier: MIT
// The results of a statement's steps, each in separate memory.
#pragma once

#include <gnp/exec/statement/statement.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class step_results {
 public:
  explicit step_results(const statement& s) : results_(s.steps.size()) {}

  /// Memory for a step's results.
  GNP_INLINE leaf_view make(std::size_t step, const statement_step& of, device where) {
    result& r = results_[step];
    const auto size = static_cast<std::size_t>(itemsize(of.reducer->result));
    r.memory = storage_ref::allocate(
        static_cast<std::size_t>(element_count(of.result, of.options.function)) * size, where);
    r.shape = &of.result;
    r.strides = contiguous_strides(of.result);
    r.itemsize = static_cast<int>(size);
    return view(step);
  }
  GNP_INLINE leaf_view view(std::size_t step) const {
    const result& r = results_[step];
    return {static_cast<char*>(r.memory->data), r.memory.get(), r.itemsize, r.shape, &r.strides};
  }

  void drop(std::size_t step) { results_[step] = result(); }
  /// Marks a result as computed although it has no memory: if nobody reads it, or to find out what could run
  /// after it.
  void assume(std::size_t step, const statement_step& of) { results_[step].shape = &of.result; }
  const storage_ref& memory(std::size_t step) const { return results_[step].memory; }
  bool has(std::size_t step) const { return results_[step].shape != nullptr; }
  /// Have all results that a step reads been computed?
  GNP_INLINE bool can_run(const statement_step& step) const {
    for (const step_input& input : step.inputs) {
      if (input.step >= 0 && !has(static_cast<std::size_t>(input.step))) return false;
    }
    return true;
  }

  /// What a step reads, all of which has been computed; or only the results of these steps.
  GNP_INLINE std::vector<leaf_view> inputs_of(const statement_step& step,
                                              const std::vector<bool>* computed = nullptr) const {
    std::vector<leaf_view> inputs;
    inputs.reserve(step.inputs.size() + 1);
    for (const step_input& input : step.inputs) {
      inputs.push_back(input.memory);
      if (input.step < 0) continue;
      if (computed != nullptr && !(*computed)[static_cast<std::size_t>(input.step)]) continue;
      const storage_ref& made = memory(static_cast<std::size_t>(input.step));
      inputs.back().data = static_cast<char*>(made->data);
      inputs.back().block = made.get();
    }
    return inputs;
  }

 private:
  struct result {
    storage_ref memory;
    const shape_t* shape = nullptr;
    shape_t strides;
    int itemsize = 0;
  };
  std::vector<result> results_;
};

}}}  // namespace gnp::GNP_ABI::detail
