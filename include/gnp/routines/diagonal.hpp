// SPDX-License-Identifier: MIT
// diagonal, a view, and trace, its sum.
#pragma once

#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI {

struct diagonal_options {
  by_name only = by_name();
  index_t offset = 0;
  int axis1 = 0;
  int axis2 = 1;
};

namespace detail {

template <class T>
array<T> diagonal_of(const array<T>& a, index_t offset, int axis1, int axis2, const char* function) {
  if (a.ndim() < 2) {
    throw shape_error(std::string(function) + ": needs at least 2 dimensions, got shape " +
                      to_string(a.shape()));
  }
  const int rows = normalize_axis(axis1, a.ndim(), function);
  const int columns = normalize_axis(axis2, a.ndim(), function);
  if (rows == columns)
    throw shape_error(std::string(function) + ": axis1 and axis2 are both " + std::to_string(axis1));
  view_layout layout{0, {}, {}};
  for (int d = 0; d < a.ndim(); ++d) {
    if (d == rows || d == columns) continue;
    layout.shape.push_back(a.shape()[d]);
    layout.strides.push_back(a.element_strides()[d]);
  }
  const index_t row_step = a.element_strides()[rows];
  const index_t column_step = a.element_strides()[columns];
  const index_t height = a.shape()[rows] - (offset < 0 ? -offset : 0);
  const index_t width = a.shape()[columns] - (offset > 0 ? offset : 0);
  const index_t length = (std::max)((std::min)(height, width), index_t{0});
  layout.shape.push_back(length);
  layout.strides.push_back(row_step + column_step);
  if (length > 0) layout.offset = offset > 0 ? offset * column_step : -offset * row_step;
  return a.view(layout);
}

}  // namespace detail

/// A view of the elements a[i, i + offset] of two axes, along a new last axis.
template <array_like X>
auto diagonal(const X& x, index_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return detail::diagonal_of(x.eval(), offset, axis1, axis2, "diagonal");
}
template <array_like X>
auto diagonal(const X& x, const diagonal_options& options) {
  return diagonal(x, options.offset, options.axis1, options.axis2);
}

/// The sum of a diagonal; integers are added in 64 bits, as in sum.
template <class R = void, array_like X>
auto trace(const X& x, index_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return sum<R>(detail::diagonal_of(x.eval(), offset, axis1, axis2, "trace"), {.axis = -1});
}
template <class R = void, array_like X>
auto trace(const X& x, const diagonal_options& options) {
  return trace<R>(x, options.offset, options.axis1, options.axis2);
}

namespace detail {

template <class Derived>
auto array_members<Derived>::diagonal(index_t offset, int axis1, int axis2) const {
  return gnp::diagonal(derived(), offset, axis1, axis2);
}
template <class Derived>
auto array_members<Derived>::trace(index_t offset, int axis1, int axis2) const {
  return gnp::trace(derived(), offset, axis1, axis2);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
