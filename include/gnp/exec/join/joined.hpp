// SPDX-License-Identifier: MIT
// Joins several contiguous arrays of one type into one by a single kernel: one after the other, or interleaved
// element by element.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/memory/storage.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An array's memory, without gaps.
struct joined_part {
  const void* data = nullptr;
  storage* block = nullptr;
  std::size_t bytes = 0;
};

/// Writes all parts one after the other, from `to` on.
GNP_DECLARED void join_consecutive(void* to, storage& block, const std::vector<joined_part>& parts);
/// Writes `unit` bytes of each part in turn; `unit` is a power of two up to 16. The parts and `to` are aligned
/// to vectors.
GNP_DECLARED void interleave(void* to, storage& block, const std::vector<joined_part>& parts, std::size_t unit);
/// Can this many parts, each with rows of `row_bytes` bytes, be interleaved?
GNP_DECLARED bool can_interleave(std::size_t parts, std::size_t row_bytes);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/exec/join/gpu_join.hpp>
#endif
#endif
