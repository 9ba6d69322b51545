// SPDX-License-Identifier: MIT
// A reduction on a GPU of a formula some of whose inputs are rolled: the reduction's kernel rolls them.
#pragma once

#include <gnp/exec/elementwise/run_rolled.hpp>
#include <gnp/exec/reduce/run_reduction.hpp>
#include <gnp/expr/reduced.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE bool run_rolled_reduction([[maybe_unused]] const reduction_code& code,
                                     [[maybe_unused]] const rolled_job& rolled,
                                     [[maybe_unused]] const shape_t& shape,
                                     [[maybe_unused]] const reduction_options& options,
                                     [[maybe_unused]] const leaf_view& destination) {
#if GNP_HAS_CUDA
  const auto begins = box_beginnings(shape, rolled.shifts, code.values->inputs);
  if (destination.block->device.is_cpu() || !fits_one_kernel(rolled, begins)) return false;
  reduction r;
  r.code = &code;
  r.parameter[0] = options.parameter;
  r.outputs = element_count(*destination.shape, options.function);
  r.length = reduced_length(shape, options.axes);
  if (r.outputs == 0 || r.length == 0) return false;
  r.values.code = code.values;
  r.values.operands = rolled.operands;
  r.values.constants = rolled.constants;
  lay_out(r, shape, options.axes, destination, rolled.inputs);
  const operand_shifts shifts(rolled, r.values);
  const watched_work watched(r.values.where, [&] { return facts_of(r.values, options.function, code.result); });
  collapse(r, options.axes.chosen);
  reduce_on_gpu(r);
  check_sent_indices(r.values.where);
  return true;
#else
  return false;
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
