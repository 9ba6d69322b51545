// SPDX-License-Identifier: MIT
// Many elements become one: sum, prod, mean, var, std, min, max, argmin, argmax, any, all and their like, along
// any axes, of arrays and of expressions, whose elements are computed on the way in and never stored.
#pragma once

#include <gnp/core/axes_first.hpp>
#include <gnp/core/reduce_options.hpp>
#include <gnp/exec/reduce/reduce.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/manipulation.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The type that NumPy sums integers in: 64 bits; other types are their own.
template <class T>
using summed_type =
    std::conditional_t<!is_integer(dtype_of<T>) && dtype_of<T> != dtype::bool_, T,
                       std::conditional_t<is_unsigned_integer(dtype_of<T>), std::uint64_t, std::int64_t>>;
/// The type of a mean: double for integers.
template <class T>
using averaged_type = std::conditional_t<is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_, double, T>;

template <class T>
inline constexpr bool is_16_bit_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool is_inexact_v = is_floating(dtype_of<T>) || is_complex(dtype_of<T>);

/// The type of x's elements, or the one asked for.
template <class R, class X>
using asked_type = std::conditional_t<std::is_void_v<R>, typename X::value_type, R>;
template <class R, class X>
using sum_of = array<summed_type<asked_type<R, X>>>;
template <class R, class X>
using mean_of = array<averaged_type<asked_type<R, X>>>;
template <class R, class X>
using spread_of = array<type_of<real_part_of(dtype_of<averaged_type<asked_type<R, X>>>)>>;

/// x, or x.astype<R>() where another type is asked for.
template <class R, array_like X>
decltype(auto) in_type(const X& x) {
  if constexpr (std::is_void_v<R> || std::is_same_v<R, typename X::value_type>) {
    return (x);
  } else {
    return x.template astype<R>();
  }
}

/// A result with NumPy's `initial` taken in as one more element.
template <class R, class Operation>
array<R> with_initial(const array<R>& result, const number& initial, const Operation& operation) {
  if (!initial.given()) return result;
  return operation(result, initial.visit([](auto value) { return scalar::cast<R>(value); }));
}

template <class Tag, array_like X>
array<typename X::value_type> reduce_to_extreme(const X& x, const sum_options& options, const char* function) {
  using T = typename X::value_type;
  const shape_t shape = x.shape();
  const axis_set axes(options.axis, shape.rank(), function);
  if (reduced_length(shape, axes) == 0) {
    const shape_t left = reduced_shape(shape, axes, options.keepdims);
    if (!options.initial.given() && element_count(left, function) != 0) {
      throw shape_error(std::string(function) + ": zero-size array of shape " + to_string(shape) +
                        " to reduction operation " + function + " which has no identity");
    }
    array<T> result(left, x.device(), function);
    if (options.initial.given())
      result.fill(options.initial.visit([](auto value) { return scalar::cast<T>(value); }));
    return result;
  }
  return reduce<Tag, computed_in<T>, T>(x, axes, options.keepdims, 0, function);
}

template <class Tag, array_like X>
array<std::int64_t> reduce_to_position(const X& x, const reduce_options& options, const char* function) {
  const shape_t shape = x.shape();
  if (options.axis.given() && options.axis.values().rank() != 1) {
    throw shape_error(std::string(function) + ": takes one axis or none, got " +
                      to_string(options.axis.values()));
  }
  const axis_set axes(options.axis, shape.rank(), function);
  if (reduced_length(shape, axes) == 0 &&
      element_count(reduced_shape(shape, axes, options.keepdims), function) != 0) {
    throw shape_error(std::string("attempt to get ") + function + " of an empty sequence, shape " +
                      to_string(shape));
  }
  return reduce<Tag, computed_in<typename X::value_type>, std::int64_t>(x, axes, options.keepdims, 0, function);
}

template <class Tag, class R, class A = R, array_like X, class Options>
array<R> reduce_with(const X& x, const Options& options, double parameter, const char* function) {
  return reduce<Tag, A, R>(x, axis_set(options.axis, x.ndim(), function), options.keepdims, parameter,
                           function);
}

}  // namespace detail

/// The sum; of integers in 64 bits, of halves in float; sum<double>(x) converts first. Float sums are
/// compensated.
template <class R = void, array_like X>
detail::sum_of<R, X> sum(const X& x, const sum_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = detail::summed_type<typename std::remove_cvref_t<decltype(elements)>::value_type>;
  using tag = std::conditional_t<detail::is_inexact_v<T> && !detail::is_16_bit_float<T>, detail::sum_reducer,
                                 detail::plain_sum_reducer>;
  return detail::with_initial<T>(
      detail::reduce_with<tag, T, detail::computed_in<T>>(elements, options, 0, "sum"), options.initial,
      [](const auto& a, T b) { return a + b; });
}
GNP_AXES_FIRST(sum, sum_options)

/// The product, in the types of sum.
template <class R = void, array_like X>
detail::sum_of<R, X> prod(const X& x, const sum_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = detail::summed_type<typename std::remove_cvref_t<decltype(elements)>::value_type>;
  return detail::with_initial<T>(
      detail::reduce_with<detail::product_reducer, T, detail::computed_in<T>>(elements, options, 0, "prod"),
      options.initial, [](const auto& a, T b) { return a * b; });
}
GNP_AXES_FIRST(prod, sum_options)

/// The mean; of integers a double.
template <class R = void, array_like X>
detail::mean_of<R, X> mean(const X& x, const reduce_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = detail::averaged_type<typename std::remove_cvref_t<decltype(elements)>::value_type>;
  using tag = std::conditional_t<detail::is_16_bit_float<T>, detail::plain_mean_reducer, detail::mean_reducer>;
  const shape_t shape = x.shape();
  const auto count =
      static_cast<double>(detail::reduced_length(shape, detail::axis_set(options.axis, shape.rank(), "mean")));
  return detail::reduce_with<tag, T, detail::computed_in<T>>(elements, options, count, "mean");
}
GNP_AXES_FIRST(mean, reduce_options)

