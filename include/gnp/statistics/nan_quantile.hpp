// SPDX-License-Identifier: MIT
// nanmedian, nanquantile and nanpercentile: medians and quantiles of what is not NaN. Rows differ in how many
// such values they have. So each row has its own ranks, which are computed on the device of the values.
#pragma once

#include <gnp/statistics/quantile.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Where a quantile lies in a row of n numbers: the ranks on both sides, and how much of the way to the upper
/// one.
GNP_NUMPY_OPERATION(quantile_rank_below, (n, q, method), always_double,
                    rank_below(n, quantile_place(n, q, method)))
GNP_NUMPY_OPERATION(quantile_rank_above, (n, q, method), always_double,
                    rank_above(n, quantile_place(n, q, method)))
GNP_NUMPY_OPERATION(quantile_share, (n, q, method), always_double,
                    share_of_above(quantile_place(n, q, method), method))

namespace detail {

/// The same for many rows, each with its own count of numbers.
struct ranks_of_quantile {
  array<double> below;
  array<double> above;
  array<double> share;
};
GNP_DECLARED_ON_USE ranks_of_quantile find_ranks(const array<double>& count, double q, double method);

/// Sorted rows, NaN last, and how many elements of each are numbers.
template <class T>
struct numbers_in_rows {
  array<T> sorted;
  array<double> count;  // with the last axis at size 1
  explicit numbers_in_rows(const array<T>& rows, const char* function)
      : sorted(sorted_rows(rows, false, function)),
        count(sum(sorted == sorted, -1, {.keepdims = true}).template astype<double>()) {}
  /// The elements at ranks that differ from row to row.
  template <array_like R>
  array<T> at(const R& ranks) const {
    return take_along_axis(sorted, array<index_t>(ranks.template astype<index_t>()), -1);
  }
};

/// Interpolates between the elements at the ranks on both sides, from the nearer of them. (All types are
/// template parameters, so that only those who call this compile it.)
template <class R, class T, class D>
array<R> between_ranks(const array<T>& a, const array<T>& b, const array<D>& below, const array<D>& above,
                       const array<D>& share) {
  const auto t = in_type<R>(share);
  const auto rest = in_type<R>(1 - share);
  const auto distance = in_type<R>(b - a);
  const array<R> mixed = where(share >= 0.5, in_type<R>(b) - distance * rest, in_type<R>(a) + distance * t);
  return where(share == 0.0 || below == above, in_type<R>(a), mixed);
}

template <class R, class T>
array<R> nan_quantiles_of_rows(const statistic_rows<T>& rows, const asked_quantiles& asked,
                               const quantile_method& method, const char* function) {
  const numbers_in_rows<T> numbers(rows.rows, function);
  const double number = method.number();
  shape_t shape = rows.rows.shape();
  shape.pop_back();
  shape.insert(0, static_cast<index_t>(asked.values.size()));
  const array<R> result(shape, rows.rows.device(), function);
  for (std::size_t i = 0; i < asked.values.size(); ++i) {
    const double q = asked.values[i];
    const ranks_of_quantile ranks = find_ranks(numbers.count, q, number);
    const array<R> value = between_ranks<R>(numbers.at(ranks.below), numbers.at(ranks.above), ranks.below,
                                            ranks.above, ranks.share);
    result(static_cast<index_t>(i)).assign(value(ellipsis, 0));
  }
  return result;
}

template <class X, class Q>
auto nan_quantile_of(const X& x, const Q& q, double whole, const quantile_options& options,
                     const char* function) {
  using T = typename X::value_type;
  options.method.require_known(function);
  if constexpr (!is_floating(dtype_of<T>)) {
    if (x.size() == 0) {
      const auto rows = rows_along(checked_values(x), options.axis, options.keepdims, function);
      const shape_t shape = quantile_shape(quantiles_from(q, whole, function), rows.kept);
      if (rows.length == 0) return all_nan<double>(shape, x.device(), function);
    }
    return quantile_of(x, q, whole, options, function);
  } else {
    using R = quantile_type<T>;
    const asked_quantiles asked = quantiles_from(q, whole, function);
    const auto rows = rows_along(x, options.axis, options.keepdims, function);
    const shape_t shape = quantile_shape(asked, rows.kept);
    if (element_count(shape, function) == 0 || rows.length == 0) return all_nan<R>(shape, x.device(), function);
    if (options.weights.given()) {
      const array<double> weights =
          weight_rows(x.shape(), options.weights.on(x.device()), options.axis, options.method, function);
      return shaped(weighted_quantiles<R>(rows, weights, asked.values, true, function), shape);
    }
    return shaped(nan_quantiles_of_rows<R>(rows, asked, options.method, function), shape);
  }
}

}  // namespace detail

/// The median of what is not NaN; NaN if there is nothing but NaN.
template <array_like X>
auto nanmedian(const X& x, const reduce_options& options = {}) {
  using T = typename X::value_type;
  if constexpr (!detail::is_inexact_v<T>) {
    return median(x, options);
  } else {
    const auto rows = detail::rows_along(x, options.axis, options.keepdims, "nanmedian");
    if (rows.rows.size() == 0) return detail::all_nan<T>(rows.kept, rows.rows.device(), "nanmedian");
    const detail::numbers_in_rows<T> numbers(rows.rows, "nanmedian");
    const auto last = maximum(numbers.count - 1, 0.0);
    const array<T> middle =
        detail::middle_of<T>(numbers.at(floor(last / 2)), numbers.at(floor(minimum(numbers.count / 2, last))));
    return detail::shaped(middle, rows.kept);
  }
}
GNP_AXES_FIRST(nanmedian, reduce_options)
GNP_REFUSES_METHODS(nanquantile)
GNP_REFUSES_METHODS(nanpercentile)

/// quantile() of what is not NaN.
template <array_like X, class Q = std::vector<double>>
auto nanquantile(const X& x, const Q& q, const quantile_options& options = {}) {
  return detail::nan_quantile_of(x, q, 1, options, "nanquantile");
}
template <array_like X, class Q = std::vector<double>>
auto nanquantile(const X& x, const Q& q, const axes_t& axis, quantile_options options = {}) {
  options.axis = axis;
  return nanquantile(x, q, static_cast<const quantile_options&>(options));
}

/// percentile() of what is not NaN.
template <array_like X, class Q = std::vector<double>>
auto nanpercentile(const X& x, const Q& q, const quantile_options& options = {}) {
  return detail::nan_quantile_of(x, q, 100, options, "nanpercentile");
}
template <array_like X, class Q = std::vector<double>>
auto nanpercentile(const X& x, const Q& q, const axes_t& axis, quantile_options options = {}) {
  options.axis = axis;
  return nanpercentile(x, q, static_cast<const quantile_options&>(options));
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/statistics/ranks_of_quantile.hpp>
#endif
