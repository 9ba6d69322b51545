// SPDX-License-Identifier: MIT
// Functions that use singular values: pinv, lstsq, matrix_rank, cond.
#pragma once

#include <concepts>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/norm.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/routines/creation.hpp>
#include <optional>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/least_squares.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace detail {

template <class T>
double epsilon_of() {
  return static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

/// Which singular values count as zero: a number, or none for the default.
struct tolerance : std::optional<double> {
  using std::optional<double>::optional;
  constexpr tolerance(std::optional<double> value) : optional(value) {}
  constexpr tolerance(none_t) {}
};

template <class X>
auto singular_values(const X& x, bool hermitian, const char* function) {
  using T = factor_t<X>;
  const array<T> a = operand_as<T>(x);
  return hermitian ? hermitian_svd(a, false, function).s : svd_of(a, false, false, function).s;
}

/// lstsq; `function` is the one that the user called.
template <array_like X, array_like Y>
auto least_squares(const X& a, const Y& b, const tolerance& rcond, const char* function) {
  const asks_for_elements asking(function);
  constexpr dtype d = promote(factor_dtype<typename X::value_type>(), factor_dtype<typename Y::value_type>());
  using T = type_of<d>;
  using real = real_t<T>;
  using W = wide_t<T>;
  require_same_device(function, a.device(), b.device());
  const bool vector = b.ndim() == 1;
  const auto fail = [&](const std::string& why) { throw_product_shapes(function, a.shape(), b.shape(), why); };
  if (a.ndim() != 2) fail("the first must be a matrix");
  if (b.ndim() != 2 && !vector) fail("the second must be a vector or a matrix");
  if (a.shape()[0] != b.shape()[0]) {
    fail(std::to_string(a.shape()[0]) + " (axis 0) is not " + std::to_string(b.shape()[0]) + " (axis 0)");
  }
  const use_device guard(a.device());
  const index_t m = a.shape()[0];
  const index_t n = a.shape()[1];
  const array<W> matrix(a.template astype<W>());  // a copy, because singular values are computed later
  const array<W> right = vector ? asarray<W>(expand_dims(b, 1)) : asarray<W>(b);
  array<W> x(shape_t{n, right.shape()[1]}, a.device(), function);
  const array<real> nothing(shape_t{0}, a.device());
  lstsq_result<T> result{array<T>(shape_t{0}, a.device()), nothing, 0, nothing};
  if (m == 0 || n == 0) {
    x.fill(W());
  } else {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double given = rcond.value_or(epsilon * static_cast<double>((std::max)(m, n)));
    solve_least_squares(matrix, right, given < 0 ? epsilon : given, x, result, function);
  }
  if (result.rank == n && m > n) {
    const array<W> missing = right - matmul(matrix, x);
    result.residuals = asarray<real>(sum(squared_magnitude(missing), {.axis = 0}));
  }
  result.x = asarray<T>(vector ? squeeze(x, 1) : x);
  return result;
}

}  // namespace detail

