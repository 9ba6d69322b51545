// SPDX-License-Identifier: MIT
// A histogram on its device.
#pragma once

#include <cstring>
#include <gnp/exec/histogram/cpu_histogram.hpp>
#include <gnp/exec/histogram/gpu_histogram.hpp>
#include <gnp/exec/layout/job_axes.hpp>
#include <gnp/exec/text/work_names.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Merges the job's axes into as few as possible, in the order of the inputs' memory.
GNP_INLINE void collapse(histogram_job& h) {
  job_axes axes(h.values, h.operand_count());
  order_by_inputs(axes, h.values);
  axes.merge();
}

GNP_INLINE void run_histogram(histogram_job& h, bin_work kind, const leaf_view& result, std::size_t bytes,
                              const expression_code& weights, const char* function) {
  const job& j = h.values;
  const bool adds = kind == bin_work::add_weights;
  const dtype type = adds ? dtype::float64 : kind == bin_work::count ? dtype::int64 : dtype::uint32;
  const watched_work watched(j.where, [&] { return facts_of(j, function, type); });
  collapse(h);
  if (j.where.is_cpu()) {
    std::memset(result.data, 0, bytes);
    if (adds) {
      add_weights_on_cpu(h, weights, reinterpret_cast<double*>(result.data));
    } else if (kind == bin_work::count) {
      count_on_cpu(h, reinterpret_cast<std::int64_t*>(result.data));
    }
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  adds ? add_weights_on_gpu(h) : count_on_gpu(h, kind, bytes);
  check_sent_indices(j.where);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
