// SPDX-License-Identifier: MIT
// Reductions: sum, prod, mean, var, std, min, max, argmin, argmax, any, all and similar functions, along any
// axes. They take arrays, and expressions, whose elements are computed while they are reduced and never stored.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/reduce_options.hpp>
#include <gnp/exec/statement/run.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/manipulation.hpp>

namespace gnp { inline namespace GNP_ABI {

template <class E>
class rolled;

namespace detail {

/// The type in which NumPy sums elements of T: 64 bits for integers; other types stay as they are.
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

/// The type of x's elements, or the requested type.
template <class R, class X>
using asked_type = std::conditional_t<std::is_void_v<R>, typename X::value_type, R>;

/// x, or x.astype<R>() if another type is requested.
template <class R, array_like X>
decltype(auto) in_type(const X& x) {
  if constexpr (std::is_void_v<R> || std::is_same_v<R, typename X::value_type>) {
    return (x);
  } else {
    return x.template astype<R>();
  }
}
template <class R, class X>
using in_type_t = std::remove_cvref_t<decltype(in_type<R>(std::declval<const X&>()))>;

/// x in the form in which a reduction stores it.
template <array_like X>
decltype(auto) reducible(const X& x) {
  if constexpr (std::is_same_v<reducible_t<X>, X>) {
    return (x);
  } else {
    return reducible_t<X>(x);
  }
}

/// A reduction of X by a reducer that computes in A, with results of type R.
template <class Tag, class X, class R, class A = R>
using reduction_of = std::conditional_t<is_rolled_v<X>, array<R>, reduced<Tag, A, R, reducible_t<X>>>;

/// That of a rolled formula, which is computed at once (routines/rolled_reductions.hpp).
template <class Tag, class R, class A, class E>
array<R> reduce_rolled(const rolled<E>& x, const reduction_options& options);

template <class Tag, class R, class A = R, array_like X, class Options>
reduction_of<Tag, X, R, A> reduce_with(const X& x, const Options& options, double parameter,
                                       const char* function) {
  reduction_options o{.axes = reduced_axes(options.axis, x.ndim(), function),
                      .rank = x.ndim(),
                      .keepdims = options.keepdims,
                      .parameter = parameter,
                      .function = function};
  if constexpr (requires { options.initial; }) {
    if constexpr (is_integer(dtype_of<R>)) require_whole_part_fits(options.initial, dtype_of<R>, function);
    o.initial = options.initial;
  }
  if constexpr (is_rolled_v<X>) {
    return reduce_rolled<Tag, R, A>(x, o);
  } else {
    return {reducible(x), o};
  }
}

/// Throws if there is nothing to reduce, for a reduction that has no identity.
GNP_DECLARED void require_elements(const shape_t& shape, const axis_set& axes, const char* function);
/// The same for one that finds the position of an element.
GNP_DECLARED void require_position(const shape_t& shape, const axis_set& axes, const char* function);

/// For reductions without an identity, which need at least one element or an initial value.
template <class Tag, array_like X>
reduction_of<Tag, X, typename X::value_type, computed_in<typename X::value_type>> reduce_to_extreme(
    const X& x, const sum_options& options, const char* function) {
  using T = typename X::value_type;
  if (!options.initial.given())
    require_elements(x.shape(), reduced_axes(options.axis, x.ndim(), function), function);
  return reduce_with<Tag, T, computed_in<T>>(x, options, 0, function);
}

template <class Tag, array_like X>
reduction_of<Tag, X, std::int64_t, computed_in<typename X::value_type>> reduce_to_position(
    const X& x, const reduce_options& options, const char* function) {
  require_one_axis_or_none(options.axis, function);
  require_position(x.shape(), reduced_axes(options.axis, x.ndim(), function), function);
  return reduce_with<Tag, std::int64_t, computed_in<typename X::value_type>>(x, options, 0, function);
}

// The types that the functions below return, by operand type and requested type.
template <class T>
using sum_reducer_for =
    std::conditional_t<is_inexact_v<T> && !is_16_bit_float<T>, sum_reducer, plain_sum_reducer>;
template <class T>
using mean_reducer_for = std::conditional_t<is_16_bit_float<T>, plain_mean_reducer, mean_reducer>;
template <class R, class X>
using sum_result = std::conditional_t<std::is_void_v<R>, summed_type<typename X::value_type>, R>;
template <class R, class X, class T = summed_type<asked_type<R, X>>>
using sum_of = reduction_of<sum_reducer_for<T>, in_type_t<R, X>, sum_result<R, X>, computed_in<T>>;
template <class R, class X, class T = summed_type<asked_type<R, X>>>
using product_of = reduction_of<product_reducer, in_type_t<R, X>, sum_result<R, X>, computed_in<T>>;
template <class R, class X, class T = averaged_type<asked_type<R, X>>>
using mean_of = reduction_of<mean_reducer_for<T>, in_type_t<R, X>, T, computed_in<T>>;
template <class Tag, class R, class X, class T = averaged_type<asked_type<R, X>>>
using spread_of = reduction_of<Tag, in_type_t<R, X>, type_of<real_part_of(dtype_of<T>)>, computed_in<T>>;
/// A number or an array, but not an axis.
template <class Y>
concept no_axis =
    (scalar_like<Y> && !integer_number<Y>) || (array_like<Y> && !integer_number<typename Y::value_type>);

template <class Tag, class X>
using extreme_of = reduction_of<Tag, X, typename X::value_type, computed_in<typename X::value_type>>;
template <class Tag, class X>
using place_of_extreme = reduction_of<Tag, X, std::int64_t, computed_in<typename X::value_type>>;

}  // namespace detail

namespace detail {

/// sum, prod and mean for the functions that are made of them, whose names their errors say.
template <class R, array_like X>
sum_of<R, X> sum_in_name(const X& x, const sum_options& options, const char* function) {
  using T = summed_type<asked_type<R, X>>;
  return reduce_with<sum_reducer_for<T>, sum_result<R, X>, computed_in<T>>(in_type<R>(x), options, 0, function);
}
template <class R, array_like X>
product_of<R, X> product_in_name(const X& x, const sum_options& options, const char* function) {
  using T = summed_type<asked_type<R, X>>;
  return reduce_with<product_reducer, sum_result<R, X>, computed_in<T>>(in_type<R>(x), options, 0, function);
}
template <class R, array_like X>
mean_of<R, X> mean_in_name(const X& x, const reduce_options& options, const char* function) {
  using T = averaged_type<asked_type<R, X>>;
  const shape_t shape = x.shape();
  const auto count = static_cast<double>(reduced_length(shape, axis_set(options.axis, shape.rank(), function)));
  return reduce_with<mean_reducer_for<T>, T, computed_in<T>>(in_type<R>(x), options, count, function);
}

}  // namespace detail

/// The sum; integers are added in 64 bits, halves in float. sum<double>(x) converts first, and gives a double.
/// Float sums are compensated.
template <class R = void, array_like X>
detail::sum_of<R, X> sum(const X& x, const sum_options& options = {}) {
  return detail::sum_in_name<R>(x, options, "sum");
}
GNP_AXES_FIRST(sum, sum_options)
GNP_TAKES_LISTS_OF_ARRAYS(sum, sum_options)
GNP_REFUSES_DTYPES(sum)

/// The product, in the types of sum.
template <class R = void, array_like X>
detail::product_of<R, X> prod(const X& x, const sum_options& options = {}) {
  return detail::product_in_name<R>(x, options, "prod");
}
GNP_AXES_FIRST(prod, sum_options)
GNP_TAKES_LISTS_OF_ARRAYS(prod, sum_options)
GNP_REFUSES_DTYPES(prod)

/// The mean; a double for integers.
template <class R = void, array_like X>
detail::mean_of<R, X> mean(const X& x, const reduce_options& options = {}) {
  return detail::mean_in_name<R>(x, options, "mean");
}
GNP_AXES_FIRST(mean, reduce_options)
GNP_TAKES_LISTS_OF_ARRAYS(mean, reduce_options)
GNP_REFUSES_DTYPES(mean)

/// The variance, in one pass over the data: the mean squared distance from the mean.
template <class R = void, array_like X>
detail::spread_of<detail::var_reducer, R, X> var(const X& x, const var_options& options = {}) {
  using T = detail::averaged_type<detail::asked_type<R, X>>;
  detail::require_axes(options.axis, x.ndim(), "var");
  return detail::reduce_with<detail::var_reducer, type_of<detail::real_part_of(dtype_of<T>)>,
                             detail::computed_in<T>>(detail::in_type<R>(x), options, options.less("var"),
                                                     "var");
}
GNP_AXES_FIRST(var, var_options)
GNP_TAKES_LISTS_OF_ARRAYS(var, var_options)
GNP_REFUSES_DTYPES(var)

/// The standard deviation: the root of the variance.
template <class R = void, array_like X>
detail::spread_of<detail::std_reducer, R, X> std(const X& x, const var_options& options = {}) {
  using T = detail::averaged_type<detail::asked_type<R, X>>;
  detail::require_axes(options.axis, x.ndim(), "std");
  return detail::reduce_with<detail::std_reducer, type_of<detail::real_part_of(dtype_of<T>)>,
                             detail::computed_in<T>>(detail::in_type<R>(x), options, options.less("std"),
                                                     "std");
}
GNP_AXES_FIRST(std, var_options)
GNP_TAKES_LISTS_OF_ARRAYS(std, var_options)
GNP_REFUSES_DTYPES(std)

/// The smallest element; NaN if there is a NaN.
template <array_like X>
detail::extreme_of<detail::min_reducer, X>(min)(const X& x, const sum_options& options = {}) {
  return detail::reduce_to_extreme<detail::min_reducer>(x, options, "min");
}
GNP_AXES_FIRST(min, sum_options)
GNP_TAKES_LISTS_OF_ARRAYS(min, sum_options)
/// min of two values, as in C++. Exists only for its error message.
template <array_like X, class Y>
  requires detail::no_axis<Y>
array<typename X::value_type>(min)(const X& x, const Y&) {
  static_assert(
      !detail::no_axis<Y>,
      "gnp: min(x, axis) reduces along an axis; the smaller of two, element by element, is gnp::minimum(x, y)");
  return x;
}
/// The largest element; NaN if there is a NaN.
template <array_like X>
detail::extreme_of<detail::max_reducer, X>(max)(const X& x, const sum_options& options = {}) {
  return detail::reduce_to_extreme<detail::max_reducer>(x, options, "max");
}
GNP_AXES_FIRST(max, sum_options)
GNP_TAKES_LISTS_OF_ARRAYS(max, sum_options)
/// max of two values, as in C++. Exists only for its error message.
template <array_like X, class Y>
  requires detail::no_axis<Y>
array<typename X::value_type>(max)(const X& x, const Y&) {
  static_assert(
      !detail::no_axis<Y>,
      "gnp: max(x, axis) reduces along an axis; the larger of two, element by element, is gnp::maximum(x, y)");
  return x;
}
template <array_like X>
detail::extreme_of<detail::min_reducer, X> amin(const X& x, const sum_options& options = {}) {
  return detail::reduce_to_extreme<detail::min_reducer>(x, options, "amin");
}
GNP_AXES_FIRST(amin, sum_options)
template <array_like X>
detail::extreme_of<detail::max_reducer, X> amax(const X& x, const sum_options& options = {}) {
  return detail::reduce_to_extreme<detail::max_reducer>(x, options, "amax");
}
GNP_AXES_FIRST(amax, sum_options)

/// The distance from the smallest to the largest element, in one pass.
template <array_like X>
detail::extreme_of<detail::range_reducer, X> ptp(const X& x, const reduce_options& options = {}) {
  using T = typename X::value_type;
  if (detail::reduced_length(x.shape(), detail::reduced_axes(options.axis, x.ndim(), "ptp")) == 0) {
    throw shape_error(std::string("ptp: zero-size array of shape ") + to_string(x.shape()) +
                      " has no extremes");
  }
  return detail::reduce_with<detail::range_reducer, T, detail::computed_in<T>>(x, options, 0, "ptp");
}
GNP_AXES_FIRST(ptp, reduce_options)

/// The position of the smallest element, or of the first of several; NaN counts as the smallest. Without an
/// axis, it is the position in the flattened array.
template <array_like X>
detail::place_of_extreme<detail::argmin_reducer, X> argmin(const X& x, const reduce_options& options = {}) {
  return detail::reduce_to_position<detail::argmin_reducer>(x, options, "argmin");
}
GNP_AXES_FIRST(argmin, reduce_options)
/// The position of the largest element, or of the first of several; NaN counts as the largest.
template <array_like X>
detail::place_of_extreme<detail::argmax_reducer, X> argmax(const X& x, const reduce_options& options = {}) {
  return detail::reduce_to_position<detail::argmax_reducer>(x, options, "argmax");
}
GNP_AXES_FIRST(argmax, reduce_options)

/// Is any element nonzero?
template <array_like X>
detail::reduction_of<detail::any_reducer, X, bool> any(const X& x, const reduce_options& options = {}) {
  return detail::reduce_with<detail::any_reducer, bool>(x, options, 0, "any");
}
GNP_AXES_FIRST(any, reduce_options)
GNP_TAKES_LISTS_OF_ARRAYS(any, reduce_options)

namespace detail {

template <array_like X>
reduction_of<all_reducer, X, bool> all_along(const X& x, const reduce_options& options) {
  return reduce_with<all_reducer, bool>(x, options, 0, "all");
}

}  // namespace detail

template <class X>
auto all_t::operator()(const X& x, const reduce_options& options) const {
  using detail::all_along;  // or the function for distributed arrays, found by argument-dependent look-up
  return all_along(x, options);
}
template <class X>
auto all_t::operator()(const X& x, const axes_t& axis, const reduce_options& options) const {
  using detail::all_along;
  return all_along(x, reduce_options{.axis = axis, .keepdims = options.keepdims});
}

/// The number of nonzero elements.
template <array_like X>
auto count_nonzero(const X& x, const reduce_options& options = {}) {
  if constexpr (std::is_same_v<typename X::value_type, bool>) {
    return detail::reduce_with<detail::plain_sum_reducer, std::int64_t>(x, options, 0, "count_nonzero");
  } else {
    return detail::reduce_with<detail::count_reducer, std::int64_t>(x, options, 0, "count_nonzero");
  }
}
GNP_AXES_FIRST(count_nonzero, reduce_options)

// The same functions as members.
GNP_TYPED_MEMBER_ALONG_AXES_BODY(sum, sum_options)
GNP_TYPED_MEMBER_ALONG_AXES_BODY(prod, sum_options)
GNP_TYPED_MEMBER_ALONG_AXES_BODY(mean, reduce_options)
GNP_TYPED_MEMBER_ALONG_AXES_BODY(var, var_options)
GNP_TYPED_MEMBER_ALONG_AXES_BODY(std, var_options)
GNP_MEMBER_ALONG_AXES_BODY(ptp, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(min, sum_options)
GNP_MEMBER_ALONG_AXES_BODY(max, sum_options)
GNP_MEMBER_ALONG_AXES_BODY(argmin, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(argmax, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(any, reduce_options)
GNP_MEMBER_ALONG_AXES_BODY(all, reduce_options)

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void require_elements(const shape_t& shape, const axis_set& axes, const char* function) {
  if (reduced_length(shape, axes) == 0) {
    throw shape_error(std::string(function) + ": zero-size array of shape " + to_string(shape) +
                      " to reduction operation " + function + " which has no identity");
  }
}

GNP_INLINE void require_position(const shape_t& shape, const axis_set& axes, const char* function) {
  if (reduced_length(shape, axes) == 0) {
    throw shape_error(std::string(function) + ": attempt to get " + function + " of an empty sequence, shape " +
                      to_string(shape));
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