/// The variance, in one pass over the data: the mean squared distance from the mean.
template <class R = void, array_like X>
detail::spread_of<R, X> var(const X& x, const var_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = detail::averaged_type<typename std::remove_cvref_t<decltype(elements)>::value_type>;
  return detail::reduce_with<detail::var_reducer, type_of<detail::real_part_of(dtype_of<T>)>,
                             detail::computed_in<T>>(elements, options, options.ddof, "var");
}
GNP_AXES_FIRST(var, var_options)

/// The standard deviation: the root of the variance.
template <class R = void, array_like X>
detail::spread_of<R, X> std(const X& x, const var_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = detail::averaged_type<typename std::remove_cvref_t<decltype(elements)>::value_type>;
  return detail::reduce_with<detail::std_reducer, type_of<detail::real_part_of(dtype_of<T>)>,
                             detail::computed_in<T>>(elements, options, options.ddof, "std");
}
GNP_AXES_FIRST(std, var_options)

/// The smallest element; NaN where there is one.
template <array_like X>
array<typename X::value_type>(min)(const X& x, const sum_options& options = {}) {
  using T = typename X::value_type;
  return detail::with_initial<T>(detail::reduce_to_extreme<detail::min_reducer>(x, options, "min"),
                                 options.initial, [](const auto& a, T b) { return minimum(a, b); });
}
GNP_AXES_FIRST(min, sum_options)
/// The largest element; NaN where there is one.
template <array_like X>
array<typename X::value_type>(max)(const X& x, const sum_options& options = {}) {
  using T = typename X::value_type;
  return detail::with_initial<T>(detail::reduce_to_extreme<detail::max_reducer>(x, options, "max"),
                                 options.initial, [](const auto& a, T b) { return maximum(a, b); });
}
GNP_AXES_FIRST(max, sum_options)
template <array_like X>
array<typename X::value_type> amin(const X& x, const sum_options& options = {}) {
  return (min)(x, options);
}
GNP_AXES_FIRST(amin, sum_options)
template <array_like X>
array<typename X::value_type> amax(const X& x, const sum_options& options = {}) {
  return (max)(x, options);
}
GNP_AXES_FIRST(amax, sum_options)

/// From the smallest to the largest element, in one pass.
template <array_like X>
array<typename X::value_type> ptp(const X& x, const reduce_options& options = {}) {
  using T = typename X::value_type;
  const shape_t shape = x.shape();
  const detail::axis_set axes(options.axis, shape.rank(), "ptp");
  if (detail::reduced_length(shape, axes) == 0 &&
      detail::element_count(detail::reduced_shape(shape, axes, false), "ptp") != 0) {
    throw shape_error(std::string("ptp: zero-size array of shape ") + to_string(shape) + " has no extremes");
  }
  return detail::reduce<detail::range_reducer, detail::computed_in<T>, T>(x, axes, options.keepdims, 0, "ptp");
}
GNP_AXES_FIRST(ptp, reduce_options)

/// Where the smallest element is, the first of several; NaN counts as smallest. Without an axis, in the
/// flattened array.
template <array_like X>
array<std::int64_t> argmin(const X& x, const reduce_options& options = {}) {
  return detail::reduce_to_position<detail::argmin_reducer>(x, options, "argmin");
}
GNP_AXES_FIRST(argmin, reduce_options)
/// Where the largest element is, the first of several; NaN counts as largest.
template <array_like X>
array<std::int64_t> argmax(const X& x, const reduce_options& options = {}) {
  return detail::reduce_to_position<detail::argmax_reducer>(x, options, "argmax");
}
GNP_AXES_FIRST(argmax, reduce_options)

/// Is any element other than zero?
template <array_like X>
array<bool> any(const X& x, const reduce_options& options = {}) {
  return detail::reduce_with<detail::any_reducer, bool>(x, options, 0, "any");
}
GNP_AXES_FIRST(any, reduce_options)

namespace detail {

template <array_like X>
array<bool> all_along(const X& x, const reduce_options& options) {
  return reduce_with<all_reducer, bool>(x, options, 0, "all");
}

}  // namespace detail

template <class X>
auto all_t::operator()(const X& x, const reduce_options& options) const {
  return detail::all_along(x, options);
}
template <class X>
auto all_t::operator()(const X& x, const axes_t& axis, const reduce_options& options) const {
  return detail::all_along(x, {.axis = axis, .keepdims = options.keepdims});
}

/// How many elements are other than zero.
template <array_like X>
array<std::int64_t> count_nonzero(const X& x, const reduce_options& options = {}) {
  return detail::reduce_with<detail::plain_sum_reducer, std::int64_t>(x.template astype<bool>(), options, 0,
                                                                      "count_nonzero");
}
GNP_AXES_FIRST(count_nonzero, reduce_options)

// The same as members.
GNP_MEMBER_ALONG_AXES_BODY(sum, sum_options)
GNP_MEMBER_ALONG_AXES_BODY(prod, sum_options)
GNP_MEMBER_ALONG_AXES_BODY(mean, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(var, var_options)
GNP_MEMBER_ALONG_AXES_BODY(std, var_options)
GNP_MEMBER_ALONG_AXES_BODY(ptp, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(min, sum_options)
GNP_MEMBER_ALONG_AXES_BODY(max, sum_options)
GNP_MEMBER_ALONG_AXES_BODY(argmin, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(argmax, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(any, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(all, reduce_options)

}}  // namespace gnp::GNP_ABI