namespace linalg {

struct pinv_options {
  by_name only = by_name();
  detail::tolerance rcond = none;  // singular values <= rcond * the largest count as zero; default 1e-15
  bool hermitian = false;
  detail::tolerance rtol = none;  // the array API's name for rcond
};

/// The Moore-Penrose inverse of each matrix.
template <array_like X>
auto pinv(const X& x, pinv_options options = {}) {
  const detail::asks_for_elements asking("pinv");
  if (options.rcond && options.rtol) throw error("pinv: rtol and rcond cannot both be set");
  const double rcond = options.rcond.value_or(options.rtol.value_or(1e-15));
  return detail::pseudo_inverse(detail::operand_as<detail::factor_t<X>>(x), rcond, nullptr, options.hermitian);
}
template <array_like X, std::convertible_to<detail::tolerance> Number>
  requires(!array_like<Number>)
auto pinv(const X& x, const Number& rcond, pinv_options options = {}) {
  options.rcond = rcond;
  return pinv(x, options);
}
/// With an rcond for each matrix of a stack.
template <array_like X, array_like Rcond>
auto pinv(const X& x, const Rcond& rcond, const pinv_options& options = {}) {
  const detail::asks_for_elements asking("pinv");
  if (options.rcond || options.rtol) throw error("pinv: rtol and rcond cannot both be set");
  shape_t stack = x.shape();
  for (int d = 0; d < 2 && !stack.empty(); ++d) stack.pop_back();
  if (shape_t both; !detail::broadcast_shapes(rcond.shape(), stack, both) || !(both == stack)) {
    throw shape_error("pinv: rcond of shape " + to_string(rcond.shape()) + " does not fit matrices of shape " +
                      to_string(x.shape()));
  }
  const array<double> each = broadcast_to(detail::in_type<double>(rcond), stack);
  return detail::pseudo_inverse(detail::operand_as<detail::factor_t<X>>(x), 0, &each, options.hermitian);
}

struct lstsq_options {
  by_name only = by_name();
  // Singular values up to rcond times the largest count as zero. The default is double's eps * max(m, n).
  detail::tolerance rcond = none;
};

/// The least-squares solution of a x = b, for a matrix a of any shape and rank. Computed in double, as NumPy
/// does.
template <array_like X, array_like Y>
auto lstsq(const X& a, const Y& b, const lstsq_options& options = {}) {
  return detail::least_squares(a, b, options.rcond, "lstsq");
}
template <array_like X, array_like Y, std::convertible_to<detail::tolerance> Number>
auto lstsq(const X& a, const Y& b, const Number& rcond) {
  return lstsq(a, b, lstsq_options{.rcond = rcond});
}
template <array_like X, scalar_like Number, class... Options>
auto lstsq(const X& a, std::initializer_list<Number> b, const Options&... options) {
  return lstsq(a, detail::list_beside(a, b), options...);
}
template <array_like X, class... Options>
auto lstsq(const X& a, std::initializer_list<double> b, const Options&... options) {
  return lstsq(a, detail::list_beside(a, b), options...);
}
GNP_TAKES_VECTORS(lstsq, lstsq_options)
template <array_like X, class Y, std::convertible_to<detail::tolerance> Number>
  requires(detail::is_host_vector_v<Y>)
auto lstsq(const X& a, const Y& b, const Number& rcond) {
  return lstsq(a, detail::list_beside(a, b), rcond);
}
GNP_NEEDS_TWO(lstsq, "gnp::linalg::lstsq(a, b)")
GNP_REFUSES_VECTORS_OF(lstsq, "gnp::linalg::lstsq")

struct matrix_rank_options {
  by_name only = by_name();
  detail::tolerance tol = none;  // singular values up to tol count as zero; default: rtol * the largest
  bool hermitian = false;
  detail::tolerance rtol = none;  // default: eps * max(m, n)
};

/// The rank of each matrix: the number of its nonzero singular values. For a vector, 1 if any element is
/// nonzero, otherwise 0.
template <array_like X>
array<std::int64_t> matrix_rank(const X& x, matrix_rank_options options = {}) {
  const detail::asks_for_elements asking("matrix_rank");
  using T = detail::factor_t<X>;
  if (options.tol && options.rtol) throw error("matrix_rank: tol and rtol cannot both be set");
  const use_device guard(x.device());
  if (x.ndim() < 2) return any(not_equal(x, typename X::value_type(0))).template astype<std::int64_t>();
  const detail::matrix_stack s = detail::check_stack(x.shape(), "matrix_rank");
  if (s.least() == 0) return zeros<std::int64_t>(s.batch);
  const auto values = detail::singular_values(x, options.hermitian, "matrix_rank");
  using real = detail::real_t<T>;
  if (options.tol) return count_nonzero(values > static_cast<real>(*options.tol), {.axis = -1});
  const double rtol =
      options.rtol.value_or(detail::epsilon_of<T>() * static_cast<double>((std::max)(s.rows, s.columns)));
  return count_nonzero(values > values(ellipsis, slice(none, 1)) * static_cast<real>(rtol), {.axis = -1});
}
template <array_like X, std::convertible_to<detail::tolerance> Number>
array<std::int64_t> matrix_rank(const X& x, const Number& tol, matrix_rank_options options = {}) {
  options.tol = tol;
  return matrix_rank(x, options);
}

struct cond_options {
  by_name only = by_name();
  norm_order p = none;
};
/// The condition number of each matrix in the norm p: by default 2, the largest singular value divided by the
/// smallest.
template <array_like X>
auto cond(const X& x, const norm_order& p = none) {
  p.require_known("cond");
  const detail::asks_for_elements asking("cond");
  using T = detail::factor_t<X>;
  using real = detail::real_t<T>;
  constexpr real infinite = std::numeric_limits<real>::infinity();
  const detail::matrix_stack s = detail::check_stack(x.shape(), "cond");
  if (s.rows == 0 || s.columns == 0) throw linalg_error("cond: cond is not defined on empty arrays");
  if (p.given() && !p.is(2) && !p.is(-2)) detail::check_square(x.shape(), "cond");
  const use_device guard(x.device());
  if (s.count == 0) return array<real>(s.batch, x.device(), "cond");
  if (!p.given() || p.is(2) || p.is(-2)) {
    const auto values = detail::svd_of(detail::operand_as<T>(x), false, false, "cond").s;
    const array<real> largest = values(ellipsis, 0);
    const array<real> least = values(ellipsis, -1);
    const array<real> ratio = p.is(-2) ? array<real>(least / largest) : array<real>(largest / least);
    return array<real>(where(isnan(ratio), infinite, ratio));  // 0/0, for a matrix of zeros
  }
  const array<T> matrix = asarray<T>(x);
  array<T> inverse(shape_t{0}, x.device());
  try {
    inverse = inv(matrix);
  } catch (const linalg_error&) {
    // A matrix is singular: its condition number is infinite, or NaN if the matrix contains a NaN. The matrices
    // of a stack are treated one by one.
    if (s.batch.empty()) {
      const bool known = !any(isnan(matrix)).item();
      return array<real>(full(shape_t{}, known ? infinite : std::numeric_limits<real>::quiet_NaN()));
    }
    const array<T> flat = matrix.reshape(shape_t{s.count, s.rows, s.columns});
    const array<real> each(shape_t{s.count}, x.device(), "cond");
    for (index_t i = 0; i < s.count; ++i) each(i).assign(cond(flat(i), p));
    return array<real>(each.reshape(s.batch));
  }
  return array<real>(norm(matrix, {.ord = p, .axis = {-2, -1}}) * norm(inverse, {.ord = p, .axis = {-2, -1}}));
}
template <array_like X>
auto cond(const X& x, const cond_options& options) {
  return cond(x, options.p);
}

}  // namespace linalg
}}  // namespace gnp::GNP_ABI
