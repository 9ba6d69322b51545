// SPDX-License-Identifier: MIT
// Several expressions over the same elements, which one GPU kernel computes.
#pragma once

#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/node_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is known about several expressions at compile time.
struct several_code {
  // The first one's value. The inputs are those of all expressions, then the other results.
  const expression_code* all;
  const node_source* const* sources;  // what each of them computes
  int results;
  kernel_table* kernels;
};

#if GNP_HAS_CUDA
/// Writes all results, which have the same shape, in one kernel. False if that would change what they read, or
/// if it is better to compute them one by one.
GNP_DECLARED bool write_several(const several_code& code, const leaf_view* results, const leaf_view* leaves,
                                const unsigned char* constants);
/// The same for formulas whose inputs are rolled, as a rolled_job's are: in one kernel, or in one for each box.
/// If it is false, some results may have been written already.
GNP_DECLARED bool write_several_rolled(const several_code& code, const leaf_view* results,
                                       const leaf_view* leaves, const shape_t* shifts,
                                       const unsigned char* constants);
#endif

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/exec/elementwise/gpu_several.hpp>
#endif
