// SPDX-License-Identifier: MIT
// Quantiles of weighted values by the method inverted_cdf: the first value at which the running sum of the
// weights reaches the given fraction of their total.
#pragma once

#include <gnp/routines/indexing.hpp>
#include <gnp/statistics/median.hpp>
#include <gnp/statistics/observation_weights.hpp>
#include <gnp/statistics/quantile_place.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The weights of the values, with the axes that a statistic runs along as the last axis.
GNP_DECLARED_ON_USE array<double> weight_rows(const shape_t& shape, const array<double>& weights,
                                              const axes_t& axis, const quantile_method& method,
                                              const char* function);
GNP_DECLARED_ON_USE array<double> in_order(const array<double>& weights, const array<index_t>& order);

/// The fraction of a row's total weight that is reached at each element; and the rows where it is not a number.
struct weights_so_far {
  array<double> parts;
  array<bool> nothing;
};
GNP_DECLARED_ON_USE weights_so_far add_up_weights(const array<double>& weights);
GNP_DECLARED_ON_USE void refuse_weights(const array<bool>& bad, const char* function);

/// Where each row reaches this fraction of its total weight.
GNP_DECLARED_ON_USE array<index_t> places_of_part(const array<double>& parts, double part, index_t length);

/// The quantiles of each row, one after the other along a new first axis. Values that are NaN are left out, or
/// make the result NaN.
template <class R, class T>
array<R> weighted_quantiles(const statistic_rows<T>& rows, const array<double>& weights,
                            const std::vector<double>& quantiles, bool without_nan, const char* function) {
  const array<index_t> order = argsorted_rows(rows.rows, false, function);
  const array<T> sorted = take_along_axis(rows.rows, order, -1);
  array<double> weight = in_order(weights, order);
  const array<T> last = sorted(ellipsis, slice(-1, none));
  if constexpr (is_inexact_v<T>) {
    if (without_nan) weight = where(sorted != sorted, 0.0, weight);
  }
  const weights_so_far so_far = add_up_weights(weight);
  array<bool> bad = so_far.nothing;
  if (without_nan) bad = array<bool>(bad && !isnan(sorted(ellipsis, 0)));
  refuse_weights(bad, function);
  shape_t shape = rows.rows.shape();
  shape.pop_back();
  shape.insert(0, static_cast<index_t>(quantiles.size()));
  const array<R> result(shape, rows.rows.device(), function);
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const array<index_t> at = places_of_part(so_far.parts, quantiles[i], rows.length);
    const array<T> found = take_along_axis(sorted, at, -1);
    const array<R> value = without_nan ? array<R>(in_type<R>(found)) : unless_last_is_nan<R>(last, found);
    result(static_cast<index_t>(i)).assign(value(ellipsis, 0));
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/statistics/weights_in_rows.hpp>
#endif
