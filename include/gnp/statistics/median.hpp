// SPDX-License-Identifier: MIT
// median: the value in the middle, or the mean of the two in the middle.
#pragma once

#include <gnp/core/axes_first.hpp>
#include <gnp/routines/comparisons.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/statistics/order_statistics.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The mean of two values, in the type of a mean. Halves are added in float, as in mean.
template <class M, array_like A, array_like B>
array<M> middle_of(const A& a, const B& b) {
  using C = std::conditional_t<is_16_bit_float<M>, float, M>;
  return array<M>(in_type<M>((in_type<C>(a) + in_type<C>(b)) / 2));
}

/// NaN if a row has a NaN, which is then its last element; otherwise the result.
template <class R, class T, array_like X>
array<R> unless_last_is_nan(const array<T>& last, const X& result) {
  if constexpr (is_inexact_v<T>) {
    return array<R>(where(last != last, in_type<R>(last), in_type<R>(result)));
  } else {
    return array<R>(in_type<R>(result));
  }
}

template <class R>
array<R> shaped(const array<R>& result, const shape_t& shape) {
  return result.view({0, shape, contiguous_strides(shape)});
}

template <class R>
array<R> all_nan(const shape_t& shape, gnp::device where, const char* function) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if constexpr (is_complex(dtype_of<R>)) {
    return filled<R>(shape, scalar::cast<R>(complex128(nan, nan)), where, function);
  } else {
    return filled<R>(shape, scalar::cast<R>(nan), where, function);
  }
}

}  // namespace detail

/// The median along axes; NaN if there is a NaN; a double for integers.
template <array_like X>
auto median(const X& x, const reduce_options& options = {}) {
  using T = typename X::value_type;
  using M = detail::averaged_type<T>;
  const auto rows = detail::rows_along(x, options.axis, options.keepdims, "median");
  const index_t length = rows.length;
  if (rows.rows.size() == 0) return detail::all_nan<M>(rows.kept, rows.rows.device(), "median");
  const index_t below = (length - 1) / 2;
  const index_t above = length / 2;
  const detail::order_statistics<T> sorted(rows.rows, {below, above, length - 1}, "median");
  const array<M> middle = below == above ? array<M>(detail::in_type<M>(sorted.of(below)))
                                         : detail::middle_of<M>(sorted.of(below), sorted.of(above));
  return detail::shaped(detail::unless_last_is_nan<M>(sorted.of(length - 1), middle), rows.kept);
}
GNP_AXES_FIRST(median, reduce_options)

}}  // namespace gnp::GNP_ABI
