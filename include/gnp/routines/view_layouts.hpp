// SPDX-License-Identifier: MIT
// The layouts of views: axes in another order, another shape, elements of another type.
#pragma once

#include <gnp/array/transfer.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class T>
view_layout layout_of(const array<T>& a) {
  return {0, a.shape(), a.element_strides()};
}

template <class T>
array<T> permuted(const array<T>& a, const shape_t& axes, const char* function) {
  if (axes.rank() != a.ndim()) {
    throw shape_error(std::string(function) + ": axes " + to_string(axes) + " don't match an array of shape " +
                      to_string(a.shape()));
  }
  view_layout layout = layout_of(a);
  bool used[max_rank] = {};
  for (int d = 0; d < a.ndim(); ++d) {
    const int axis = normalize_axis(axes[d], a.ndim(), function);
    if (used[axis]) {
      throw shape_error(std::string(function) + ": repeated axis " + std::to_string(axes[d]) + " in " +
                        to_string(axes));
    }
    used[axis] = true;
    layout.shape[d] = a.shape()[axis];
    layout.strides[d] = a.element_strides()[axis];
  }
  return a.view(layout);
}

/// Fills in a -1, and checks that the new shape has as many elements as the old one.
GNP_DECLARED shape_t resolved_shape(const shape_t& asked, const shape_t& shape, index_t size);

template <class T>
array<T> reshaped(const array<T>& a, const shape_t& asked) {
  const shape_t shape = resolved_shape(asked, a.shape(), a.size());
  shape_t strides;
  if (a.size() == 0) return a.view({0, shape, contiguous_strides(shape)});
  if (reshape_strides(a.shape(), a.element_strides(), shape, strides)) return a.view({0, shape, strides});
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
