// SPDX-License-Identifier: MIT
// The layouts of views: axes in another order, another shape, elements of another type.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/core/axes.hpp>
#include <optional>
#ifdef GNP_READS_BODIES
#include <algorithm>
#include <string>
#include <utility>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class T>
view_layout layout_of(const array<T>& a) {
  return {0, a.shape(), a.element_strides()};
}

// The layouts of an array with its axes in another order, with axes of size 1 removed or inserted, and in
// another shape.
GNP_DECLARED view_layout permuted_layout(const view_layout& layout, const shape_t& axes, const char* function);
GNP_DECLARED view_layout squeezed_layout(const view_layout& layout, const axes_t& axes);
GNP_DECLARED view_layout layout_with_axes(const view_layout& layout, const axes_t& axes);
/// Nothing if the elements have to be copied.
GNP_DECLARED std::optional<view_layout> reshaped_layout(const view_layout& layout, const shape_t& shape);

/// The order of an array's axes after some have moved to new positions.
GNP_DECLARED shape_t moved_axes(int rank, const shape_t& source, const shape_t& destination);
/// The same after two have changed places.
GNP_DECLARED shape_t swapped_axes(int rank, int first, int second);

template <class T>
array<T> permuted(const array<T>& a, const shape_t& axes, const char* function) {
  return a.view(permuted_layout(layout_of(a), axes, function));
}

/// Fills in a -1, and checks that the new shape has as many elements as the old one.
GNP_DECLARED shape_t resolved_shape(const shape_t& asked, const shape_t& shape, index_t size);

template <class T>
array<T> reshaped(const array<T>& a, const shape_t& asked) {
  const shape_t shape = resolved_shape(asked, a.shape(), a.size());
  if (const auto layout = reshaped_layout(layout_of(a), shape)) return a.view(*layout);
  return a.copy().view({0, shape, contiguous_strides(shape)});
}

/// The layout of the same memory in elements of another type.
GNP_DECLARED view_layout layout_of_type(const view_layout& layout, dtype from, dtype to);

