// SPDX-License-Identifier: MIT
// cov and corrcoef: how variables vary together.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/routines/average.hpp>
#include <gnp/routines/diagonal.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/statistics/observation_weights.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {

namespace detail {
GNP_REFUSED_OPTION(no_y_by_name, "the second array decides the type of the result: write gnp::cov(a, b)")
GNP_REFUSED_OPTION(no_y_of_corrcoef,
                   "the second array decides the type of the result: write gnp::corrcoef(a, b)")
}  // namespace detail

/// The options of cov: whether each row is a variable, and how its observations are counted.
struct cov_options {
  by_name only = by_name();
  detail::no_y_by_name y = {};
  bool rowvar = true;
  bool bias = false;
  std::optional<index_t> ddof = {};
  observation_weights fweights = {};  // how often each observation was made
  observation_weights aweights = {};  // how much it counts
};

/// The options of corrcoef: is each row a variable?
struct corrcoef_options {
  by_name only = by_name();
  detail::no_y_of_corrcoef y = {};
  bool rowvar = true;
};

namespace detail {

/// The type of covariances: double, or complex128.
template <class R, class... T>
using covariance_type =
    std::conditional_t<std::is_void_v<R>,
                       std::conditional_t<(is_complex(dtype_of<T>) || ...), complex128, double>, R>;

/// The variables as rows.
template <class R, array_like X>
array<R> variables_of(const X& x, bool rowvar, const char* name, const char* function) {
  if (x.ndim() > 2) {
    throw shape_error(std::string(function) + ": " + name + " has more than 2 dimensions: shape " +
                      to_string(x.shape()));
  }
  const array<R> values(in_type<R>(x));
  if (values.ndim() < 2) return reshape(values, {1, values.size()});
  return rowvar ? values : values.T();
}

template <class R>
array<R> rows_of_both(const array<R>& x, const array<R>& y, const char* function) {
  if (x.shape()[0] == 0) return x;  // without variables in x, NumPy ignores y
  if (x.shape()[1] != y.shape()[1]) {
    throw shape_error(std::string(function) + ": x and y have " + std::to_string(x.shape()[1]) + " and " +
                      std::to_string(y.shape()[1]) + " observations");
  }
  const array<R> both(shape_t{x.shape()[0] + y.shape()[0], x.shape()[1]}, x.device(), function);
  both(slice(none, x.shape()[0])).assign(x);
  both(slice(x.shape()[0], none)).assign(y);
  return both;
}

/// The weight of each of `count` observations, as the options specify.
GNP_DECLARED_ON_USE array<double> weights_of_observations(const cov_options& options, index_t count,
                                                          gnp::device where);

/// The divisor for the sums of products with those weights.
GNP_DECLARED_ON_USE array<double> divisor_of_weighted(const array<double>& w, const cov_options& options,
                                                      double ddof);

/// x less the means of its rows, in x's memory if no one else has it: new memory would take as long to get as
/// the subtraction.
template <class R, class M>
array<R> centred_rows(const array<R>& x, const M& means) {
  if (x.block()->references.load(std::memory_order_acquire) != 1) return array<R>(x - means);
  x.assign(x - array<R>(means));  // computed first, as it reads what is written
  return x;
}

/// The products of every two rows, the second conjugated.
template <class R>
array<R> products_of_rows(const array<R>& x) {
  if constexpr (is_complex(dtype_of<R>)) {
    return matmul(x, array<R>(conj(x)).T()).eval();
  } else {
    return matmul(x, x.T()).eval();
  }
}

/// The covariances of the rows of x.
template <class R>
array<R> covariances(array<R> x, const cov_options& options) {
  const index_t count = x.shape()[1];
  if (x.shape()[0] == 0) return array<R>(shape_t{0, 0}, x.device(), "cov");
  const double ddof = options.ddof ? static_cast<double>(*options.ddof) : options.bias ? 0.0 : 1.0;
  // Divides sums of products. If the divisor is not positive, the results are infinities and NaN, as in NumPy.
  const auto shared_out = [](const auto& sums, const auto& by) {
    return array<R>(squeeze(array<R>(sums * (1.0 / maximum(by, 0.0)))));
  };
  if (!options.fweights.given() && !options.aweights.given()) {
    const array<R> centred = centred_rows(x, mean(x, 1, {.keepdims = true}));
    return shared_out(products_of_rows(centred),
                      filled<double>({}, static_cast<double>(count) - ddof, x.device(), "cov"));
  }
  const array<double> w = weights_of_observations(options, count, x.device());
  const auto [avg, unused] = weighted_average(x, w, 1, true, "cov");
  static_cast<void>(unused);
  const array<double> by = divisor_of_weighted(w, options, ddof);
  const array<R> centred = centred_rows(x, avg);
  return shared_out(matmul(centred, array<R>(conj(centred * w)).T()).eval(), by);
}

template <class R>
array<R> as_correlations(const array<R>& c) {
  if (c.ndim() == 0) return array<R>(c / c);
  const auto deviation = sqrt(real(diagonal(c))).eval();
  const array<R> scaled(c / expand_dims(deviation, shape_t{1}) / deviation);
  if constexpr (is_complex(dtype_of<R>)) {
    const auto part = [](const auto& values) { return clip(values, -1.0, 1.0); };
    return array<R>(part(real(scaled)) + part(imag(scaled)) * R(0, 1));
  } else {
    return array<R>(clip(scaled, -1.0, 1.0));
  }
}

/// What cov and corrcoef compute first.
template <class R, array_like X>
auto covariances_of(const X& x, const cov_options& options, const char* function) {
  using T = covariance_type<R, typename X::value_type>;
  return covariances(variables_of<T>(x, options.rowvar, "x", function), options);
}
template <class R, array_like X, array_like Y>
auto covariances_of(const X& x, const Y& y, const cov_options& options, const char* function) {
  using T = covariance_type<R, typename X::value_type, typename Y::value_type>;
  // A second array with one row is a single variable in either case, as in NumPy.
  const bool rows_of_y = options.rowvar || (y.ndim() == 2 && y.shape(0) == 1);
  return covariances(rows_of_both(variables_of<T>(x, options.rowvar, "x", function),
                                  variables_of<T>(y, rows_of_y, "y", function), function),
                     options);
}

}  // namespace detail

