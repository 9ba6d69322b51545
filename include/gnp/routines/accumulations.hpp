// SPDX-License-Identifier: MIT
// cumulative_sum and cumulative_prod of the Array API standard, and running maxima and minima.
#pragma once

#include <gnp/core/ufunc_options.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/scans.hpp>

namespace gnp { inline namespace GNP_ABI {

/// cumulative_sum and cumulative_prod: `axis` may be left out only if the array has a single axis. With
/// `include_initial` the result begins with the sum or product of no elements.
struct cumulative_options {
  by_name only = by_name();
  axes_t axis = none;
  bool include_initial = false;
};

namespace detail {

inline int cumulative_axis(const axes_t& axis, int rank, const char* function) {
  if (!axis.given() && rank > 1) {
    throw shape_error(std::string(function) +
                      ": for arrays which have more than one dimension the axis argument is required");
  }
  // A single number counts as a row of one element.
  return normalize_axis(one_axis(axis, function).value_or(0), (std::max)(rank, 1), function);
}

template <class T>
array<T> after_initial(const array<T>& sums, int axis, T initial) {
  shape_t shape = sums.shape();
  shape[axis] += 1;
  const array<T> result(shape, sums.device(), "cumulative_sum");
  stretch_of(result, axis, 0, 1).fill(initial);
  stretch_of(result, axis, 1, shape[axis] - 1).assign(sums);
  return result;
}

/// The running minimum or maximum, in the elements' own type.
template <class Tag, array_like X>
auto extreme_so_far(const X& x, int axis, const char* function) {
  using T = typename X::value_type;
  if (x.ndim() == 0) throw shape_error(std::string(function) + ": cannot accumulate on a scalar");
  return accumulate<Tag, computed_in<T>, T>(x, axis_set(axis, x.ndim(), function), function);
}

}  // namespace detail

template <class R = void, array_like X>
auto cumulative_sum(const X& x, const cumulative_options& options = {}) {
  const int axis = detail::cumulative_axis(options.axis, x.ndim(), "cumulative_sum");
  const auto sums = cumsum<R>(x, axis);
  using T = typename decltype(sums)::value_type;
  return options.include_initial ? detail::after_initial(sums, axis, T()) : sums;
}
GNP_AXES_FIRST(cumulative_sum, cumulative_options)
GNP_REFUSES_DTYPES(cumulative_sum)
template <class R = void, array_like X>
auto cumulative_prod(const X& x, const cumulative_options& options = {}) {
  const int axis = detail::cumulative_axis(options.axis, x.ndim(), "cumulative_prod");
  const auto products = cumprod<R>(x, axis);
  using T = typename decltype(products)::value_type;
  return options.include_initial ? detail::after_initial(products, axis, scalar::cast<T>(1)) : products;
}
GNP_AXES_FIRST(cumulative_prod, cumulative_options)
GNP_REFUSES_DTYPES(cumulative_prod)

/// The running maximum along an axis: of each element and all elements before it. NaN from the first NaN on.
template <array_like X>
auto maximum_accumulate(const X& x, const accumulate_options& options = {}) {
  return detail::extreme_so_far<detail::running_maximum_tag>(x, options.axis, "maximum_accumulate");
}
template <array_like X>
auto maximum_accumulate(const X& x, int axis) {
  return detail::extreme_so_far<detail::running_maximum_tag>(x, axis, "maximum_accumulate");
}
/// The running minimum, likewise.
template <array_like X>
auto minimum_accumulate(const X& x, const accumulate_options& options = {}) {
  return detail::extreme_so_far<detail::running_minimum_tag>(x, options.axis, "minimum_accumulate");
}
template <array_like X>
auto minimum_accumulate(const X& x, int axis) {
  return detail::extreme_so_far<detail::running_minimum_tag>(x, axis, "minimum_accumulate");
}

}}  // namespace gnp::GNP_ABI
