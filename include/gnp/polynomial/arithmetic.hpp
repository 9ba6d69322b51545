// SPDX-License-Identifier: MIT
// polyadd, polysub, polymul and polydiv: polynomials are vectors of coefficients, highest power first.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/comparisons.hpp>
#include <gnp/routines/ranks.hpp>
#include <gnp/signal/convolve.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The coefficients as a vector; a single number counts as a vector of one.
template <class X>
auto coefficients(const X& p, const char* function) {
  if (p.ndim() > 1) {
    throw shape_error(std::string(function) + ": a polynomial is a vector of coefficients, got shape " +
                      to_string(p.shape()));
  }
  return atleast_1d(p);
}

/// The coefficients from the highest nonzero one on; for a polynomial that is zero, one coefficient is left.
template <array_like X>
array<typename X::value_type> without_leading_zeros(const X& p, const char* function) {
  using T = typename X::value_type;
  const array<T> all_of_them = coefficients(p, function);
  if (all_of_them.size() == 0) return filled<T>(shape_t{1}, T(), all_of_them.device(), function);
  const host_array<T> values = asnumpy(all_of_them);
  index_t zeros = 0;
  while (zeros + 1 < values.size() && values[zeros] == T()) ++zeros;
  return stretch_of(all_of_them, 0, zeros, values.size() - zeros);
}

template <class A, class B>
using promoted_type = type_of<promote(dtype_of<typename A::value_type>, dtype_of<typename B::value_type>)>;
/// The type of a quotient of elements of T.
template <class T>
using divided = std::conditional_t<is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_, double, T>;

/// Combines the last coefficients of both; those that only the longer one has are combined with zero.
template <class R, class A, class B, class Op>
array<R> combined(const A& a, const B& b, const Op& op, const char* function) {
  require_same_device(function, a.device(), b.device());
  const index_t length = (std::max)(a.size(), b.size());
  const index_t common = (std::min)(a.size(), b.size());
  const array<R> result(shape_t{length}, a.device(), function);
  const auto last = [common](const auto& x) { return stretch_of(x, 0, x.size() - common, common); };
  last(result).assign(op(last(a), last(b)));
  const array<R> first = stretch_of(result, 0, 0, length - common);
  if (a.size() > common) first.assign(stretch_of(a, 0, 0, length - common));
  if (b.size() > common) first.assign(op(array<R>(scalar::cast<R>(0)), stretch_of(b, 0, 0, length - common)));
  return result;
}

}  // namespace detail

/// auto [q, r] = polydiv(u, v);
template <class T>
struct polydiv_result {
  array<T> q;
  array<T> r;
};

template <array_like A, array_like B>
auto polyadd(const A& a, const B& b) {
  using R = detail::promoted_type<A, B>;
  return detail::combined<R>(
      detail::coefficients(a, "polyadd"), detail::coefficients(b, "polyadd"),
      [](const auto& x, const auto& y) { return add(x, y); }, "polyadd");
}
template <array_like A, array_like B>
auto polysub(const A& a, const B& b) {
  using R = detail::promoted_type<A, B>;
  return detail::combined<R>(
      detail::coefficients(a, "polysub"), detail::coefficients(b, "polysub"),
      [](const auto& x, const auto& y) { return subtract(x, y); }, "polysub");
}
/// The product. It has to wait, because leading zeros of the factors are left out, so that the shape depends on
/// the values.
template <array_like A, array_like B>
auto polymul(const A& a, const B& b) {
  return convolve(detail::without_leading_zeros(a, "polymul"), detail::without_leading_zeros(b, "polymul"));
}

/// u = q v + r. It has to wait, because leading zeros of the remainder are left out, so that its shape depends
/// on the values.
template <array_like U, array_like V>
auto polydiv(const U& u, const V& v) {
  // Integers become double before the two types are promoted: of int8 and float, the result is double.
  using R = type_of<promote(dtype_of<detail::divided<typename U::value_type>>,
                            dtype_of<detail::divided<typename V::value_type>>)>;
  const array<R> divisor = detail::coefficients(v, "polydiv").template astype<R>();
  const array<R> dividend = detail::coefficients(u, "polydiv").template astype<R>();
  detail::require_same_device("polydiv", dividend.device(), divisor.device());
  if (divisor.size() == 0 || dividend.size() == 0)
    throw error("polydiv: a polynomial has one coefficient at least");
  const array<R> r = copy(dividend);
  const index_t steps = (std::max)(r.size() - divisor.size() + 1, index_t{0});
  const array<R> q = detail::filled<R>(shape_t{(std::max)(steps, index_t{1})}, R(), r.device(), "polydiv");
  for (index_t k = 0; k < steps; ++k) {
    q(k).assign(r(k) / divisor(0));
    array<R> rest = detail::stretch_of(r, 0, k, divisor.size());
    rest -= q(k) * divisor;
  }
  const host_array<R> values = asnumpy(r);
  index_t zeros = 0;
  while (zeros + 1 < r.size() && std::abs(scalar::cast<detail::computed_in<R>>(values[zeros])) <= 1e-8) ++zeros;
  return polydiv_result<R>{q, detail::stretch_of(r, 0, zeros, r.size() - zeros)};
}

// Polynomials in braces or in a std::vector: polymul(p, {1, -2}), polymul({1, 0.5}, {1, -2}).
#define GNP_POLYNOMIALS_OF_LISTS(function)                               \
  GNP_TAKES_LISTS(function)                                              \
  GNP_TAKES_TWO_LISTS(function)                                          \
  template <class A, class B>                                            \
    requires(detail::is_host_vector_v<A> && detail::is_host_vector_v<B>) \
  auto function(const A& a, const B& b) {                                \
    return function(asarray(a), asarray(b));                             \
  }
GNP_POLYNOMIALS_OF_LISTS(polyadd)
GNP_POLYNOMIALS_OF_LISTS(polysub)
GNP_POLYNOMIALS_OF_LISTS(polymul)
GNP_POLYNOMIALS_OF_LISTS(polydiv)
#undef GNP_POLYNOMIALS_OF_LISTS

}}  // namespace gnp::GNP_ABI
