// SPDX-License-Identifier: MIT
// The options of reductions and scans, like NumPy's keyword arguments: sum(x, {.axis = 1, .keepdims = true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/error.hpp>
#include <gnp/core/number.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

namespace detail {
GNP_REFUSED_OPTION(
    no_dtype_by_name,
    "the type of the elements is a template argument: write gnp::sum<double>(x), gnp::linspace<float>"
    "(0, 1, 5)")
GNP_REFUSED_OPTION(no_out_by_name,
                   "a result goes into an array by assignment: write y(gnp::ellipsis) = gnp::sum(x, 0)")
}  // namespace detail

/// mean, any, all, argmin and their like.
struct reduce_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
  bool keepdims = false;
};

/// sum, prod, min, max: `initial` takes part as one more element.
struct sum_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
  bool keepdims = false;
  number initial = {};
};

namespace detail {
/// `ddof` and its name in the Array API standard, of which one may be given.
GNP_INLINE double one_correction(double ddof, double correction, const char* function) {
  if (ddof != 0 && correction != 0)
    throw error(std::string(function) + ": ddof and correction are two names of one number: give one");
  return ddof + correction;
}
GNP_REFUSED_OPTION(
    no_mean_by_name,
    "var and std find the mean in the same pass, so leave .mean out; the mean square distance from "
    "another value m is gnp::mean(gnp::square(x - m))")
}  // namespace detail

/// var and std divide by the count minus `ddof`, or `correction`.
struct var_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
  detail::any_real ddof = 0;
  bool keepdims = false;
  detail::no_mean_by_name mean = {};
  detail::any_real correction = 0;

  double less(const char* function) const { return detail::one_correction(ddof, correction, function); }
};

// The same with a mask, {.where = c}: routines/masked_reductions.hpp.
struct masked_reduce_options;
struct masked_sum_options;
struct masked_var_options;

/// cumsum and cumprod: along one axis, or along the flattened array.
struct scan_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
};

}}  // namespace gnp::GNP_ABI
