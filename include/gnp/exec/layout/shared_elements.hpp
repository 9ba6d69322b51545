// SPDX-License-Identifier: MIT
// Do two views have an element in common? The left and the right halves of rows, or the even and the odd
// elements, overlap in memory but have no element in common. And can a job write its result while it still
// reads its inputs?
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <gnp/exec/layout/job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Tells whether two elements of a view can be a given distance apart, that is, whether the distance is a sum
/// of the axes' strides, each taken at most size - 1 times, with either sign.
class distances_within {
 public:
  distances_within(int rank, const index_t* shape, const index_t* strides) {
    for (int d = 0; d < rank; ++d) {
      if (shape[d] > 1 && strides[d] != 0)
        axes_[axes_count_++] = {strides[d] < 0 ? -strides[d] : strides[d], shape[d] - 1};
    }
    std::sort(axes_, axes_ + axes_count_, [](const axis& a, const axis& b) { return a.stride > b.stride; });
  }

  /// True also if finding out would take long.
  GNP_INLINE bool have(index_t distance) {
    left_to_try_ = 256;
    return found(distance, 0);
  }

 private:
  struct axis {
    index_t stride;
    index_t most;
  };

  GNP_INLINE bool found(index_t distance, int from) {
    if (from == axes_count_) return distance == 0;
    const axis& a = axes_[from];
    index_t rest = 0;  // what the axes after this one can add
    for (int d = from + 1; d < axes_count_; ++d) rest += axes_[d].stride * axes_[d].most;
    // The multiples of the stride between distance - rest and distance + rest, both rounded inwards.
    const auto floor_of = [&a](index_t x) { return x / a.stride - (x % a.stride < 0 ? 1 : 0); };
    const index_t first = (std::max)(-a.most, -floor_of(rest - distance));
    const index_t last = (std::min)(a.most, floor_of(distance + rest));
    for (index_t k = first; k <= last; ++k) {
      if (--left_to_try_ < 0 || found(distance - k * a.stride, from + 1)) return true;
    }
    return false;
  }

  axis axes_[max_rank];
  int axes_count_ = 0;
  int left_to_try_ = 0;
};

/// Is each element of one view the same as that of the other?
GNP_INLINE bool are_same_elements(int rank, const index_t* shape, const job_operand& a, const job_operand& b) {
  if (a.data != b.data || a.itemsize != b.itemsize || (a.block == nullptr) != (b.block == nullptr))
    return false;
  for (int d = 0; d < rank; ++d) {
    if (shape[d] != 1 && a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

/// False only if it is certain: if the extents do not overlap, or if the strides are the same and do not lead
/// from one view to the other.
GNP_INLINE bool share_elements(const job& j, const job_operand& a, const job_operand& b) {
  const auto ends = [&j](const job_operand& o) {
    const element_span span = span_of(j.rank, j.shape, o.strides);
    return std::pair(o.data + span.first * o.itemsize, o.data + (span.last + 1) * o.itemsize);
  };
  const auto [a_first, a_end] = ends(a);
  const auto [b_first, b_end] = ends(b);
  if (a_end <= b_first || b_end <= a_first) return false;
  bool alike = a.itemsize == b.itemsize && (b.data - a.data) % a.itemsize == 0;
  for (int d = 0; d < j.rank && alike; ++d) alike = j.shape[d] == 1 || a.strides[d] == b.strides[d];
  return !alike || distances_within(j.rank, j.shape, a.strides).have((b.data - a.data) / a.itemsize);
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Could two elements be the same memory, as those of overlapping windows are? Conservative: each axis, in the
/// order of the strides, has to step over all elements of the axes before it.
GNP_INLINE bool may_share_elements(int rank, const index_t* shape, const index_t* strides) {
  index_t reach = 0;  // from the first to the last element along the axes so far
  std::array<bool, max_rank> is_done{};
  for (int step = 0; step < rank; ++step) {
    int next = -1;
    for (int d = 0; d < rank; ++d) {
      if (!is_done[static_cast<std::size_t>(d)] && shape[d] > 1 &&
          (next < 0 || std::abs(strides[d]) < std::abs(strides[next])))
        next = d;
    }
    if (next < 0) return false;
    is_done[static_cast<std::size_t>(next)] = true;
    if (std::abs(strides[next]) <= reach) return true;
    reach += (shape[next] - 1) * std::abs(strides[next]);
  }
  return false;
}

GNP_INLINE bool writing_changes(const job& j, const job_operand& out, const job_operand& in) {
  if (in.block == nullptr) return false;
  bool same = in.data == out.data && in.itemsize == out.itemsize && !in.table;
  for (int d = 0; d < j.rank && same; ++d) same = j.shape[d] == 1 || in.strides[d] == out.strides[d];
  if (same) return may_share_elements(j.rank, j.shape, out.strides);
  // A loop of a thread reads more than the strides lead to, and a table is read anywhere.
  if (!in.table && !in.in_loop) return share_elements(j, out, in);
  const element_span written = span_of(j.rank, j.shape, out.strides);
  const element_span read = in.table ? in.reach : span_of(j.rank, j.shape, in.strides);
  return in.data + read.first * in.itemsize < out.data + (written.last + 1) * out.itemsize &&
         out.data + written.first * out.itemsize < in.data + (read.last + 1) * in.itemsize;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
