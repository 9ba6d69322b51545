// SPDX-License-Identifier: MIT
// a(...) as arithmetic on shape, strides and offset: the basis of every view.
#pragma once

#include <gnp/core/layout.hpp>
#include <gnp/core/slice.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Where a view's elements are, relative to the array it was taken from. Strides are in elements.
struct view_layout {
  index_t offset = 0;
  shape_t shape;
  shape_t strides;
  bool read_only = false;
};

GNP_DECLARED view_layout index_view(const shape_t& shape, const shape_t& strides, const index_arg* indices,
                                    std::size_t count);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn]] [[gnu::cold]] GNP_INLINE void throw_too_many_indices(int rank, int taken) {
  throw index_error(std::string("index: too many indices: array is ") + std::to_string(rank) +
                    "-dimensional, but " + std::to_string(taken) + " were indexed");
}

[[noreturn]] [[gnu::cold]] GNP_INLINE void throw_no_such_index(index_t index, int axis, index_t length) {
  throw index_error(std::string("index: index ") + std::to_string(index) + " is out of bounds for axis " +
                    std::to_string(axis) + " with size " + std::to_string(length));
}

/// The number of axes that the indices apply to: none for newaxis, and an ellipsis takes what is left.
inline int indexed_axes(const shape_t& shape, const index_arg* indices, std::size_t count) {
  int taken = 0;
  bool has_ellipsis = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (indices[i].what() == index_arg::kind::rest) {
      if (has_ellipsis) throw index_error("index: an index can only have a single ellipsis");
      has_ellipsis = true;
    } else if (indices[i].what() != index_arg::kind::new_axis) {
      ++taken;
    }
  }
  if (taken > shape.rank()) throw_too_many_indices(shape.rank(), taken);
  return taken;
}

/// The place that an index, which may count from the end, has on an axis of this length.
inline index_t place_on_axis(index_t index, int axis, index_t length) {
  if (index < -length || index >= length) throw_no_such_index(index, axis, length);
  return index < 0 ? index + length : index;
}

GNP_INLINE view_layout index_view(const shape_t& shape, const shape_t& strides, const index_arg* indices,
                                  std::size_t count) {
  const int taken = indexed_axes(shape, indices, count);
  view_layout view;
  int axis = 0;
  const auto keep = [&](int axes) {
    for (; axes > 0; --axes, ++axis) {
      view.shape.push_back(shape[axis]);
      view.strides.push_back(strides[axis]);
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    switch (indices[i].what()) {
      case index_arg::kind::integer:
        view.offset += place_on_axis(indices[i].integer(), axis, shape[axis]) * strides[axis];
        ++axis;
        break;
      case index_arg::kind::range: {
        const slice_range range = resolve(indices[i].range(), shape[axis]);
        if (range.count > 0) view.offset += range.start * strides[axis];
        view.shape.push_back(range.count);
        // As in NumPy, the stride is the slice's even if at most one element is left, so it may overflow.
        view.strides.push_back(static_cast<index_t>(static_cast<std::uint64_t>(strides[axis]) *
                                                    static_cast<std::uint64_t>(range.step)));
        ++axis;
        break;
      }
      case index_arg::kind::new_axis:
        view.shape.push_back(1);
        view.strides.push_back(0);
        break;
      case index_arg::kind::rest:
        keep(shape.rank() - taken);
        break;
    }
  }
  keep(shape.rank() - axis);
  return view;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
