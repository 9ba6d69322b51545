// SPDX-License-Identifier: MIT
// polyfit: the polynomial closest to samples, by least squares.
#pragma once

#include <gnp/linalg/least_squares.hpp>
#include <gnp/linalg/products.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/polynomial/values.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The weight of each sample; all are the same unless given.
class sample_weights {
 public:
  sample_weights() = default;
  template <array_like X>
  sample_weights(const X& weights) : values_(weights.template astype<double>().eval()) {}
  const std::optional<array<double>>& values() const { return values_; }

 private:
  std::optional<array<double>> values_;
};

/// An option that changes the result's type when it is named. So it cannot be set to its default, false.
struct named_option {
  consteval named_option(bool wanted) {
    if (!wanted)
      throw "gnp: polyfit with .full or .cov has more results: leave it out for the coefficients alone";
  }
};
struct covariance_option {
  bool scaled = true;
  consteval covariance_option(bool wanted) {
    if (!wanted)
      throw "gnp: polyfit with .full or .cov has more results: leave it out for the coefficients alone";
  }
  consteval covariance_option(const char*) : scaled(false) {}
};

}  // namespace detail

struct polyfit_options {
  by_name only = by_name();
  std::optional<double> rcond = {};  // eps * samples
  detail::sample_weights w = {};
};
/// .full = true: also returns what lstsq returns in addition to the coefficients.
struct polyfit_full_options {
  by_name only = by_name();
  std::optional<double> rcond = {};
  detail::named_option full;
  detail::sample_weights w = {};
};
/// .cov = true, or "unscaled" if the weights are the inverses of known deviations.
struct polyfit_cov_options {
  by_name only = by_name();
  std::optional<double> rcond = {};
  detail::sample_weights w = {};
  detail::covariance_option cov;
};

/// auto [p, residuals, rank, singular_values, rcond] = polyfit(x, y, 2, {.full = true});
template <class T>
struct polyfit_full_result {
  array<T> p;
  array<double> residuals;
  index_t rank;
  array<double> singular_values;
  double rcond;
};
/// auto [p, V] = polyfit(x, y, 2, {.cov = true});
template <class T, class R>
struct polyfit_cov_result {
  array<T> p;
  array<R> V;
};

namespace detail {

/// The type in which NumPy fits: double, or complex128 for complex samples, whatever their precision.
template <class... T>
using fitted_in = std::conditional_t<(is_complex(dtype_of<T>) || ...), complex128, double>;

template <class T>
double unit_roundoff() {
  if constexpr (is_complex(dtype_of<T>)) {
    return unit_roundoff<typename T::value_type>();
  } else if constexpr (std::is_same_v<T, half>) {
    return 0x1p-10;
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    return 0x1p-7;
  } else {
    return static_cast<double>(std::numeric_limits<divided<T>>::epsilon());
  }
}

/// The scaled system of equations and its solution.
template <class R, class T>
struct polynomial_fit {
  array<R> powers;
  array<R> scale;
  lstsq_result<T> solution;
  array<T> p;
  double rcond;
};

template <class X, class Y>
auto fit_polynomial(const X& x, const Y& y, index_t degree, const std::optional<double>& rcond,
                    const sample_weights& w) {
  using R = fitted_in<typename X::value_type>;
  using T = fitted_in<R, typename Y::value_type>;
  if (degree < 0) throw error("polyfit: expected deg >= 0, got " + std::to_string(degree));
  if (x.ndim() != 1) throw shape_error("polyfit: expected 1D vector for x, got shape " + to_string(x.shape()));
  if (x.size() == 0) throw error("polyfit: expected non-empty vector for x");
  if (y.ndim() < 1 || y.ndim() > 2) {
    throw shape_error("polyfit: expected 1D or 2D array for y, got shape " + to_string(y.shape()));
  }
  if (x.size() != y.shape()[0]) {
    throw shape_error("polyfit: expected x and y to have same length, got " + std::to_string(x.size()) +
                      " and " + std::to_string(y.shape()[0]));
  }
  const auto& weights = w.values();
  if (weights && (weights->ndim() != 1 || weights->size() != x.size())) {
    throw shape_error("polyfit: expected a 1-d array of " + std::to_string(x.size()) + " weights, got shape " +
                      to_string(weights->shape()));
  }
  array<R> powers = vander(x.template astype<R>(), degree + 1);
  array<T> right = y.template astype<T>();
  if (weights) {
    const array<R> column = reshape(weights->template astype<R>(), {-1, 1});
    powers *= column;
    right = right.ndim() == 1 ? array<T>(right * ravel(column)) : array<T>(right * column);
  }
  const array<R> scale = sqrt(sum(square(powers), 0));
  powers = array<R>(powers / scale);
  const double smallest =
      rcond.value_or(static_cast<double>(x.size()) * unit_roundoff<typename X::value_type>());
  const lstsq_result<T> solution = least_squares(powers, right, smallest, "polyfit");
  const array<T> p = solution.x / (right.ndim() == 1 ? scale : array<R>(reshape(scale, {-1, 1})));
  return polynomial_fit<R, T>{powers, scale, solution, p, smallest};
}

}  // namespace detail

