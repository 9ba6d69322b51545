// SPDX-License-Identifier: MIT
// A reduction on its device.
#pragma once

#include <gnp/exec/elementwise/run_job.hpp>
#include <gnp/exec/reduce/cpu_reduce.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/expr/reduced.hpp>
#include <gnp/memory/watched_work.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void run_reduction(const reduction_code& asked, const shape_t& shape, const axis_set& axes,
                              double parameter, const leaf_view& destination, const leaf_view* inputs,
                              const unsigned char* constants, job_operand* operands, const char* function) {
  const reduction_code& code = in_integers(asked);
  reduction r;
  r.code = &code;
  r.parameter[0] = parameter;
  r.outputs = element_count(*destination.shape, "reduce");
  r.length = reduced_length(shape, axes);
  if (r.outputs == 0) return;
  if (r.length == 0) {
    std::vector<state_memory> nothing(static_cast<std::size_t>(code.state_size) / sizeof(state_memory) + 1);
    alignas(constant_slot) unsigned char value[constant_slot] = {};
    code.begin(nothing.data(), 1);
    code.finish(value, nothing.data(), 1, parameter);
    return run_apart(*code.fill, destination, nullptr, value, operands);
  }
  r.values.code = code.values;
  r.values.operands = operands;
  r.values.constants = constants;
  lay_out(r, shape, axes, destination, inputs);
#if GNP_HAS_CUDA
  statement_holder* const holder = holder_here();
  if (holder != nullptr && holder->reduce(*holder, r, axes.chosen, function)) [[unlikely]]
    return;
#endif
  const watched_work watched(r.values.where, [&] { return facts_of(r.values, function, code.result); });
  collapse(r, axes.chosen);
  if (r.values.where.is_cpu()) {
    reduce_on_cpu(r);
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  reduce_on_gpu(r);
  check_sent_indices(r.values.where);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
