// SPDX-License-Identifier: MIT
// A compaction, which keeps the elements of one expression for which another is true, without its C++ types.
#pragma once

#include <gnp/exec/layout/job.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is known about a compaction at compile time.
struct compact_code {
  const expression_code* elements;  // the values; the condition's operands follow theirs
  const node_source* condition;  // which of them are kept
  kernel_table* kernels;
  bool positions;  // are the values positions (which are not in memory)?
};

/// How many of `count` truth values are true before each piece, and finally how many in total.
GNP_DECLARED std::vector<index_t> kept_before(const unsigned char* keep, index_t count);

/// Writes the elements of a job that are kept to `to`.
GNP_DECLARED void compact_on_cpu(const job& values, const unsigned char* keep,
                                 const std::vector<index_t>& before, bool are_positions, char* to);

/// Writes the coordinates of the elements that are kept: along axis d, that of the i-th to to[d][i * apart].
GNP_DECLARED void coordinates_on_cpu(const unsigned char* keep, const shape_t& shape,
                                     const std::vector<index_t>& before, std::int64_t* const* to,
                                     index_t apart);

#if GNP_HAS_CUDA
/// Writes the first `capacity` elements that are kept to the job's destination. Returns how many are kept in
/// total.
GNP_DECLARED index_t compact_on_gpu(job& j, const compact_code& code, index_t capacity);
#endif

}}}  // namespace gnp::GNP_ABI::detail
