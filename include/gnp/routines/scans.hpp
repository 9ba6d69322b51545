// SPDX-License-Identifier: MIT
// Running sums and products: cumsum, cumprod and similar functions.
#pragma once

#include <gnp/exec/scan/scan.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// A scan along one axis or, without one, along the flattened array.
template <class Tag, class A, class R, array_like X>
array<R> scan_as(const X& x, const scan_options& options, const char* function) {
  require_one_axis_or_none(options.axis, function);
  const axes_t axis = axes_within(options.axis, x.ndim());
  const array<R> result = accumulate<Tag, A, R>(x, axis_set(axis, x.ndim(), function), function);
  return axis.given() ? result : result.view({0, {result.size()}, {1}});
}
/// The same in the types of sum, also if another type than x's is requested.
template <class Tag, class R, array_like X>
auto scan_along(const X& x, const scan_options& options, const char* function) {
  using T = summed_type<asked_type<R, X>>;
  return scan_as<Tag, computed_in<T>, sum_result<R, X>>(in_type<R>(x), options, function);
}

}  // namespace detail

/// The running sum: of each element and all elements before it, in the types of sum. cumsum<std::uint8_t>(x)
/// has elements of that type.
template <class R = void, array_like X>
auto cumsum(const X& x, const scan_options& options = {}) {
  return detail::scan_along<detail::running_sum_tag, R>(x, options, "cumsum");
}
GNP_AXES_FIRST(cumsum, scan_options)
GNP_REFUSES_DTYPES(cumsum)
/// The running product: of each element and all elements before it.
template <class R = void, array_like X>
auto cumprod(const X& x, const scan_options& options = {}) {
  return detail::scan_along<detail::running_product_tag, R>(x, options, "cumprod");
}
GNP_AXES_FIRST(cumprod, scan_options)
GNP_REFUSES_DTYPES(cumprod)

GNP_TYPED_MEMBER_ALONG_AXES_BODY(cumsum, scan_options)
GNP_TYPED_MEMBER_ALONG_AXES_BODY(cumprod, scan_options)

}}  // namespace gnp::GNP_ABI
