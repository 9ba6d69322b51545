// SPDX-License-Identifier: MIT
// sliding_window_view and as_strided: views in which an element may appear several times.
#pragma once

#include <gnp/routines/manipulation.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

struct window_options {
  by_name only = by_name();
  axes_t axis = none;
};

/// All windows of this shape: first the axes for the positions of the windows, then those for their contents.
/// The result is a read-only view, because an element is in many windows.
template <array_like X>
auto sliding_window_view(const X& x, const shape_t& window, const window_options& options = {}) {
  const auto a = x.eval();
  shape_t axes;
  if (options.axis.given()) {
    axes = options.axis.values();
  } else {
    for (int d = 0; d < a.ndim(); ++d) axes.push_back(d);
  }
  if (axes.rank() != window.rank()) {
    throw shape_error(
        "sliding_window_view: a window of shape " + to_string(window) + " needs as many axes, got " +
        (options.axis.given() ? to_string(axes) : "an array of dimension " + std::to_string(a.ndim())));
  }
  detail::view_layout layout = detail::layout_of(a);
  layout.read_only = true;  // windows share elements
  for (int i = 0; i < window.rank(); ++i) {
    const int d = detail::normalize_axis(axes[i], a.ndim(), "sliding_window_view");
    if (window[i] < 0) {
      throw shape_error("sliding_window_view: window_shape cannot contain negative values, got " +
                        to_string(window));
    }
    if (layout.shape[d] < window[i]) {
      throw shape_error("sliding_window_view: window shape cannot be larger than input array shape, got " +
                        to_string(window) + " for " + to_string(a.shape()));
    }
    layout.shape[d] -= window[i] - 1;
    layout.shape.push_back(window[i]);
    layout.strides.push_back(a.element_strides()[d]);
  }
  return a.view(layout);
}
template <array_like X>
auto sliding_window_view(const X& x, const shape_t& window, const axes_t& axis) {
  return sliding_window_view(x, window, window_options{.axis = axis});
}

namespace detail {

/// The range of elements that a view with these strides spans; nothing if that is more than any memory holds.
GNP_DECLARED std::optional<element_span> span_within(const shape_t& shape, const shape_t& strides);

}  // namespace detail

/// A view of any shape, with any strides in bytes, that stays within the array's memory.
template <element T>
array<T> as_strided(const array<T>& a, const shape_t& shape, const shape_t& strides) {
  constexpr auto size = static_cast<index_t>(sizeof(T));
  if (shape.rank() != strides.rank()) {
    throw shape_error("as_strided: shape " + to_string(shape) + " and strides " + to_string(strides) +
                      " must have the same length");
  }
  detail::view_layout layout{0, shape, strides};
  for (index_t& stride : layout.strides) {
    if (stride % size != 0) {
      throw error("as_strided: the stride " + std::to_string(stride) +
                  " is not a multiple of the element size, " + std::to_string(size) + " bytes");
    }
    stride /= size;
  }
  layout.read_only = detail::repeats_elements(shape, layout.strides);
  if (detail::element_count(shape, "as_strided") > 0) {
    const auto span = detail::span_within(shape, layout.strides);
    const auto first = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(a.data()) -
                                            reinterpret_cast<std::uintptr_t>(a.block()->data)) /
                       size;
    const index_t last = static_cast<index_t>(a.block()->bytes) / size - 1;
    if (!span || first + span->first < 0 || span->last > last - first) {
      throw index_error("as_strided: a view of shape " + to_string(shape) + " and strides " +
                        to_string(strides) + " reaches out of the memory of " +
                        std::to_string(a.block()->bytes) + " bytes");
    }
  }
  return a.view(layout);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::optional<element_span> span_within(const shape_t& shape, const shape_t& strides) {
  element_span span;
  for (int d = 0; d < shape.rank(); ++d) {
    index_t reach = 0;
    if (__builtin_mul_overflow(shape[d] - 1, strides[d], &reach)) return std::nullopt;
    index_t& end = reach < 0 ? span.first : span.last;
    if (__builtin_add_overflow(end, reach, &end)) return std::nullopt;
  }
  constexpr index_t most = index_t{1} << 61;
  if (span.first < -most || span.last > most) return std::nullopt;
  return span;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
