// SPDX-License-Identifier: MIT
// view: which elements a view of a distributed array has, and which process has which of them.
#pragma once

#include <gnp/array/indexing.hpp>
#include <gnp/distributed/layout.hpp>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// Place p of the view is place start[k] + sum of strides[k][d] p[d] along each axis k of the array. Each axis
/// of a view goes along one axis of the array, or along none if it is a new one.
class view {
 public:
  explicit view(const shape_t& whole)
      : shape_(whole), start_(whole.size(), 0), strides_(whole.size(), shape_t(whole.size(), 0)) {
    for (std::size_t k = 0; k < whole.size(); ++k) strides_[k][k] = 1;
  }

  const shape_t& shape() const { return shape_; }

  /// The view that x(...) makes of this view.
  view indexed(const index_arg* indices, std::size_t count) const {
    view result = *this;
    for (std::size_t k = 0; k < strides_.size(); ++k) {
      const gnp::detail::view_layout along = gnp::detail::index_view(shape_, strides_[k], indices, count);
      result.shape_ = along.shape;
      result.strides_[k] = along.strides;
      result.start_[k] += along.offset;
    }
    if (strides_.empty()) result.shape_ = gnp::detail::index_view(shape_, shape_, indices, count).shape;
    return result;
  }
  /// Axis d of the result is axis axes[d] of this one.
  view transposed(const shape_t& axes) const {
    view result = *this;
    for (int d = 0; d < axes.rank(); ++d) {
      result.shape_[d] = shape_[axes[d]];
      for (std::size_t k = 0; k < strides_.size(); ++k) result.strides_[k][d] = strides_[k][axes[d]];
    }
    return result;
  }

  /// Which axis of the view goes along axis k of the array, if one does.
  std::optional<int> axis_along(int k) const {
    for (int d = 0; d < shape_.rank(); ++d) {
      if (strides_[static_cast<std::size_t>(k)][d] != 0) return d;
    }
    return std::nullopt;
  }
  /// Does the view have all elements of the array, perhaps with its axes in another order?
  bool is_whole(const shape_t& array) const {
    for (int k = 0; k < array.rank(); ++k) {
      const auto d = axis_along(k);
      if (!d || start_[k] != 0 || strides_[static_cast<std::size_t>(k)][*d] != 1 || shape_[*d] != array[k])
        return false;
    }
    return shape_.rank() == array.rank();
  }

  /// The view's places that lie in a box of the array.
  box within(const box& of_array) const {
    box own = box::of(shape_);
    for (int k = 0; k < of_array.rank(); ++k) {
      const index_t low = of_array.begin[k], high = of_array.end[k], start = start_[k];
      const auto d = axis_along(k);
      if (!d) {
        if (start < low || start >= high) return nothing();
        continue;
      }
      const index_t step = strides_[static_cast<std::size_t>(k)][*d];
      // With a negative step, the box's high end gives the first place, and its low end the last.
      const index_t first = step > 0 ? up(low - start, step) : up(start - high + 1, -step);
      const index_t last = step > 0 ? up(high - start, step) : up(start - low + 1, -step);
      own.begin[*d] = (std::max)(own.begin[*d], first);
      own.end[*d] = (std::max)(own.begin[*d], (std::min)(own.end[*d], last));
    }
    return own;
  }

  /// The elements of a box of the view, from a block of the array that begins at place `first`.
  template <element T>
  gnp::array<T> of_block(const gnp::array<T>& block, const shape_t& first, const box& wanted) const {
    gnp::detail::view_layout layout{.offset = 0, .shape = wanted.shape(), .strides = shape_t(shape_.size(), 0)};
    const shape_t& steps = block.element_strides();
    const bool is_empty = wanted.is_empty();
    for (std::size_t k = 0; k < strides_.size(); ++k) {
      index_t at = start_[k] - first[k];
      for (int d = 0; d < shape_.rank(); ++d) {
        at += strides_[k][d] * wanted.begin[d];
        layout.strides[d] += strides_[k][d] * steps[k];
      }
      if (!is_empty) layout.offset += at * steps[k];
    }
    return block.view(layout);
  }

  bool operator==(const view&) const = default;

 private:
  /// a / b for a positive b, rounded up.
  static index_t up(index_t a, index_t b) { return a > 0 ? (a - 1) / b + 1 : -(-a / b); }
  box nothing() const {
    const shape_t zeros(shape_.size(), 0);
    return {zeros, zeros, true};
  }

  shape_t shape_;
  shape_t start_;
  std::vector<shape_t> strides_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
