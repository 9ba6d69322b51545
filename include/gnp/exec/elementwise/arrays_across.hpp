// SPDX-License-Identifier: MIT
// Arrays that lie across the others of a job, such as x.transpose() in x - x.transpose().
#pragma once

#include <algorithm>
#include <gnp/exec/layout/job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline bool moves_along(const job_operand* inputs, int count, int d) {
  return std::any_of(inputs, inputs + count, [d](const job_operand& o) { return o.strides[d] != 0; });
}

/// The number of different elements that these inputs have together.
inline index_t elements_of(const job& j, const job_operand* inputs, int count) {
  index_t elements = 1;
  for (int d = 0; d < j.rank; ++d) {
    if (moves_along(inputs, count, d)) elements *= j.shape[d];
  }
  return elements;
}

/// Are an array's neighbouring elements neighbours along an outer axis, and not along the innermost one?
GNP_INLINE bool lies_across(const job& j, const job_operand& o) {
  constexpr index_t few = 8;
  constexpr index_t enough_bytes = 1 << 23;  // smaller arrays come from the cache
  const int inner = j.rank - 1;
  const auto step = [&o](int d) { return o.strides[d] < 0 ? -o.strides[d] : o.strides[d]; };
  if (o.block == nullptr || o.table || step(inner) <= 1 || j.shape[inner] < few ||
      elements_of(j, &o, 1) * o.itemsize < enough_bytes)
    return false;
  for (int d = 0; d < inner; ++d) {
    if (step(d) == 1 && j.shape[d] >= few) return true;
  }
  return false;
}

}}}  // namespace gnp::GNP_ABI::detail
