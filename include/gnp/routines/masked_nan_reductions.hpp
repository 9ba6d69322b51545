// SPDX-License-Identifier: MIT
// The reductions that ignore NaN, of some elements: nansum(x, {.where = c}). The others become NaN while they
// are read.
#pragma once

#include <gnp/routines/masked_reductions.hpp>
#include <gnp/routines/nan_reductions.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// x with NaN where the mask is false.
template <array_like X, class Options>
auto nan_elsewhere(const X& x, const Options& options, const char* function) {
  return chosen(x, options.where, scalar::cast<typename X::value_type>(std::numeric_limits<float>::quiet_NaN()),
                function);
}

}  // namespace detail

// Elements that cannot be NaN have the functions of all elements.
#define GNP_NAN_SUM_OF_SOME(function, otherwise)                                                       \
  template <class R = void, array_like X>                                                              \
  auto function(const X& x, const masked_sum_options& options) {                                       \
    if constexpr (detail::is_inexact_v<typename X::value_type>) {                                      \
      return function<R>(detail::nan_elsewhere(x, options, #function), detail::without_mask(options)); \
    } else {                                                                                           \
      return otherwise<R>(x, options);                                                                 \
    }                                                                                                  \
  }
GNP_NAN_SUM_OF_SOME(nansum, sum)
GNP_NAN_SUM_OF_SOME(nanprod, prod)
#undef GNP_NAN_SUM_OF_SOME

#define GNP_NAN_EXTREME_OF_SOME(function, otherwise)                                                \
  template <array_like X>                                                                           \
  auto function(const X& x, const masked_sum_options& options) {                                    \
    if constexpr (detail::is_inexact_v<typename X::value_type>) {                                   \
      detail::require_initial(options, #function);                                                  \
      return function(detail::nan_elsewhere(x, options, #function), detail::without_mask(options)); \
    } else {                                                                                        \
      return (otherwise)(x, options);                                                               \
    }                                                                                               \
  }
GNP_NAN_EXTREME_OF_SOME(nanmin, min)
GNP_NAN_EXTREME_OF_SOME(nanmax, max)
#undef GNP_NAN_EXTREME_OF_SOME

template <array_like X>
auto nanmean(const X& x, const masked_reduce_options& options) {
  if constexpr (detail::is_inexact_v<typename X::value_type>) {
    return nanmean(detail::nan_elsewhere(x, options, "nanmean"),
                   reduce_options{.axis = options.axis, .keepdims = options.keepdims});
  } else {
    return mean(x, options);
  }
}
#define GNP_NAN_SPREAD_OF_SOME(function, otherwise)                                                          \
  template <array_like X>                                                                                    \
  auto function(const X& x, const masked_var_options& options) {                                             \
    if constexpr (detail::is_inexact_v<typename X::value_type>) {                                            \
      return function(                                                                                       \
          detail::nan_elsewhere(x, options, #function),                                                      \
          var_options{.axis = options.axis, .ddof = options.less(#function), .keepdims = options.keepdims}); \
    } else {                                                                                                 \
      return otherwise(x, options);                                                                          \
    }                                                                                                        \
  }
GNP_NAN_SPREAD_OF_SOME(nanvar, var)
GNP_NAN_SPREAD_OF_SOME(nanstd, std)
#undef GNP_NAN_SPREAD_OF_SOME

// With the axes by position: nansum(x, 0, {.where = c}).
#define GNP_AXES_BEFORE_MASK(function, options_type)                    \
  template <array_like X>                                               \
  auto function(const X& x, const axes_t& axis, options_type options) { \
    options.axis = axis;                                                \
    return function(x, static_cast<const options_type&>(options));      \
  }
GNP_AXES_BEFORE_MASK(nansum, masked_sum_options)
GNP_AXES_BEFORE_MASK(nanprod, masked_sum_options)
GNP_AXES_BEFORE_MASK(nanmin, masked_sum_options)
GNP_AXES_BEFORE_MASK(nanmax, masked_sum_options)
GNP_AXES_BEFORE_MASK(nanmean, masked_reduce_options)
GNP_AXES_BEFORE_MASK(nanvar, masked_var_options)
GNP_AXES_BEFORE_MASK(nanstd, masked_var_options)
#undef GNP_AXES_BEFORE_MASK

}}  // namespace gnp::GNP_ABI
