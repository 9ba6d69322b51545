// SPDX-License-Identifier: MIT
// The options of reductions and scans, NumPy's keyword arguments: sum(x, {.axis = 1, .keepdims = true}).
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/core/number.hpp>

namespace gnp::inline GNP_ABI {

/// mean, any, all, argmin and their like.
struct reduce_options {
  axes_t axis = {};
  bool keepdims = false;
};

/// sum, prod, min, max: `initial` takes part as one more element.
struct sum_options {
  axes_t axis = {};
  bool keepdims = false;
  number initial = {};
};

/// var and std divide by the count less `ddof`.
struct var_options {
  axes_t axis = {};
  double ddof = 0;
  bool keepdims = false;
};

/// cumsum and cumprod: along one axis, or along the flattened array.
struct scan_options {
  axes_t axis = {};
};

}  // namespace gnp::inline GNP_ABI
