// SPDX-License-Identifier: MIT
// partition, argpartition and top_k: partial sorts.
#pragma once

#include <algorithm>
#include <gnp/core/integers.hpp>
#include <gnp/exec/sort/partition_rows.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/sorting.hpp>

namespace gnp { inline namespace GNP_ABI {

/// top_k: the largest ones, or the smallest.
struct top_k_options {
  by_name only = by_name();
  axes_t axis = -1;
  bool largest = true;
};

/// auto [values, indices] = top_k(x, k);
template <class T>
struct top_k_result {
  array<T> values;
  array<index_t> indices;
};

namespace detail {

/// One or several places, returned as places in a row in ascending order. Negative ones count from the end. Of
/// an array without elements every place is accepted, as in NumPy.
inline std::vector<index_t> places_in_row(const integers_t& asked, const shape_t& rows, const char* function) {
  std::vector<index_t> places;
  if (element_count(rows, function) == 0) return places;
  const index_t length = row_length(rows);
  for (const index_t kth : asked.all()) {
    const index_t place = kth < 0 ? kth + length : kth;
    if (place < 0 || place >= length) {
      throw index_error(std::string(function) + ": kth(=" + std::to_string(kth) + ") out of bounds (" +
                        std::to_string(length) + ")");
    }
    places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace detail

/// A copy in which each place in `kth` along an axis holds the element that sort() would put there, with
/// nothing greater before it and nothing less after it.
template <array_like X>
auto partition(const X& x, const integers_t& kth, const partition_options& options = {}) {
  options.kind.require_known("partition");
  return detail::along_one_axis(x, options.axis, "partition", [&](const auto& rows) {
    return detail::partitioned_rows(rows, detail::places_in_row(kth, rows.shape(), "partition"), "partition");
  });
}
template <array_like X>
auto partition(const X& x, const integers_t& kth, const axes_t& axis) {
  return (partition)(x, kth, partition_options{.axis = axis});
}

/// For each element of such a copy, its index in x along the axis.
template <array_like X>
auto argpartition(const X& x, const integers_t& kth, const partition_options& options = {}) {
  options.kind.require_known("argpartition");
  return detail::along_one_axis(
      x, detail::axes_within(options.axis, x.ndim()), "argpartition", [&](const auto& rows) {
        const index_t length = detail::row_length(rows.shape());
        const std::vector<index_t> places = detail::places_in_row(kth, rows.shape(), "argpartition");
        return detail::argpartitioned_rows(rows, length, places, false, false, "argpartition");
      });
}
template <array_like X>
auto argpartition(const X& x, const integers_t& kth, const axes_t& axis) {
  return (argpartition)(x, kth, partition_options{.axis = axis});
}

/// The k largest elements along an axis (by default the last; with `none`, of the flattened array), largest
/// first, and their indices; or the k smallest. Of equal elements the first ones are taken; NaN are last.
template <array_like X>
auto top_k(const X& x, index_t k, const top_k_options& options = {}) {
  using T = typename X::value_type;
  const array<T> a = options.axis.given() ? array<T>(x.eval()) : ravel(x);
  const int along = options.axis.given() ? detail::only_axis(options.axis, a.ndim(), "top_k") : 0;
  const index_t length = a.shape()[along];
  if (k < 0 || k > length) {
    throw index_error("top_k: k(=" + std::to_string(k) + ") out of bounds (" + std::to_string(length) + ")");
  }
  const bool last = along == a.ndim() - 1;
  const array<T> rows = last ? ascontiguousarray(a) : moveaxis(a, along, -1).copy();
  std::vector<index_t> places;
  if (k > 0) places.push_back(k - 1);
  const array<index_t> indices = detail::argpartitioned_rows(rows, k, places, options.largest, true, "top_k");
  const array<T> values = detail::along_axis<false>(rows, indices, rows.ndim() - 1, "top_k");
  if (last) return top_k_result<T>{values, indices};
  return top_k_result<T>{moveaxis(values, -1, along).copy(), moveaxis(indices, -1, along).copy()};
}
template <array_like X>
auto top_k(const X& x, index_t k, const axes_t& axis, top_k_options options = {}) {
  options.axis = axis;
  return (top_k)(x, k, static_cast<const top_k_options&>(options));
}
// The values in braces: partition({3, 1, 2}, 1).
#define GNP_PARTITION_OF_BRACES(function)                                                           \
  GNP_TAKES_VALUES_BESIDE(function, (const integers_t& kth, const partition_options& options = {}), \
                          (kth, options))                                                           \
  GNP_TAKES_VALUES_BESIDE(function, (const integers_t& kth, const axes_t& axis), (kth, axis))       \
  GNP_REFUSES_MIXED_NUMBERS(function, class Nothing = void, const integers_t&, const partition_options& = {})
GNP_PARTITION_OF_BRACES(partition)
GNP_PARTITION_OF_BRACES(argpartition)
#undef GNP_PARTITION_OF_BRACES

}}  // namespace gnp::GNP_ABI
