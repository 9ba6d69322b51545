// SPDX-License-Identifier: MIT
// The weights of the values in sorted rows, added up from the least value on.
#pragma once

#include <gnp/routines/average.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/scans.hpp>
#include <gnp/statistics/weighted_quantile.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE array<double> weight_rows(const shape_t& shape, const array<double>& weights,
                                             const axes_t& axis, const quantile_method& method,
                                             const char* function) {
  if (method.number() != 0) {
    throw error(std::string(function) + ": only method 'inverted_cdf' supports weights, got: " + method.name());
  }
  const array<double> along = weights_along(weights, shape, axis, function);
  if (any(weights < 0).item()) throw error(std::string(function) + ": weights must be non-negative");
  return axes_as_rows(along, axis_set(axis, shape.rank(), function));
}

GNP_DEFINED_ON_USE array<double> in_order(const array<double>& weights, const array<index_t>& order) {
  return take_along_axis(weights, order, -1);
}

GNP_DEFINED_ON_USE weights_so_far add_up_weights(const array<double>& weights) {
  const array<double> sums = cumsum(weights, -1);
  const array<double> parts(sums / sums(ellipsis, slice(-1, none)));
  return {parts, isnan(parts(ellipsis, -1))};
}

GNP_DEFINED_ON_USE void refuse_weights(const array<bool>& bad, const char* function) {
  if (any(bad).item()) throw error(std::string(function) + ": weights included NaN, inf or were all zero");
}

GNP_DEFINED_ON_USE array<index_t> places_of_part(const array<double>& parts, double part, index_t length) {
  // A place before the first positive weight does not count, not even for quantile 0.
  const auto before = sum(parts < part || parts == 0.0, -1, {.keepdims = true});
  return minimum(before, length - 1);
}

}}}  // namespace gnp::GNP_ABI::detail
