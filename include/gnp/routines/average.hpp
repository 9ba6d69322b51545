// SPDX-License-Identifier: MIT
// average: the weighted mean.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/routines/array_or_list.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/reductions.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// average that also returns the sum of the weights: {.returned = true}. If the option is named, there are two
/// results.
struct average_options {
  by_name only = by_name();
  axes_t axis = none;
  /// `returned` has no default: options without it are reduce_options.
  struct choice {
    consteval choice(bool wanted) {
      if (!wanted) throw "gnp: average with .returned has two results: leave it out for one";
    }
  };
  choice returned;
  bool keepdims = false;
};

namespace detail {

/// The type in which weights of type W are kept as an option: a float's or a complex number's own; integers are
/// double.
template <class W>
using kept_weight = std::conditional_t<is_inexact_v<W>, W, double>;

/// Weights as an option, without a default: options that have none are those above. Braces give no type that
/// an option could have, so there are options for each type of weights, and only those of the weights given
/// can be made. Numbers in braces are double.
template <class W>
class named_weights : public array_or_list<W> {
 public:
  template <array_like X>
    requires std::is_same_v<kept_weight<typename X::value_type>, W>
  named_weights(const X& weights) : array_or_list<W>(weights) {}
  template <element X>
    requires std::is_same_v<kept_weight<X>, W>
  named_weights(const std::vector<X>& weights) : array_or_list<W>(weights) {}
  template <scalar_like A, scalar_like B, scalar_like... More>
    requires std::is_same_v<W, double>
  named_weights(A first, B second, More... more) : array_or_list<W>(first, second, more...) {}
};

/// average(x, {.axis = 1, .weights = w}) ...
template <class W>
struct weighted_options_of {
  by_name only = by_name();
  axes_t axis = none;
  named_weights<W> weights;
  bool keepdims = false;
};
/// ... and with two results.
template <class W>
struct weighted_average_options_of {
  by_name only = by_name();
  axes_t axis = none;
  named_weights<W> weights;
  average_options::choice returned;
  bool keepdims = false;
};

}  // namespace detail

/// auto [avg, sum_of_weights] = average(x, weights, {.returned = true});
template <class T>
struct average_result {
  array<T> avg;
  array<T> sum_of_weights;
};

namespace detail {

/// NumPy's result type: that of the array and the weights, double for an array of integers.
template <class T, class W>
using weighted_type =
    type_of<promote(promote(dtype_of<T>, dtype_of<W>),
                    is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_ ? dtype::float64 : dtype_of<T>)>;

/// The weights in the array's shape. They either have that shape or, for the axes given, the sizes along them.
template <class W>
array<W> weights_along(const array<W>& weights, const shape_t& shape, const axes_t& axis,
                       const char* function) {
  if (weights.shape() == shape) return weights;
  if (!axis.given()) {
    throw shape_error(std::string(function) +
                      ": axis must be specified when the shapes of the array and the weights differ, got " +
                      to_string(shape) + " " + to_string(weights.shape()));
  }
  const axis_set named(axis, shape.rank(), function);
  bool fits = weights.ndim() == axis.values().rank();
  view_layout layout{0, shape, shape_t(shape.size(), 0)};
  for (int i = 0; fits && i < weights.ndim(); ++i) {
    const int d = normalize_axis(axis.values()[i], shape.rank(), function);
    fits = weights.shape()[i] == shape[d];
    layout.strides[d] = weights.element_strides()[i];
  }
  if (!fits) {
    throw shape_error(std::string(function) + ": weights of shape " + to_string(weights.shape()) +
                      " do not fit axis " + to_string(axis.values()) + " of an array of shape " +
                      to_string(shape));
  }
  return weights.view(layout);
}

template <array_like X, array_like W>
auto weighted_average(const X& x, const W& weights, const axes_t& axis, bool keepdims,
                      const char* function = "average") {
  const asks_for_elements asking(function);
  using R = weighted_type<typename X::value_type, typename W::value_type>;
  const auto weight = weights_along(weights.eval(), x.shape(), axis, function);
  const array<R> total = sum<R>(weight, {.axis = axis, .keepdims = keepdims});
  if (any(total == 0).item()) throw error(std::string(function) + ": weights sum to zero, can't be normalized");
  const auto product = in_type<R>(x) * in_type<R>(weight);
  return average_result<R>{array<R>(sum(product, {.axis = axis, .keepdims = keepdims}) / total), total};
}

}  // namespace detail

