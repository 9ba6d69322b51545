// SPDX-License-Identifier: MIT
// The options of reductions and scans, like NumPy's keyword arguments: sum(x, {.axis = 1, .keepdims = true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/number.hpp>

namespace gnp { inline namespace GNP_ABI {

/// mean, any, all, argmin and their like.
struct reduce_options {
  by_name only = by_name();
  axes_t axis = none;
  bool keepdims = false;
};

/// sum, prod, min, max: `initial` takes part as one more element.
struct sum_options {
  by_name only = by_name();
  axes_t axis = none;
  bool keepdims = false;
  number initial = {};
};

/// var and std divide by the count minus `ddof`.
struct var_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::any_real ddof = 0;
  bool keepdims = false;
};

// The same with a mask, {.where = c}: routines/masked_reductions.hpp.
struct masked_reduce_options;
struct masked_sum_options;
struct masked_var_options;

/// cumsum and cumprod: along one axis, or along the flattened array.
struct scan_options {
  by_name only = by_name();
  axes_t axis = none;
};

}}  // namespace gnp::GNP_ABI
