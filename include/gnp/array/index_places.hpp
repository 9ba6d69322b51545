// SPDX-License-Identifier: MIT
// a(...) with arrays among the indices: which axis each array indexes, and where NumPy puts the axes of the
// result.
#pragma once

#include <gnp/array/indexing.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One index: an integer, a slice, and so on, or an array that indexes `array_axes` axes. A mask indexes as
/// many axes as it has dimensions.
struct index_part {
  index_arg plain = index_arg(ellipsis);
  int array_axes = -1;

  bool is_array() const { return array_axes >= 0; }
};

/// The axes of an array that remain under a list of indices, and those that the index arrays replace.
struct index_axes {
  index_t offset = 0;  // of the first element
  shape_t shape;       // of the axes that stay
  shape_t strides;
  int block = 0;                    // the index arrays' common axes go before this axis
  std::vector<int> first_of_array;  // per array: the first axis that it indexes

  int after() const { return shape.rank() - block; }
};

/// If all index arrays are next to each other, their common axes take their place in the result. If a slice,
/// newaxis or ellipsis is between them, the common axes come first. An integer among index arrays counts as one
/// of them.
GNP_DECLARED index_axes resolve_index(const shape_t& shape, const shape_t& strides,
                                      const std::vector<index_part>& parts);

/// The shape that index arrays are broadcast to.
GNP_DECLARED shape_t common_index_shape(const std::vector<shape_t>& shapes, const char* function);

/// Throws unless a mask has the sizes of the axes that it indexes.
GNP_DECLARED void check_mask(const shape_t& mask, const shape_t& shape, int first);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE index_axes resolve_index(const shape_t& shape, const shape_t& strides,
                                    const std::vector<index_part>& parts) {
  std::vector<index_arg> plain;  // `all` for each axis of an index array
  for (const index_part& p : parts) {
    if (!p.is_array()) plain.push_back(p.plain);
    for (int k = 0; k < p.array_axes; ++k) plain.emplace_back(all);
  }
  const view_layout view = index_view(shape, strides, plain.data(), plain.size());

  int taken = 0;
  for (const index_arg& i : plain)
    taken += i.what() == index_arg::kind::integer || i.what() == index_arg::kind::range ? 1 : 0;
  index_axes result;
  result.offset = view.offset;
  int axis = 0;  // of the array
  int of_view = 0;
  bool started = false;
  bool interrupted = false;
  bool separated = false;
  const auto keep = [&](int axes) {
    for (; axes > 0; --axes, ++of_view) {
      result.shape.push_back(view.shape[of_view]);
      result.strides.push_back(view.strides[of_view]);
    }
  };
  for (const index_part& p : parts) {
    const bool number = !p.is_array() && p.plain.what() == index_arg::kind::integer;
    if (!p.is_array() && !number) {
      interrupted = started;
      const bool rest = p.plain.what() == index_arg::kind::rest;
      const int axes = rest ? shape.rank() - taken : 1;
      keep(axes);
      axis += p.plain.what() == index_arg::kind::new_axis ? 0 : axes;
      continue;
    }
    separated = separated || interrupted;
    if (!started) result.block = result.shape.rank();
    started = true;
    if (p.is_array()) {
      result.first_of_array.push_back(axis);
      of_view += p.array_axes;
    }
    axis += number ? 1 : p.array_axes;
  }
  keep(view.shape.rank() - of_view);
  if (separated) result.block = 0;
  return result;
}

GNP_INLINE shape_t common_index_shape(const std::vector<shape_t>& shapes, const char* function) {
  shape_t common;
  for (const shape_t& shape : shapes) {
    shape_t merged;
    if (broadcast_shapes(common, shape, merged)) {
      common = merged;
      continue;
    }
    std::string text =
        std::string(function) + ": shape mismatch: indexing arrays could not be broadcast together with shapes";
    for (const shape_t& s : shapes) text += " " + to_string(s);
    throw index_error(text);
  }
  return common;
}

GNP_INLINE void check_mask(const shape_t& mask, const shape_t& shape, int first) {
  for (int d = 0; d < mask.rank(); ++d) {
    const int axis = first + d;
    if (axis < shape.rank() && mask[d] == shape[axis]) continue;
    if (axis >= shape.rank()) {
      throw index_error("index: too many indices: array is " + std::to_string(shape.rank()) +
                        "-dimensional, but " + std::to_string(first + mask.rank()) + " were indexed");
    }
    throw index_error("index: boolean index did not match indexed array along axis " + std::to_string(axis) +
                      "; size of axis is " + std::to_string(shape[axis]) +
                      " but size of corresponding boolean axis is " + std::to_string(mask[d]));
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
