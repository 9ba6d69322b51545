// SPDX-License-Identifier: MIT
// isclose, allclose, array_equal, array_equiv: comparisons of whole arrays.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/routines/reductions.hpp>
#include <initializer_list>

namespace gnp { inline namespace GNP_ABI {

/// isclose and allclose: |a - b| <= atol + rtol * |b|.
struct isclose_options {
  by_name only = by_name();
  double rtol = 1e-5;
  double atol = 1e-8;
  bool equal_nan = false;
};

struct array_equal_options {
  by_name only = by_name();
  bool equal_nan = false;
};

namespace detail {

template <class A, class B>
concept comparable = (array_like<A> || scalar_like<A>) && (array_like<B> || scalar_like<B>);

template <class X>
inline constexpr bool holds_nan = is_inexact_v<type_of<operand_type_of<X>().type>>;

/// Integers become double, so that their differences and magnitudes do not overflow.
template <class X>
decltype(auto) inexact(const X& x) {
  if constexpr (holds_nan<X>) {
    return (x);
  } else if constexpr (scalar_like<X>) {
    return static_cast<double>(x);
  } else {
    return x.template astype<double>();
  }
}

/// The magnitude of a scalar. It is computed on the host, because there the scalar's type is still weak.
template <scalar_like X>
double size_of(X x) {
  if constexpr (is_complex(dtype_of<X>)) {
    return std::abs(complex128(x));
  } else {
    return std::abs(static_cast<double>(x));
  }
}

template <class X>
auto is_finite(const X& x) {
  if constexpr (scalar_like<X>) {
    return std::isfinite(size_of(x));
  } else {
    return isfinite(x);
  }
}
template <class X>
auto is_nan(const X& x) {
  if constexpr (scalar_like<X>) {
    return x != x;
  } else {
    return isnan(x);
  }
}
template <class Y>
auto allowed_difference(const Y& y, const isclose_options& options) {
  if constexpr (scalar_like<Y>) {
    return options.atol + options.rtol * size_of(y);
  } else {
    return options.atol + options.rtol * absolute(y);
  }
}

}  // namespace detail

// b in braces: isclose(x, {1, 2}, {.atol = 0.5}), and with the tolerances in NumPy's order.
#define GNP_CLOSE_TO_BRACES(function)                                                              \
  GNP_CLOSE_TO(function, scalar_like Number, std::initializer_list<Number>)                        \
  GNP_CLOSE_TO(function, class Nothing = void, std::initializer_list<detail::any_real>)            \
  GNP_CLOSE_TO(function, scalar_like Number, std::initializer_list<std::initializer_list<Number>>) \
  GNP_CLOSE_TO(function, class Nothing = void, std::initializer_list<std::initializer_list<double>>)
#define GNP_CLOSE_TO(function, parameter, list_type)                                        \
  template <array_like A, parameter>                                                        \
  auto function(const A& a, list_type b, const isclose_options& options = {}) {             \
    return function(a, detail::list_beside(a, b), options);                                 \
  }                                                                                         \
  template <array_like A, parameter>                                                        \
  auto function(const A& a, list_type b, double rtol, double atol = isclose_options().atol, \
                bool equal_nan = false) {                                                   \
    return function(a, detail::list_beside(a, b),                                           \
                    isclose_options{.rtol = rtol, .atol = atol, .equal_nan = equal_nan});   \
  }

/// Where a is close to b: |a - b| <= atol + rtol * |b|, or both are the same infinity, or, with equal_nan, NaN.
/// An expression; of two numbers, a bool.
template <class A, class B>
  requires detail::comparable<A, B>
auto isclose(const A& a, const B& b, const isclose_options& options = {}) {
  if constexpr (array_like<A> && array_like<B>) detail::broadcast("isclose", a.shape(), b.shape());
  const auto& y = detail::inexact(b);
  const auto close =
      logical_or(logical_and(less_equal(absolute(subtract(a, y)), detail::allowed_difference(y, options)),
                             detail::is_finite(y)),
                 equal(a, y));
  if constexpr (detail::holds_nan<A> && detail::holds_nan<B>) {
    return logical_or(close, logical_and(options.equal_nan, logical_and(detail::is_nan(a), detail::is_nan(y))));
  } else {
    return close;
  }
}

/// The tolerances in NumPy's order.
template <class A, class B, scalar_like Number>
  requires detail::comparable<A, B>
auto isclose(const A& a, const B& b, Number rtol, double atol = isclose_options().atol,
             bool equal_nan = false) {
  return isclose(a, b, {.rtol = static_cast<double>(rtol), .atol = atol, .equal_nan = equal_nan});
}

GNP_CLOSE_TO_BRACES(isclose)
GNP_TAKES_VECTORS(isclose, isclose_options)
GNP_REFUSES_VECTORS(isclose)

/// Are all elements of a close to those of b? Waits for the result.
template <class A, class B>
  requires detail::comparable<A, B>
bool allclose(const A& a, const B& b, const isclose_options& options = {}) {
  const detail::asks_for_elements asking("allclose");
  if constexpr (scalar_like<A> && scalar_like<B>) {
    return isclose(a, b, options);
  } else {
    if constexpr (array_like<A> && array_like<B>) detail::broadcast("allclose", a.shape(), b.shape());
    return detail::all_along(isclose(a, b, options), {}).item();
  }
}
template <class A, class B, scalar_like Number>
  requires detail::comparable<A, B>
bool allclose(const A& a, const B& b, Number rtol, double atol = isclose_options().atol,
              bool equal_nan = false) {
  return allclose(a, b,
                  isclose_options{.rtol = static_cast<double>(rtol), .atol = atol, .equal_nan = equal_nan});
}
GNP_CLOSE_TO_BRACES(allclose)
#undef GNP_CLOSE_TO_BRACES
GNP_TAKES_VECTORS(allclose, isclose_options)
GNP_REFUSES_VECTORS(allclose)

/// Do both have the same shape and the same elements? Waits for the result.
template <array_like A, array_like B>
bool array_equal(const A& a, const B& b, const array_equal_options& options = {}) {
  const detail::asks_for_elements asking("array_equal");
  if (!(a.shape() == b.shape())) return false;
  if constexpr (detail::holds_nan<A> && detail::holds_nan<B>) {
    if (options.equal_nan)
      return detail::all_along(logical_or(a == b, logical_and(isnan(a), isnan(b))), {}).item();
  }
  return detail::all_along(a == b, {}).item();
}
template <array_like A, scalar_like Number>
bool array_equal(const A& a, std::initializer_list<Number> b, const array_equal_options& options = {}) {
  return array_equal(a, detail::list_beside(a, b), options);
}
template <array_like A, scalar_like Number>
bool array_equal(const A& a, std::initializer_list<std::initializer_list<Number>> b,
                 const array_equal_options& options = {}) {
  return array_equal(a, detail::list_beside(a, b), options);
}
template <array_like A>
bool array_equal(const A& a, std::initializer_list<double> b, const array_equal_options& options = {}) {
  return array_equal(a, detail::list_beside(a, b), options);
}
GNP_TAKES_VECTORS(array_equal, array_equal_options)
GNP_REFUSES_VECTORS(array_equal)

/// Do both have the same elements after broadcasting to one shape? Waits for the result.
template <class A, class B>
  requires(detail::comparable<A, B> && (array_like<A> || array_like<B>))
bool array_equiv(const A& a, const B& b) {
  const detail::asks_for_elements asking("array_equiv");
  if constexpr (array_like<A> && array_like<B>) {
    shape_t shape;
    if (!detail::broadcast_shapes(a.shape(), b.shape(), shape)) return false;
  }
  return detail::all_along(a == b, {}).item();
}
GNP_TAKES_LISTS(array_equiv)

}}  // namespace gnp::GNP_ABI
