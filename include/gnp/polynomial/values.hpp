// SPDX-License-Identifier: MIT
// polyval and polyvander: the values of polynomials at many points.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/polynomial/arithmetic.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/triangles.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Eight steps of Horner's rule, or four, as one formula. `next` gives the coefficients in their order.
template <int Steps, class Value, class X, class Next>
auto horner(const Value& value, const X& x, Next& next) {
  if constexpr (Steps == 1) {
    return value * x + next();
  } else {
    return horner<Steps - 1>(value * x + next(), x, next);
  }
}

}  // namespace detail

/// The polynomial at each element of x, by Horner's rule. One kernel handles eight coefficients, of which the
/// first are 0 if there are not as many.
template <array_like P, array_like X>
auto polyval(const P& p, const X& x) {
  using R = detail::promoted_type<P, X>;
  const auto c = detail::coefficients(p, "polyval");
  // Truth values are numbers of the result's type: beside the 0 that the sums begin with, they would be int64.
  constexpr bool truths = std::is_same_v<typename X::value_type, bool>;
  using place = std::conditional_t<truths, R, typename X::value_type>;
  const array<place> places = detail::in_type<place>(x);
  using first_sum = std::conditional_t<std::is_same_v<R, bool>, bool, int>;
  detail::require_same_device("polyval", c.device(), places.device());
  const index_t count = c.size();
  if (count == 0) return detail::filled<R>(places.shape(), R(), places.device(), "polyval");
  const index_t steps = count <= 4 ? 4 : 8;
  const index_t missing = (steps - count % steps) % steps;
  using coefficient = typename decltype(c)::value_type;
  const array<coefficient> none_there =
      missing == 0 ? c(0) : detail::filled<coefficient>({}, coefficient(), c.device(), "polyval");
  index_t i = -missing;
  const auto next = [&] { return i++ < 0 ? none_there : c(i - 1); };
  array<R> value = count <= 4 ? array<R>(detail::horner<4>(first_sum(), places, next))
                              : array<R>(detail::horner<8>(first_sum(), places, next));
  while (i < count) value = detail::horner<8>(value, places, next);
  return value;
}
/// The polynomial at one place.
template <array_like P, scalar_like X>
auto polyval(const P& p, X x) {
  const use_device guard(p.device());
  using place = std::conditional_t<std::is_integral_v<X>, std::int64_t, X>;
  return polyval(p, array<place>(static_cast<place>(x)));
}

/// For coefficients in braces: polyval({1, 0, -2}, x).
template <scalar_like Number, array_like X>
auto polyval(std::initializer_list<Number> p, const X& x) {
  return polyval(detail::list_beside(x, p), x);
}
template <array_like X>
auto polyval(std::initializer_list<double> p, const X& x) {
  return polyval(detail::list_beside(x, p), x);
}
template <scalar_like Number, scalar_like X>
auto polyval(std::initializer_list<Number> p, X x) {
  return polyval(asarray(p), x);
}
template <scalar_like X>
auto polyval(std::initializer_list<double> p, X x) {
  return polyval(asarray(p), x);
}

/// For places in braces: polyval(p, {0, 0.5, 1}), polyval({1, 0, -2}, {1, 2}).
template <array_like P, scalar_like Number>
auto polyval(const P& p, std::initializer_list<Number> x) {
  return polyval(p, detail::list_beside(p, x));
}
template <array_like P>
auto polyval(const P& p, std::initializer_list<double> x) {
  return polyval(p, detail::list_beside(p, x));
}
GNP_TAKES_TWO_LISTS(polyval)

/// For coefficients in a std::vector.
template <class P, class X>
  requires(detail::is_host_vector_v<P> && (array_like<X> || scalar_like<X>))
auto polyval(const P& p, const X& x) {
  return polyval(detail::list_beside(x, p), x);
}
GNP_REFUSES_ALL_VECTORS(polyval)

/// The powers 0, 1, ... degree of each element of x, along a new last axis, like numpy.polynomial's polyvander.
template <array_like X>
auto polyvander(const X& x, detail::any_integer degree) {
  using R = detail::divided<typename X::value_type>;
  const index_t last = degree;
  if (last < 0) throw error("polyvander: deg must be non-negative, got " + std::to_string(last));
  const array<R> given = x.template astype<R>();
  const array<R> base = given.ndim() == 0 ? reshape(given, {1}) : given;  // as NumPy, for a single number
  shape_t shape = base.shape();
  shape.push_back(last + 1);
  const array<R> result(shape, base.device(), "polyvander");
  if (result.size() == 0) return result;
  result(ellipsis, 0).fill(scalar::cast<R>(1));
  shape[shape.rank() - 1] = last;
  if (last > 0) {
    result(ellipsis, slice(1, none)).assign(cumprod(broadcast_to(expand_dims(base, -1), shape), -1));
  }
  return result;
}

}}  // namespace gnp::GNP_ABI
