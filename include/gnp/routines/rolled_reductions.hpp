// SPDX-License-Identifier: MIT
// Reductions of rolled formulas, such as sum(u * roll(u, 1, 0)). They are computed at once, because the
// formula's arrays may change before the result is used; on a GPU without storing the formula.
#pragma once

#include <gnp/exec/statement/gpu_reduction.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/rolled.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/reduce/run_rolled_reduction.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Reduces a rolled formula on a GPU. False if the formula has to be stored first.
GNP_DECLARED bool run_rolled_reduction(const reduction_code& code, const rolled_job& rolled,
                                       const shape_t& shape, const reduction_options& options,
                                       const leaf_view& destination);

template <class Tag, class R, class A, class E>
array<R> reduce_rolled(const rolled<E>& x, const reduction_options& options) {
#if GNP_HAS_CUDA
  rolled_inputs<E> inputs(x);
  const device where = inputs.leaves().where(options.function).value_or(default_device());
  if (!x.is_flattened() && !where.is_cpu() && !options.initial.given()) {
    const array<R> result(reduced_shape(x.shape(), options.axes, options.keepdims), where, options.function);
    if (run_rolled_reduction(gpu_reduction<reduced<Tag, A, R, E>>::reducer, inputs.job(), x.shape(), options,
                             view_of(result)))
      return result;
  }
#endif
  return reduced<Tag, A, R, array<typename E::value_type>>(x.compute(), options).compute();
}

}}}  // namespace gnp::GNP_ABI::detail
