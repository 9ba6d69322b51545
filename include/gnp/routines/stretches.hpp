// SPDX-License-Identifier: MIT
// Stretches along an axis, and axes of size 1 that come and go.
#pragma once

#include <gnp/core/shape.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/manipulation.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A view of `length` elements from `start` along an axis, which must have that many.
template <class T>
array<T> stretch_of(const array<T>& a, int axis, index_t start, index_t length) {
  view_layout layout = layout_of(a);
  if (length > 0) layout.offset = start * layout.strides[axis];
  layout.shape[axis] = length;
  return a.view(layout);
}

/// The same for anything else: for an expression, an expression of views of its arrays.
template <array_like X>
auto stretch_of(const X& x, int axis, index_t start, index_t length) {
  std::vector<index_arg> indices(static_cast<std::size_t>(axis) + 1, index_arg(all));
  indices.back() = slice(start, start + length);
  return x.index(indices);
}

/// The array without the axes of size 1 at these positions, which are in ascending order.
template <class T>
array<T> without_axes(const array<T>& a, const shape_t& axes) {
  view_layout layout = layout_of(a);
  for (int i = axes.rank() - 1; i >= 0; --i) {
    layout.shape.erase(static_cast<int>(axes[i]));
    layout.strides.erase(static_cast<int>(axes[i]));
  }
  return a.view(layout);
}

/// The shape with axes of size 1 inserted at these positions, which are in ascending order.
GNP_INLINE shape_t with_axes(const shape_t& shape, const shape_t& axes) {
  shape_t result = shape;
  for (const index_t axis : axes) result.insert(static_cast<int>(axis), 1);
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