template <class U, class T>
array<U> viewed_as(const array<T>& a) {
  const view_layout layout = layout_of_type(layout_of(a), dtype_of<T>, dtype_of<U>);
  if (a.size() > 0) require_alignment(a.data(), dtype_of<U>, a.device(), "view");
  const array<U> result(a.block(), reinterpret_cast<U*>(a.data()), layout.shape, layout.strides);
  return a.is_read_only() ? read_only_view(result) : result;
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE view_layout permuted_layout(const view_layout& layout, const shape_t& axes, const char* function) {
  const int rank = layout.shape.rank();
  if (axes.rank() != rank) {
    throw shape_error(std::string(function) + ": axes " + to_string(axes) + " don't match an array of shape " +
                      to_string(layout.shape));
  }
  view_layout result = layout;
  bool used[max_rank] = {};
  for (int d = 0; d < rank; ++d) {
    const int axis = normalize_axis(axes[d], rank, function);
    if (used[axis]) {
      throw shape_error(std::string(function) + ": repeated axis " + std::to_string(axes[d]) + " in " +
                        to_string(axes));
    }
    used[axis] = true;
    result.shape[d] = layout.shape[axis];
    result.strides[d] = layout.strides[axis];
  }
  return result;
}

GNP_INLINE view_layout squeezed_layout(const view_layout& layout, const axes_t& axes) {
  const int rank = layout.shape.rank();
  const axes_t named = axes_within(axes, rank);
  const axis_set chosen(named, rank, "squeeze");
  view_layout result;
  for (int d = 0; d < rank; ++d) {
    if (layout.shape[d] == 1 && chosen.chosen[d]) continue;
    if (named.given() && chosen.chosen[d]) {
      throw shape_error("squeeze: axis " + std::to_string(d) + " of shape " + to_string(layout.shape) +
                        " has a size other than one");
    }
    result.shape.push_back(layout.shape[d]);
    result.strides.push_back(layout.strides[d]);
  }
  return result;
}

GNP_INLINE view_layout layout_with_axes(const view_layout& layout, const axes_t& axes) {
  if (!axes.given()) throw shape_error("expand_dims: an axis must be given");
  const int rank = layout.shape.rank() + axes.values().rank();
  bool added[max_rank + 1] = {};
  if (rank > max_rank) shape_t(static_cast<std::size_t>(rank), 1);  // throws
  for (const index_t added_axis : axes.values()) {
    const int d = normalize_axis(added_axis, rank, "expand_dims");
    if (added[d]) throw shape_error("expand_dims: repeated axis in " + to_string(axes.values()));
    added[d] = true;
  }
  view_layout result;
  int next = 0;
  for (int d = 0; d < rank; ++d) {
    result.shape.push_back(added[d] ? 1 : layout.shape[next]);
    result.strides.push_back(added[d] ? 0 : layout.strides[next]);
    next += added[d] ? 0 : 1;
  }
  return result;
}

GNP_INLINE shape_t moved_axes(int rank, const shape_t& source, const shape_t& destination) {
  if (source.rank() != destination.rank()) {
    throw shape_error("moveaxis: source " + to_string(source) + " and destination " + to_string(destination) +
                      " must have the same number of axes");
  }
  int axis_at[max_rank];
  bool moved[max_rank] = {};
  std::fill(axis_at, axis_at + max_rank, -1);
  for (std::size_t i = 0; i < source.size(); ++i) {
    const int from = normalize_axis(source[i], rank, "moveaxis");
    const int to = normalize_axis(destination[i], rank, "moveaxis");
    if (moved[from] || axis_at[to] >= 0) {
      throw shape_error("moveaxis: repeated axis in " + to_string(source) + " or " + to_string(destination));
    }
    moved[from] = true;
    axis_at[to] = from;
  }
  shape_t axes;
  int next = 0;
  for (int d = 0; d < rank; ++d) {
    while (axis_at[d] < 0 && moved[next]) ++next;
    axes.push_back(axis_at[d] >= 0 ? axis_at[d] : next++);
  }
  return axes;
}

GNP_INLINE shape_t swapped_axes(int rank, int first, int second) {
  shape_t axes;
  for (int d = 0; d < rank; ++d) axes.push_back(d);
  std::swap(axes[normalize_axis(first, rank, "swapaxes")], axes[normalize_axis(second, rank, "swapaxes")]);
  return axes;
}

GNP_INLINE std::optional<view_layout> reshaped_layout(const view_layout& layout, const shape_t& shape) {
  shape_t strides;
  if (element_count(shape, "reshape") == 0) return view_layout{0, shape, contiguous_strides(shape)};
  if (reshape_strides(layout.shape, layout.strides, shape, strides)) return view_layout{0, shape, strides};
  return std::nullopt;
}

GNP_INLINE shape_t resolved_shape(const shape_t& asked, const shape_t& shape, index_t size) {
  shape_t result = asked;
  index_t known = 1;
  int unknown = -1;
  for (int d = 0; d < asked.rank(); ++d) {
    if (asked[d] == -1 && unknown < 0) {
      unknown = d;
    } else if (asked[d] < 0) {
      throw shape_error(std::string("reshape: can only specify one unknown dimension, got ") +
                        to_string(asked));
    } else {
      known = asked[d] != 0 && known > (index_t{1} << 62) / asked[d] ? index_t{1} << 62 : known * asked[d];
    }
  }
  if (unknown >= 0 && known != 0 && size % known == 0) result[unknown] = size / known;
  const bool fits = unknown >= 0 ? known != 0 && size % known == 0 : known == size;
  if (!fits) {
    throw shape_error(std::string("reshape: cannot reshape array of shape ") + to_string(shape) + " (size " +
                      std::to_string(size) + ") into shape " + to_string(asked));
  }
  return result;
}

GNP_INLINE view_layout layout_of_type(const view_layout& layout, dtype from, dtype to) {
  const auto size = static_cast<index_t>(itemsize(from));
  const auto other = static_cast<index_t>(itemsize(to));
  if (size == other) return layout;
  const int last = layout.shape.rank() - 1;
  const bool is_empty = element_count(layout.shape, "view") == 0;
  const auto fail = [&](const std::string& why) {
    throw shape_error(std::string("view: ") + name(from) + " of shape " + to_string(layout.shape) +
                      " cannot be read as " + name(to) + ": " + why);
  };
  if (last < 0) fail("one number stays as large as it is");
  const index_t length = layout.shape[last];
  if (length > 1 && !is_empty && layout.strides[last] != 1)
    fail("the elements along the last axis do not lie one after the other");
  if (size < other && length % (other / size) != 0) {
    fail("the last axis has " + std::to_string(length * size) + " bytes, which are no multiple of " +
         std::to_string(other));
  }
  view_layout result = layout;
  result.shape[last] = size < other ? length / (other / size) : product_of_sizes(length, size / other, "view");
  result.strides = contiguous_strides(result.shape);
  for (int d = 0; d < last && !is_empty; ++d) {
    if (layout.shape[d] == 1) continue;  // its stride is never used
    if (layout.strides[d] * size % other != 0) {
      fail("the stride " + std::to_string(layout.strides[d] * size) + " of axis " + std::to_string(d) +
           " is not a multiple of " + std::to_string(other) + " bytes");
    }
    result.strides[d] = layout.strides[d] * size / other;
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
