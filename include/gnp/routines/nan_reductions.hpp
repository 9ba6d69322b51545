// SPDX-License-Identifier: MIT
// nansum, nanmean, nanargmax, nancumsum and similar functions: reductions and scans that ignore NaN.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/routines/scans.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_NUMPY_OPERATION(unless_nan, (x, instead), any, x == x ? x : instead)

namespace detail {

/// x with NaN replaced while it is read.
template <array_like X>
decltype(auto) without_nan(const X& x, int instead) {
  if constexpr (is_inexact_v<typename X::value_type>) {
    return ufunc<operations::unless_nan_ufunc>()(x, instead);
  } else {
    return (x);
  }
}

template <class Tag, array_like X>
array<std::int64_t> reduce_to_number(const X& x, const reduce_options& options, const char* function) {
  const array<std::int64_t> result = reduce_to_position<Tag>(x, options, function);
  // The position is -1 if there is no number.
  if (reduce_with<any_reducer, bool>(result < 0, reduce_options{}, 0, function).item())
    throw error(std::string(function) + ": All-NaN slice encountered, shape " + to_string(x.shape()));
  return result;
}

}  // namespace detail

/// The sum of what is not NaN, in the types of sum.
template <class R = void, array_like X>
auto nansum(const X& x, const sum_options& options = {}) {
  return detail::sum_in_name<R>(detail::without_nan(x, 0), options, "nansum");
}
GNP_AXES_FIRST(nansum, sum_options)
GNP_REFUSES_DTYPES(nansum)

/// The product of what is not NaN, in the types of prod.
template <class R = void, array_like X>
auto nanprod(const X& x, const sum_options& options = {}) {
  return detail::product_in_name<R>(detail::without_nan(x, 1), options, "nanprod");
}
GNP_AXES_FIRST(nanprod, sum_options)
GNP_REFUSES_DTYPES(nanprod)

/// The smallest number; NaN only if there is none.
template <array_like X>
auto nanmin(const X& x, const sum_options& options = {}) {
  using T = typename X::value_type;
  if constexpr (detail::is_inexact_v<T>) {
    return detail::reduce_to_extreme<detail::nanmin_reducer>(x, options, "nanmin");
  } else {
    return detail::reduce_to_extreme<detail::min_reducer>(x, options, "nanmin");
  }
}
GNP_AXES_FIRST(nanmin, sum_options)
/// The largest number; NaN only if there is none.
template <array_like X>
auto nanmax(const X& x, const sum_options& options = {}) {
  using T = typename X::value_type;
  if constexpr (detail::is_inexact_v<T>) {
    return detail::reduce_to_extreme<detail::nanmax_reducer>(x, options, "nanmax");
  } else {
    return detail::reduce_to_extreme<detail::max_reducer>(x, options, "nanmax");
  }
}
GNP_AXES_FIRST(nanmax, sum_options)

/// The position of the smallest number, or of the first of several. Throws if there is no number, so it has to
/// wait.
template <array_like X>
auto nanargmin(const X& x, const reduce_options& options = {}) {
  const detail::asks_for_elements asking("nanargmin");
  if constexpr (detail::is_inexact_v<typename X::value_type>) {
    return detail::reduce_to_number<detail::nanargmin_reducer>(x, options, "nanargmin");
  } else {
    return detail::reduce_to_position<detail::argmin_reducer>(x, options, "nanargmin");
  }
}
GNP_AXES_FIRST(nanargmin, reduce_options)
/// The position of the largest number, or of the first of several. Throws if there is no number, so it has to
/// wait.
template <array_like X>
auto nanargmax(const X& x, const reduce_options& options = {}) {
  const detail::asks_for_elements asking("nanargmax");
  if constexpr (detail::is_inexact_v<typename X::value_type>) {
    return detail::reduce_to_number<detail::nanargmax_reducer>(x, options, "nanargmax");
  } else {
    return detail::reduce_to_position<detail::argmax_reducer>(x, options, "nanargmax");
  }
}
GNP_AXES_FIRST(nanargmax, reduce_options)

/// The mean of what is not NaN; a double for integers.
template <class R = void, array_like X>
auto nanmean(const X& x, const reduce_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = typename std::remove_cvref_t<decltype(elements)>::value_type;
  if constexpr (detail::is_inexact_v<T>) {
    return detail::reduce_with<detail::nanmean_reducer, T, detail::computed_in<T>>(elements, options, 0,
                                                                                   "nanmean");
  } else {
    return mean<R>(x, options);
  }
}
GNP_AXES_FIRST(nanmean, reduce_options)
GNP_REFUSES_DTYPES(nanmean)

/// The variance of what is not NaN; NaN if there are no more than ddof numbers.
template <class R = void, array_like X>
auto nanvar(const X& x, const var_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = typename std::remove_cvref_t<decltype(elements)>::value_type;
  if constexpr (detail::is_inexact_v<T>) {
    return detail::reduce_with<detail::nanvar_reducer, type_of<detail::real_part_of(dtype_of<T>)>,
                               detail::computed_in<T>>(elements, options, options.less("nanvar"), "nanvar");
  } else {
    return var<R>(x, options);
  }
}
GNP_AXES_FIRST(nanvar, var_options)
GNP_REFUSES_DTYPES(nanvar)

/// The standard deviation of what is not NaN.
template <class R = void, array_like X>
auto nanstd(const X& x, const var_options& options = {}) {
  const auto& elements = detail::in_type<R>(x);
  using T = typename std::remove_cvref_t<decltype(elements)>::value_type;
  if constexpr (detail::is_inexact_v<T>) {
    return detail::reduce_with<detail::nanstd_reducer, type_of<detail::real_part_of(dtype_of<T>)>,
                               detail::computed_in<T>>(elements, options, options.less("nanstd"), "nanstd");
  } else {
    return std<R>(x, options);
  }
}
GNP_AXES_FIRST(nanstd, var_options)
GNP_REFUSES_DTYPES(nanstd)

/// The sum of each element and all before it, with NaN counting as 0.
template <class R = void, array_like X>
auto nancumsum(const X& x, const scan_options& options = {}) {
  return detail::scan_along<detail::running_sum_tag, R>(detail::without_nan(x, 0), options, "nancumsum");
}
GNP_AXES_FIRST(nancumsum, scan_options)
GNP_REFUSES_DTYPES(nancumsum)
/// The product of each element and all before it, with NaN counting as 1.
template <class R = void, array_like X>
auto nancumprod(const X& x, const scan_options& options = {}) {
  return detail::scan_along<detail::running_product_tag, R>(detail::without_nan(x, 1), options, "nancumprod");
}
GNP_AXES_FIRST(nancumprod, scan_options)
GNP_REFUSES_DTYPES(nancumprod)

}}  // namespace gnp::GNP_ABI