/// The coefficients, highest power first, of the polynomial of this degree that is closest to the samples y at
/// x; for each column of y, if it has columns.
template <array_like X, array_like Y>
auto polyfit(const X& x, const Y& y, detail::any_integer degree, const polyfit_options& options = {}) {
  return detail::fit_polynomial(x, y, degree, options.rcond, options.w).p;
}
template <array_like X, array_like Y>
auto polyfit(const X& x, const Y& y, detail::any_integer degree, const polyfit_full_options& options) {
  const auto fit = detail::fit_polynomial(x, y, degree, options.rcond, options.w);
  using T = typename decltype(fit.p)::value_type;
  return polyfit_full_result<T>{fit.p, fit.solution.residuals, fit.solution.rank, fit.solution.s.eval(),
                                fit.rcond};
}
template <array_like X, array_like Y>
auto polyfit(const X& x, const Y& y, detail::any_integer degree, const polyfit_cov_options& options) {
  const auto fit = detail::fit_polynomial(x, y, degree, options.rcond, options.w);
  using T = typename decltype(fit.p)::value_type;
  using R = typename decltype(fit.scale)::value_type;
  const array<R> base = array<R>(detail::inverse_of(matmul(fit.powers.T(), fit.powers).eval(), "polyfit") /
                                 outer(fit.scale, fit.scale));
  const index_t order = fit.scale.size();
  const bool has_columns = fit.p.ndim() == 2;
  if (!options.cov.scaled) {
    return polyfit_cov_result<T, R>{fit.p, has_columns ? array<R>(expand_dims(base, -1)) : base};
  }
  if (x.size() <= order) {
    throw error("polyfit: the number of data points must exceed order to scale the covariance matrix");
  }
  const auto factor = fit.solution.residuals / static_cast<double>(x.size() - order);
  return polyfit_cov_result<T, R>{
      fit.p, has_columns ? array<R>(expand_dims(base, -1) * factor) : array<R>(base * factor)};
}
GNP_NEEDS_THREE(polyfit, "gnp::polyfit(x, y, 2)")
// Samples in braces, or in a std::vector: polyfit(x, {1, 3, 7}, 2).
#define GNP_FIT_LISTS(options_type, by_default)                                                              \
  template <class X, class Y>                                                                                \
    requires((detail::is_host_vector_v<X> && (array_like<Y> || detail::is_host_vector_v<Y>)) ||              \
             (array_like<X> && detail::is_host_vector_v<Y>))                                                 \
  auto polyfit(const X& x, const Y& y, detail::any_integer degree, const options_type& options by_default) { \
    return polyfit(detail::list_beside(y, x), detail::list_beside(x, y), degree, options);                   \
  }                                                                                                          \
  template <array_like X>                                                                                    \
  auto polyfit(const X& x, const detail::listed_numbers& y, detail::any_integer degree,                      \
               const options_type& options by_default) {                                                     \
    return polyfit(x, detail::list_beside(x, y), degree, options);                                           \
  }                                                                                                          \
  template <array_like Y>                                                                                    \
  auto polyfit(const detail::listed_numbers& x, const Y& y, detail::any_integer degree,                      \
               const options_type& options by_default) {                                                     \
    return polyfit(detail::list_beside(y, x), y, degree, options);                                           \
  }                                                                                                          \
  template <class Nothing = void>                                                                            \
  auto polyfit(const detail::listed_numbers& x, const detail::listed_numbers& y, detail::any_integer degree, \
               const options_type& options by_default) {                                                     \
    return polyfit(asarray(detail::on_use<Nothing>(x).numbers()), asarray(y.numbers()), degree, options);    \
  }
GNP_FIT_LISTS(polyfit_options, = {})
GNP_FIT_LISTS(polyfit_full_options, )
GNP_FIT_LISTS(polyfit_cov_options, )
#undef GNP_FIT_LISTS

}}  // namespace gnp::GNP_ABI
