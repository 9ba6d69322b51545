// SPDX-License-Identifier: MIT
// Strides (in elements): row-major, broadcasting, contiguity, and the memory that a view spans.
#pragma once

#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Row-major strides. A size-0 axis counts as 1, as in NumPy, so that strides stay meaningful. Strides wrap
/// round for shapes that no array can have, and for empty shapes, which never use them.
GNP_INLINE shape_t contiguous_strides(const shape_t& shape) {
  shape_t strides(shape.size(), 1);
  std::uint64_t step = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    strides[d] = static_cast<index_t>(step);
    step *= shape[d] > 0 ? static_cast<std::uint64_t>(shape[d]) : 1;
  }
  return strides;
}

GNP_INLINE bool is_contiguous(const shape_t& shape, const shape_t& strides) {
  index_t expected = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

/// Do some elements share memory, so that writing one would change others?
GNP_INLINE bool repeats_elements(const shape_t& shape, const shape_t& strides) {
  for (int d = 0; d < shape.rank(); ++d) {
    if (strides[d] == 0 && shape[d] > 1) return true;
  }
  return false;
}

/// Writes into `result` the shape that both broadcast to; false if they do not broadcast.
GNP_DECLARED bool broadcast_shapes(const shape_t& a, const shape_t& b, shape_t& result);

GNP_INLINE bool broadcasts_to(const shape_t& shape, const shape_t& target) {
  shape_t common;
  return broadcast_shapes(shape, target, common) && common == target;
}

/// The strides of an operand stretched to `target`, which it is known to broadcast to.
GNP_INLINE void broadcast_strides(const shape_t& shape, const shape_t& strides, const shape_t& target,
                                  index_t* result) {
  const int offset = target.rank() - shape.rank();
  for (int d = 0; d < target.rank(); ++d) {
    const bool stretched = d < offset || (shape[d - offset] == 1 && target[d] != 1);
    result[d] = stretched ? 0 : strides[d - offset];
  }
}

/// First and last element, relative to the view's data pointer. Meaningless for empty views.
struct element_span {
  index_t first = 0;
  index_t last = 0;

  index_t size() const { return last - first + 1; }
};

GNP_INLINE element_span span_of(int rank, const index_t* shape, const index_t* strides) {
  element_span span;
  for (int d = 0; d < rank; ++d) {
    const index_t reach = (shape[d] - 1) * strides[d];
    (reach < 0 ? span.first : span.last) += reach;
  }
  return span;
}

/// Strides under which `new_shape` shows the same elements in the same order, without a copy.
/// False if there are none. Both shapes have the same, non-zero number of elements.
GNP_DECLARED bool reshape_strides(const shape_t& shape, const shape_t& strides, const shape_t& new_shape,
                                  shape_t& result);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE bool broadcast_shapes(const shape_t& a, const shape_t& b, shape_t& result) {
  const shape_t& longer = a.size() >= b.size() ? a : b;
  const shape_t& shorter = a.size() >= b.size() ? b : a;
  result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t d = 0; d < shorter.size(); ++d) {
    const index_t m = longer[offset + d];
    const index_t n = shorter[d];
    if (m == n || n == 1) continue;
    if (m != 1) return false;
    result[offset + d] = n;
  }
  return true;
}

GNP_INLINE bool reshape_strides(const shape_t& shape, const shape_t& strides, const shape_t& new_shape,
                                shape_t& result) {
  shape_t old_shape;
  shape_t old_strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    old_shape.push_back(shape[d]);
    old_strides.push_back(strides[d]);
  }
  result = shape_t(new_shape.size(), 1);
  // Walk both shapes in groups of axes whose sizes have the same product. The old axes of a group must be
  // mergeable into one.
  int o = 0;
  int n = 0;
  while (o < old_shape.rank() && n < new_shape.rank()) {
    int o_end = o + 1;
    int n_end = n + 1;
    index_t o_count = old_shape[o];
    index_t n_count = new_shape[n];
    while (o_count != n_count) {
      if (o_count < n_count) {
        o_count *= old_shape[o_end++];
      } else {
        n_count *= new_shape[n_end++];
      }
    }
    for (int d = o; d + 1 < o_end; ++d) {
      if (old_strides[d] != old_strides[d + 1] * old_shape[d + 1]) return false;
    }
    index_t step = old_strides[o_end - 1];
    for (int d = n_end - 1; d >= n; --d) {
      result[d] = step;
      step *= new_shape[d];
    }
    o = o_end;
    n = n_end;
  }
  // The remaining axes of the new shape have size 1. Their strides are never used; as in NumPy, they
  // repeat the last one.
  for (; n < new_shape.rank(); ++n) result[n] = n > 0 ? result[n - 1] : 1;
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