/// The mean.
template <array_like X>
auto average(const X& x, const reduce_options& options = {}) {
  return detail::mean_in_name<void>(x, options, "average");
}
GNP_AXES_FIRST(average, reduce_options)
/// The mean weighted by `weights`, which have x's shape or, if axes are given, the sizes along these axes.
template <array_like X, array_like W>
auto average(const X& x, const W& weights, const reduce_options& options = {}) {
  return detail::weighted_average(x, weights, options.axis, options.keepdims).avg;
}
template <array_like X, array_like W>
auto average(const X& x, const axes_t& axis, const W& weights, reduce_options options = {}) {
  options.axis = axis;
  return average(x, weights, options);
}
// The weights in braces, or in a std::vector, after the axes.
template <array_like X, scalar_like Number>
auto average(const X& x, const axes_t& axis, std::initializer_list<Number> weights,
             reduce_options options = {}) {
  return average(x, axis, detail::list_beside(x, weights), options);
}
template <array_like X>
auto average(const X& x, const axes_t& axis, const detail::listed_numbers& weights,
             reduce_options options = {}) {
  return average(x, axis, detail::list_beside(x, weights), options);
}
template <array_like X, class W, class Options = reduce_options>
  requires(detail::is_host_vector_v<W>)
auto average(const X& x, const axes_t& axis, const W& weights, const Options& options = {}) {
  return average(x, axis, detail::list_beside(x, weights), options);
}
/// Both forms, together with the sum of the weights, which is the number of elements if there are no weights.
template <array_like X>
auto average(const X& x, const average_options& options) {
  const auto avg =
      detail::mean_in_name<void>(x, {.axis = options.axis, .keepdims = options.keepdims}, "average");
  using R = typename std::remove_const_t<decltype(avg)>::value_type;
  const auto count = static_cast<double>(x.size()) / static_cast<double>(avg.size());
  return average_result<R>{avg,
                           detail::filled<R>(avg.shape(), scalar::cast<R>(count), avg.device(), "average")};
}
template <array_like X, array_like W>
auto average(const X& x, const W& weights, const average_options& options) {
  return detail::weighted_average(x, weights, options.axis, options.keepdims);
}
template <array_like X, array_like W>
auto average(const X& x, const axes_t& axis, const W& weights, average_options options) {
  options.axis = axis;
  return average(x, weights, options);
}
// The weights by name.
#define GNP_WEIGHTS_BY_NAME(W)                                                                              \
  template <array_like X>                                                                                   \
  auto average(const X& x, const detail::weighted_options_of<W>& options) {                                 \
    return detail::weighted_average(x, options.weights.on(x.device()), options.axis, options.keepdims).avg; \
  }                                                                                                         \
  template <array_like X>                                                                                   \
  auto average(const X& x, const detail::weighted_average_options_of<W>& options) {                         \
    return detail::weighted_average(x, options.weights.on(x.device()), options.axis, options.keepdims);     \
  }                                                                                                         \
  template <array_like X>                                                                                   \
  auto average(const X& x, const axes_t& axis, detail::weighted_options_of<W> options) {                    \
    options.axis = axis;                                                                                    \
    return average(x, static_cast<const detail::weighted_options_of<W>&>(options));                         \
  }
GNP_WEIGHTS_BY_NAME(half)
GNP_WEIGHTS_BY_NAME(bfloat16)
GNP_WEIGHTS_BY_NAME(float)
GNP_WEIGHTS_BY_NAME(double)
GNP_WEIGHTS_BY_NAME(complex64)
GNP_WEIGHTS_BY_NAME(complex128)
#undef GNP_WEIGHTS_BY_NAME
// (A vector of integers in place of the weights gives the axes.)
GNP_REFUSES_VECTORS_WHERE(array_like<X> && sizeof...(More) == 1 &&
                              ((detail::is_host_vector_v<More> && !std::is_convertible_v<More, axes_t>) || ...),
                          average, "gnp::average")
// The values in braces, too: average({1, 2, 3}, {.weights = {3, 2, 1}}).
GNP_TAKES_VALUES_BESIDE(average, (const detail::weighted_options_of<double>& options), (options))
GNP_TAKES_VALUES_BESIDE(average, (const detail::weighted_average_options_of<double>& options), (options))

}}  // namespace gnp::GNP_ABI
