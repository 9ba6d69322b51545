// SPDX-License-Identifier: MIT
// quantile and percentile: the values below which given fractions of all values lie.
#pragma once

#include <gnp/core/axes_first.hpp>
#include <gnp/statistics/median.hpp>
#include <gnp/statistics/quantile_place.hpp>
#include <gnp/statistics/weighted_quantile.hpp>

namespace gnp { inline namespace GNP_ABI {

/// quantile, percentile and the forms that leave NaN out.
struct quantile_options {
  by_name only = by_name();
  axes_t axis = none;
  quantile_method method = {};
  bool keepdims = false;
  observation_weights weights = {};  // with method inverted_cdf
};

namespace detail {

/// The quantiles asked for: one number, or several, whose axes come first in the result.
struct asked_quantiles {
  std::vector<double> values;
  shape_t shape;
};

/// Quantiles that are given as numbers from 0 to `whole`.
GNP_DECLARED_ON_USE asked_quantiles checked_quantiles(asked_quantiles asked, double whole,
                                                      const char* function);

template <class Q>
asked_quantiles quantiles_from(const Q& q, double whole, const char* function) {
  asked_quantiles asked;
  if constexpr (scalar_like<Q>) {
    asked.values.resize(1, static_cast<double>(q));
  } else {
    const use_device guard(device::cpu());  // a list stays on the host
    const auto list = asarray(q);
    asked.shape = list.shape();
    asked.values = to_vector(in_type<double>(list));
  }
  return checked_quantiles(std::move(asked), whole, function);
}

/// The type of a quantile: floating-point types stay as they are, integers become double.
template <class T>
using quantile_type = std::conditional_t<is_floating(dtype_of<T>), T, double>;

/// Interpolates between two neighbours, from the nearer of them.
template <class R, class T>
array<R> between(const array<T>& below, const array<T>& above, double share) {
  const auto& a = in_type<averaged_type<T>>(below);
  const auto& b = in_type<averaged_type<T>>(above);
  const auto distance = in_type<R>(b - a);
  if (share >= 0.5) return array<R>(in_type<R>(b) - distance * (1 - share));
  return array<R>(in_type<R>(a) + distance * share);
}

template <class R, class T>
array<R> quantiles_of_rows(const statistic_rows<T>& rows, const asked_quantiles& asked,
                           const quantile_method& method, const char* function) {
  const index_t last = rows.length - 1;
  const auto n = static_cast<double>(rows.length);
  const double number = method.number();
  std::vector<index_t> ranks{last};
  for (const double q : asked.values) {
    const double place = scalar::quantile_place(n, q, number);
    ranks.push_back(static_cast<index_t>(scalar::rank_below(n, place)));
    ranks.push_back(static_cast<index_t>(scalar::rank_above(n, place)));
  }
  const order_statistics<T> sorted(rows.rows, ranks, function);
  shape_t shape = sorted.of(last).shape();
  shape.insert(0, static_cast<index_t>(asked.values.size()));
  const array<R> result(shape, rows.rows.device(), function);
  for (std::size_t i = 0; i < asked.values.size(); ++i) {
    const double share = scalar::share_of_above(scalar::quantile_place(n, asked.values[i], number), number);
    const array<T> below = sorted.of(ranks[2 * i + 1]);
    const array<T> above = sorted.of(ranks[2 * i + 2]);
    const bool exact = share == 0 || ranks[2 * i + 1] == ranks[2 * i + 2];
    result(static_cast<index_t>(i))
        .assign(unless_last_is_nan<R>(sorted.of(last),
                                      exact ? array<R>(in_type<R>(below)) : between<R>(below, above, share)));
  }
  return result;
}

/// The axes of the quantiles asked for, then those of the array that stay.
inline shape_t quantile_shape(const asked_quantiles& asked, const shape_t& kept) {
  shape_t shape = asked.shape;
  for (const index_t size : kept) shape.push_back(size);
  return shape;
}

template <array_like X>
auto checked_values(const X& x) {
  using T = typename X::value_type;
  static_assert(!is_complex(dtype_of<T>), "gnp: quantiles are of real values: complex numbers have no order");
  return array<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>(
      in_type<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>(x));
}

template <class X, class Q>
auto quantile_of(const X& x, const Q& q, double whole, const quantile_options& options, const char* function) {
  options.method.require_known(function);
  const auto values = checked_values(x);
  using T = typename std::remove_const_t<decltype(values)>::value_type;
  using R = quantile_type<T>;
  const asked_quantiles asked = quantiles_from(q, whole, function);
  const auto rows = rows_along(values, options.axis, options.keepdims, function);
  const shape_t shape = quantile_shape(asked, rows.kept);
  if (element_count(shape, function) == 0) return array<R>(shape, values.device(), function);
  if (rows.length == 0) {
    throw shape_error(std::string(function) + ": no quantile of an array of shape " + to_string(x.shape()) +
                      ", which is empty along these axes");
  }
  if (options.weights.given()) {
    const array<double> weights = weight_rows(values.shape(), options.weights.on(values.device()), options.axis,
                                              options.method, function);
    return shaped(weighted_quantiles<R>(rows, weights, asked.values, false, function), shape);
  }
  return shaped(quantiles_of_rows<R>(rows, asked, options.method, function), shape);
}

}  // namespace detail

/// The quantiles q (from 0 to 1) along axes. q is a number, or several: an array or {0.25, 0.5, 0.75}, whose
/// axes come first in the result. NaN if there is a NaN. The methods are NumPy's thirteen; weights work only
/// with inverted_cdf.
template <array_like X, class Q = std::vector<double>>
auto quantile(const X& x, const Q& q, const quantile_options& options = {}) {
  return detail::quantile_of(x, q, 1, options, "quantile");
}
template <array_like X, class Q = std::vector<double>>
auto quantile(const X& x, const Q& q, const axes_t& axis, quantile_options options = {}) {
  options.axis = axis;
  return quantile(x, q, static_cast<const quantile_options&>(options));
}

/// The same with q from 0 to 100.
template <array_like X, class Q = std::vector<double>>
auto percentile(const X& x, const Q& q, const quantile_options& options = {}) {
  return detail::quantile_of(x, q, 100, options, "percentile");
}
template <array_like X, class Q = std::vector<double>>
auto percentile(const X& x, const Q& q, const axes_t& axis, quantile_options options = {}) {
  options.axis = axis;
  return percentile(x, q, static_cast<const quantile_options&>(options));
}

GNP_REFUSES_VECTORS_BESIDE_A_LIST(quantile, quantile_options)
GNP_REFUSES_VECTORS_BESIDE_A_LIST(percentile, quantile_options)
GNP_REFUSES_METHODS(quantile)
GNP_REFUSES_METHODS(percentile)
GNP_TAKES_VALUES(quantile)
GNP_TAKES_VALUES(percentile)
GNP_TAKES_VALUES_BESIDE(quantile, (const std::vector<double>& q, const quantile_options& options = {}),
                        (q, options))
GNP_TAKES_VALUES_BESIDE(quantile, (detail::any_real q, const quantile_options& options), (double(q), options))
GNP_TAKES_VALUES_BESIDE(percentile, (const std::vector<double>& q, const quantile_options& options = {}),
                        (q, options))
GNP_TAKES_VALUES_BESIDE(percentile, (detail::any_real q, const quantile_options& options), (double(q), options))

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/statistics/checked_quantiles.hpp>
#endif
