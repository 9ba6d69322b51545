// SPDX-License-Identifier: MIT
// A compaction, which keeps the elements of an expression where another is true, without its types.
#pragma once

#include <gnp/exec/layout/job.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is known of a compaction at compile time.
struct compact_code {
  const program* elements;       // the values, with the condition's operands behind theirs
  const node_source* condition;  // which of them stay
  kernel_table* kernels;
  bool positions;  // are the values places, which need no memory?
};

/// How many of `count` truth values are true in each piece, and, at the end, in all: first the sums before
/// them.
GNP_DECLARED std::vector<index_t> kept_before(const unsigned char* keep, index_t count);

/// The elements of a job that stay, at `to`.
GNP_DECLARED void compact_on_cpu(const job& values, const unsigned char* keep,
                                 const std::vector<index_t>& before, bool are_positions, char* to);

#if GNP_HAS_CUDA
/// Writes the first `capacity` elements that stay to where the job's destination is; returns how many stay.
GNP_DECLARED index_t compact_on_gpu(job& j, const compact_code& code, index_t capacity);
#endif

}}}  // namespace gnp::GNP_ABI::detail
