// SPDX-License-Identifier: MIT
// poly, from roots to coefficients, and roots, from coefficients to roots.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/linalg/eig.hpp>
#include <gnp/polynomial/arithmetic.hpp>
#include <initializer_list>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The product of (x - z) over all z.
template <class R>
array<R> from_roots(const array<R>& z) {
  const index_t count = z.size();
  array<R> result = filled<R>(shape_t{count + 1}, R(), z.device(), "poly");
  result(0).fill(scalar::cast<R>(1));
  array<R> spare = copy(result);
  for (index_t k = 0; k < count; ++k) {
    stretch_of(spare, 0, 1, k + 1)
        .assign(stretch_of(result, 0, 1, k + 1) - z(k) * stretch_of(result, 0, 0, k + 1));
    std::swap(result, spare);
  }
  return result;
}

/// The type of poly's result for roots of type T: double for integers and halves.
template <class T>
using poly_type = std::conditional_t<sizeof(T) == 2, double, divided<T>>;

}  // namespace detail

/// The coefficients of the polynomial with these roots; for a square matrix, those of its characteristic
/// polynomial. They have the argument's type, or double for integers and halves. If complex roots come in
/// conjugate pairs, the coefficients are still complex, with imaginary parts of zero.
template <array_like X>
array<detail::poly_type<typename X::value_type>> poly(const X& x) {
  using T = typename X::value_type;
  static_assert(!std::is_same_v<T, bool>, "gnp: poly takes numbers");
  using R = detail::poly_type<T>;
  if (x.size() == 0 && x.ndim() < 2) return detail::filled<R>({}, scalar::cast<R>(1), x.device(), "poly");
  if (x.ndim() < 2) return detail::from_roots(array<R>(atleast_1d(x.template astype<R>())));
  if (x.ndim() > 2 || x.shape()[0] != x.shape()[1] || x.size() == 0) {
    throw shape_error("poly: input must be 1d or non-empty square 2d array, got shape " + to_string(x.shape()));
  }
  const auto c =
      detail::from_roots(detail::eig_of(array<R>(x.template astype<R>()), false, "poly").eigenvalues);
  if constexpr (is_complex(dtype_of<R>)) {
    return array<R>(c);
  } else {
    return array<R>(real(c).template astype<R>());
  }
}
/// For roots in braces: poly({1, 2}).
template <scalar_like Number>
auto poly(std::initializer_list<Number> roots) {
  return poly(asarray(roots));
}
GNP_DECLARED_ON_USE array<double> poly(std::initializer_list<double> roots);
template <element Number>
auto poly(const std::vector<Number>& roots) {
  return poly(asarray(roots));
}

/// The roots of a polynomial, always complex: the eigenvalues of its companion matrix. It has to wait, because
/// their number depends on the leading zeros.
template <array_like P>
array<detail::complex_t<detail::factor_t<P>>> roots(const P& p) {
  const detail::asks_for_elements asking("roots");
  using R = detail::factor_t<P>;
  const array<R> c = detail::coefficients(p, "roots").template astype<R>();
  const use_device guard(c.device());
  using complex = detail::complex_t<R>;
  const host_array<R> values = asnumpy(c);
  index_t first = 0;
  index_t last = c.size();
  while (first < last && values[first] == R()) ++first;
  while (last > first && values[last - 1] == R()) --last;
  if (first == last) return empty<complex>({0});
  const index_t degree = last - first - 1;
  const array<complex> result = zeros<complex>({c.size() - first - 1});
  if (degree == 0) return result;
  const array<R> companion = eye<R>(degree, degree, -1);
  companion(0).assign(-detail::stretch_of(c, 0, first + 1, degree) / c(first));
  detail::stretch_of(result, 0, 0, degree).assign(detail::eig_of(companion, false, "roots").eigenvalues);
  return result;
}
/// For coefficients in braces: roots({1, 0, -2}).
template <scalar_like Number>
auto roots(std::initializer_list<Number> p) {
  return roots(asarray(p));
}
GNP_DECLARED_ON_USE array<complex128> roots(std::initializer_list<double> p);
template <element Number>
auto roots(const std::vector<Number>& p) {
  return roots(asarray(p));
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/polynomial/roots_of_lists.hpp>
#endif
