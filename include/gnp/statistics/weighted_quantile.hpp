// SPDX-License-Identifier: MIT
// Quantiles of weighted values, by the method inverted_cdf: the first value at which the weights so far are
// that part of all of them.
#pragma once

#include <gnp/routines/average.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/scans.hpp>
#include <gnp/statistics/median.hpp>
#include <gnp/statistics/observation_weights.hpp>
#include <gnp/statistics/quantile_place.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Weights beside the values, with the axes that a statistic runs along as their last one.
GNP_ON_USE array<double> weight_rows(const shape_t& shape, const array<double>& weights, const axes_t& axis,
                                     const quantile_method& method, const char* function) {
  if (method.number() != 0) {
    throw error(std::string(function) + ": only method 'inverted_cdf' supports weights, got: " + method.name());
  }
  const array<double> along = weights_along(weights, shape, axis, function);
  if (any(weights < 0).item()) throw error(std::string(function) + ": weights must be non-negative");
  return axes_as_rows(along, axis_set(axis, shape.rank(), function));
}

/// The quantiles of each row, one after the other along a new first axis. Values that are NaN are left out, or
/// make the result NaN.
template <class R, class T>
array<R> weighted_quantiles(const statistic_rows<T>& rows, const array<double>& weights,
                            const std::vector<double>& quantiles, bool without_nan, const char* function) {
  const array<index_t> order = argsorted_rows(rows.rows, false, function);
  const array<T> sorted = take_along_axis(rows.rows, order, -1);
  array<double> weight = take_along_axis(weights, order, -1);
  const array<T> last = sorted(ellipsis, slice(-1, none));
  if constexpr (is_inexact_v<T>) {
    if (without_nan) weight = where(sorted != sorted, 0.0, weight);
  }
  const array<double> so_far = cumsum(weight, -1);
  const array<double> parts(so_far / so_far(ellipsis, slice(-1, none)));
  const auto nothing = isnan(parts(ellipsis, -1));
  if (any(without_nan ? array<bool>(nothing && !isnan(sorted(ellipsis, 0))) : array<bool>(nothing)).item())
    throw error(std::string(function) + ": weights included NaN, inf or were all zero");
  shape_t shape = rows.rows.shape();
  shape.pop_back();
  shape.insert(0, static_cast<index_t>(quantiles.size()));
  const array<R> result(shape, rows.rows.device(), function);
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    // Where no weight has come yet is not there, not even for quantile 0.
    const auto before = sum(parts < quantiles[i] || parts == 0.0, -1, {.keepdims = true});
    const array<index_t> at = minimum(before, rows.length - 1);
    const array<T> found = take_along_axis(sorted, at, -1);
    const array<R> value = without_nan ? array<R>(in_type<R>(found)) : unless_last_is_nan<R>(last, found);
    result(static_cast<index_t>(i)).assign(value(ellipsis, 0));
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
