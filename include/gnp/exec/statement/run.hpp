// SPDX-License-Identifier: MIT
// Runs a statement with reductions in it.
#pragma once

#include <gnp/exec/statement/cpu_rows.hpp>
#include <gnp/exec/statement/gpu_joint.hpp>
#include <gnp/exec/statement/gpu_nested.hpp>
#include <gnp/exec/statement/gpu_row_part.hpp>
#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/statement/statement_of.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/memory/bad_index.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Runs a reduction of a statement into memory that none of its inputs is in.
GNP_INLINE void run_step(const statement_step& step, const step_results& results,
                         const leaf_view& destination) {
  const std::vector<leaf_view> inputs = results.inputs_of(step);
  std::vector<job_operand> operands(inputs.size() + 2);
  run_reduction(*step.reducer, step.shape, step.options.axes, step.options.parameter, destination,
                inputs.data(), bytes_of(step.numbers), operands.data(), step.options.function);
}

/// Runs a reduction of a statement into memory of its own, and those with it that are made of the same
/// elements, or of its result.
GNP_INLINE void run_into_results(const statement& s, std::size_t i, const program& text, step_results& results,
                                 device where) {
#if GNP_HAS_CUDA
  if (!where.is_cpu() && run_row_part_on_gpu(s, i, results, where)) return;
  if (!where.is_cpu() && run_joint_on_gpu(s, i, text, results, where)) return;
#endif
  (void)text;
  run_step(s.steps[i], results, results.make(i, s.steps[i], where));
}

/// One step after the other, each with a result of its own; the last writes the destination, which `copy` can
/// copy to. The destination may be among what is read.
GNP_INLINE void run_steps(const statement& s, const program& text, const leaf_view& destination,
                          const program& copy) {
  const device where = destination.block->device;
  const std::size_t last = s.steps.size() - 1;
  const statement_step& final_step = s.steps[last];
  step_results results(s);
  for (std::size_t i = 0; i < last; ++i) {
    if (!results.has(i)) run_into_results(s, i, text, results, where);
  }
  if (final_step.reducer == nullptr) {
    const std::vector<leaf_view> inputs = results.inputs_of(final_step);
    std::vector<job_operand> operands(inputs.size() + 2);
    return run_into(*final_step.values, copy, destination, inputs.data(), bytes_of(final_step.numbers),
                    operands.data());
  }
  bool in_place = !results.has(last) && *destination.shape == final_step.result;
  for (const leaf_view& input : results.inputs_of(final_step))
    in_place = in_place && input.block != destination.block;
  if (in_place) return run_step(final_step, results, destination);
  if (!results.has(last)) run_step(final_step, results, results.make(last, final_step, where));
  const leaf_view result = results.view(last);
  job_operand operands[3];
  run_apart(copy, destination, &result, nullptr, operands);
}

/// Row-major, unless all that the last step reads is laid out otherwise.
GNP_INLINE shape_t strides_of_result(const statement& s) {
  const statement_step& last = s.steps.back();
  if (last.reducer != nullptr) return contiguous_strides(last.result);
  std::vector<leaf_view> inputs;
  for (const step_input& input : last.inputs) {
    inputs.push_back(input.memory);
    if (input.step >= 0) inputs.back().block = &nothing_on.at[0];
  }
  return dense_strides(inputs.data(), static_cast<int>(inputs.size()), last.result);
}

/// Runs a statement into memory of its result's shape, or one that this can be broadcast to.
GNP_INLINE void run(const statement& s, const program& text, const leaf_view& destination,
                    const program& copy) {
#if GNP_HAS_CUDA
  if (!destination.block->device.is_cpu() && run_rows_on_gpu(s, text, destination)) {
    return check_sent_indices(destination.block->device);
  }
  if (!destination.block->device.is_cpu() && run_nested_on_gpu(s, text, destination)) {
    return check_sent_indices(destination.block->device);
  }
#endif
  const auto run_part = [&](const statement& part, const leaf_view& to) { run_steps(part, text, to, copy); };
  // An index that is out of bounds may have been found by another thread, after this one found one, too.
  try {
    if (destination.block->device.is_cpu() && run_rows_on_cpu(s, text, destination, run_part)) {
      return throw_bad_index_on_cpu();
    }
  } catch (...) {
    bad_index_on_cpu().state = 0;
    throw;
  }
  run_steps(s, text, destination, copy);
}

/// The name in the messages of a statement's errors.
template <class X>
const char* name_of(const X& x) {
  if constexpr (is_reduced_v<X>) {
    return x.options().function;
  } else {
    return function_name<X>();
  }
}

template <class X>
array<typename X::value_type> evaluate_statement(const X& x) {
  const statement s = statement_of(x);
  const char* const name = name_of(x);
  const array<typename X::value_type> result(x.shape(), strides_of_result(s),
                                             s.where(name).value_or(default_device()), name);
  if (result.size() > 0) run(s, text_of<X>, view_of(result), program_of<array<typename X::value_type>>);
  return result;
}

template <class X, class T>
void run_statement(const X& source, const array<T>& destination, const char* function) {
  if (!broadcasts_to(source.shape(), destination.shape())) {
    if (source.shape().rank() > destination.ndim() && source.shape()[0] == 1)
      return assign(destination, evaluate(source), function);
    throw_no_broadcast(source.shape(), destination.shape(), function);
  }
  if constexpr (is_reduced_v<X>) {
    if (source.options().initial.given() || !source.in_own_shape())
      return assign(destination, source.compute(), function);
  }
  const statement s = statement_of(source);
  require_device(destination.device(), s.where(name_of(source)), function);
  if (destination.size() > 0) run(s, text_of<X>, view_of(destination), program_of<array<T>>);
}

template <class X>
array<typename X::value_type> computed_reduction(const X& x) {
  using R = typename X::value_type;
  using operand = typename X::operand_type;
  const reduction_options& o = x.options();
  if (x.operand().ndim() != o.rank) return {};  // moved from
  if (!x.in_own_shape()) return X(x.operand(), o).compute().reshape(x.shape());
  if constexpr (takes_one_more<typename X::reducer>) {
    if (o.initial.given()) {
      reduction_options without = o;
      without.initial = {};
      const R initial = o.initial.visit([](auto value) { return scalar::cast<R>(value); });
      return apply<one_more<typename X::reducer>>(X(x.operand(), without).compute(), initial);
    }
  }
  if constexpr (has_reductions_v<operand>) {
    return evaluate_statement(x);
  } else {
#if GNP_HAS_CUDA
    // As part of a statement, a thread may make a result of few elements alone.
    const bool few = o.axes.count == 1 && reduced_length(x.operand().shape(), o.axes) <= longest_loop;
    if (few && x.size() >= enough_results && !x.device().is_cpu()) return evaluate_statement(x);
#endif
    return reduce<typename X::reducer, typename X::computed_type, R>(x.operand(), o.axes, o.keepdims,
                                                                     o.parameter, o.function);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
