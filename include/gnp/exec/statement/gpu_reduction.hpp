// SPDX-License-Identifier: MIT
// A reduction that is known to run on a GPU. The CPU's loops for it, which take by far the longest to compile,
// are not made.
#pragma once

#include <gnp/exec/statement/run.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class X>
struct gpu_reduction;
template <class Reducer, class A, class R, class X>
struct gpu_reduction<reduced<Reducer, A, R, X>> {
  static constexpr reduction_code reducer = [] {
    reduction_code code = reduction_text_of<Reducer, X, A, R>();
    code.values = &text_of<X>;
    return code;
  }();
  static constexpr node_source source{.write = write_reduction,
                                      .type = dtype_of<R>,
                                      .operands = sources_of<X>,
                                      .operand_count = 1,
                                      .reducer = &reducer,
                                      .inputs = input_count<X>,
                                      .numbers = constant_count<X>,
                                      .divides = source_of<X>.divides};
  static constexpr expression_code text{.inputs = input_count<X>,
                                        .constants = constant_count<X>,
                                        .result = dtype_of<R>,
                                        .input_types = input_types<X>.data(),
                                        .source = &source,
                                        .kernels = kernels_for<reduced<Reducer, A, R, X>>};
};

/// Reduces `elements`, of which there is at least one for each result, into an array on a GPU that has the
/// results' shape and overlaps no input.
template <class Reducer, class A, class R, array_like X>
void reduce_on_gpu(const X& elements, const reduction_options& options, const array<R>& results) {
  using made = gpu_reduction<reduced<Reducer, A, R, X>>;
  const shape_t& shape = elements.shape();
  const index_t length = reduced_length(shape, options.axes);
  if (runs_as_statement(length, options.axes, results.size(), results.device(), [] { return false; })) {
    statement whole;
    reduction_builder builder(whole, options, shape, -1);
    step_writer{builder.inputs()}(elements);
    builder.add(text_of<X>, made::reducer, made::text, results.shape());
    return run(whole, made::text, view_of(results), code_of<array<R>>);
  }
  job_inputs<X> inputs(elements);
  run_reduction(made::reducer, shape, options.axes, options.parameter, view_of(results), inputs.leaves(),
                inputs.constants(), inputs.operands(), options.function);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