/// The covariance of every two variables, which are the rows of x; for a single variable its variance, of rank
/// 0. Computed in double, or in the type named: cov<float>(x).
template <class R = void, array_like X>
auto cov(const X& x, const cov_options& options = {}) {
  return detail::covariances_of<R>(x, options, "cov");
}
/// The same with the variables of y after those of x.
template <class R = void, array_like X, array_like Y>
auto cov(const X& x, const Y& y, const cov_options& options = {}) {
  return detail::covariances_of<R>(x, y, options, "cov");
}

// y in braces, or in a std::vector: cov(x, {1, 2, 3}).
#define GNP_VARIABLE_IN_BRACES(function)                                                               \
  template <class R = void, array_like X>                                                              \
  auto function(const X& x, const detail::listed_numbers& y, const function##_options& options = {}) { \
    return function<R>(x, detail::list_beside(x, y), options);                                         \
  }                                                                                                    \
  template <class R = void, array_like X, class Y>                                                     \
    requires(detail::is_host_vector_v<Y>)                                                              \
  auto function(const X& x, const Y& y, const function##_options& options = {}) {                      \
    return function<R>(x, detail::list_beside(x, y), options);                                         \
  }

// The variables themselves in braces: cov({{1, 2, 3}, {4, 5, 7}}), cov({1, 2, 3}, {4, 5, 7}).
#define GNP_VARIABLES_OF(function, list_type)                                                           \
  template <class R = void, scalar_like Number>                                                         \
  auto function(list_type x, const function##_options& options = {}) {                                  \
    return function<R>(asarray(x), options);                                                            \
  }                                                                                                     \
  template <class R = void, scalar_like Number>                                                         \
  auto function(list_type x, const auto& y, const function##_options& options = {}) {                   \
    return function<R>(asarray(x), y, options);                                                         \
  }                                                                                                     \
  template <class R = void, scalar_like Number>                                                         \
  auto function(list_type x, const detail::listed_numbers& y, const function##_options& options = {}) { \
    return function<R>(asarray(x), y, options);                                                         \
  }
#define GNP_VARIABLES_IN_BRACES(function)                   \
  GNP_VARIABLES_OF(function, std::initializer_list<Number>) \
  GNP_VARIABLES_OF(function, std::initializer_list<std::initializer_list<Number>>)

/// Each array is a variable: cov({x, y}). Formulas, and arrays of several types, become double.
template <class R = void, element T>
auto cov(std::initializer_list<array<T>> variables, const cov_options& options = {}) {
  return cov<R>(stack(variables), options);
}
template <class R = void>
auto cov(std::initializer_list<array<double>> variables, const cov_options& options = {}) {
  return cov<R>(stack(variables), options);
}
GNP_VARIABLE_IN_BRACES(cov)
GNP_VARIABLES_IN_BRACES(cov)
GNP_REFUSES_VECTORS(cov)

/// The correlation of every two variables: their covariance divided by the product of their standard
/// deviations.
template <class R = void, array_like X>
auto corrcoef(const X& x, const corrcoef_options& options = {}) {
  return detail::as_correlations(
      detail::covariances_of<R>(x, cov_options{.rowvar = options.rowvar}, "corrcoef"));
}
template <class R = void, array_like X, array_like Y>
auto corrcoef(const X& x, const Y& y, const corrcoef_options& options = {}) {
  return detail::as_correlations(
      detail::covariances_of<R>(x, y, cov_options{.rowvar = options.rowvar}, "corrcoef"));
}
template <class R = void, element T>
auto corrcoef(std::initializer_list<array<T>> variables, const corrcoef_options& options = {}) {
  return corrcoef<R>(stack(variables), options);
}
template <class R = void>
auto corrcoef(std::initializer_list<array<double>> variables, const corrcoef_options& options = {}) {
  return corrcoef<R>(stack(variables), options);
}
GNP_VARIABLE_IN_BRACES(corrcoef)
GNP_VARIABLES_IN_BRACES(corrcoef)
GNP_REFUSES_VECTORS(corrcoef)
#undef GNP_VARIABLE_IN_BRACES
#undef GNP_VARIABLES_IN_BRACES
#undef GNP_VARIABLES_OF

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/statistics/covariance_weights.hpp>
#endif
