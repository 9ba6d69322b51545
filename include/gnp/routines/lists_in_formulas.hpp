// SPDX-License-Identifier: MIT
// Numbers in braces in formulas: sin({1, 2}), add(x, {1, 2, 3}), where(c, {1, 2}, x). They become an array,
// beside the others where there are some.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/routines/comparisons.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_TAKES_VALUES(sqrt)
GNP_TAKES_VALUES(cbrt)
GNP_TAKES_VALUES(exp)
GNP_TAKES_VALUES(exp2)
GNP_TAKES_VALUES(expm1)
GNP_TAKES_VALUES(log)
GNP_TAKES_VALUES(log2)
GNP_TAKES_VALUES(log10)
GNP_TAKES_VALUES(log1p)
GNP_TAKES_VALUES(sin)
GNP_TAKES_VALUES(cos)
GNP_TAKES_VALUES(tan)
GNP_TAKES_VALUES(arcsin)
GNP_TAKES_VALUES(arccos)
GNP_TAKES_VALUES(arctan)
GNP_TAKES_VALUES(sinh)
GNP_TAKES_VALUES(cosh)
GNP_TAKES_VALUES(tanh)
GNP_TAKES_VALUES(arcsinh)
GNP_TAKES_VALUES(arccosh)
GNP_TAKES_VALUES(arctanh)
GNP_TAKES_VALUES(asin)
GNP_TAKES_VALUES(acos)
GNP_TAKES_VALUES(atan)
GNP_TAKES_VALUES(asinh)
GNP_TAKES_VALUES(acosh)
GNP_TAKES_VALUES(atanh)
GNP_TAKES_VALUES(erf)
GNP_TAKES_VALUES(erfc)
GNP_TAKES_VALUES(lgamma)
GNP_TAKES_VALUES(tgamma)
GNP_TAKES_VALUES(degrees)
GNP_TAKES_VALUES(radians)
GNP_TAKES_VALUES(rad2deg)
GNP_TAKES_VALUES(deg2rad)
GNP_TAKES_VALUES(sinc)
GNP_TAKES_VALUES(floor)
GNP_TAKES_VALUES(ceil)
GNP_TAKES_VALUES(trunc)
GNP_TAKES_VALUES(fix)
GNP_TAKES_VALUES(rint)
GNP_TAKES_VALUES(real)
GNP_TAKES_VALUES(imag)
GNP_TAKES_VALUES(conj)
GNP_TAKES_VALUES(conjugate)
GNP_TAKES_VALUES(angle)
GNP_TAKES_VALUES(negative)
GNP_TAKES_VALUES(positive)
GNP_TAKES_VALUES(absolute)
GNP_TAKES_VALUES(abs)
GNP_TAKES_VALUES(fabs)
GNP_TAKES_VALUES(sign)
GNP_TAKES_VALUES(reciprocal)
GNP_TAKES_VALUES(square)
GNP_TAKES_VALUES(logical_not)
GNP_TAKES_VALUES(invert)
GNP_TAKES_VALUES(bitwise_not)
GNP_TAKES_VALUES(bitwise_invert)
GNP_TAKES_VALUES(isnan)
GNP_TAKES_VALUES(isinf)
GNP_TAKES_VALUES(isfinite)
GNP_TAKES_VALUES(isposinf)
GNP_TAKES_VALUES(isneginf)
GNP_TAKES_VALUES(signbit)
GNP_TAKES_VALUES(spacing)
GNP_TAKES_VALUES(bitwise_count)
GNP_TAKES_VALUES(i0)
GNP_TAKES_VALUES(round)
GNP_TAKES_VALUES(around)
GNP_TAKES_VALUES(nan_to_num)

GNP_TAKES_BRACES(maximum)
GNP_TAKES_BRACES(minimum)
GNP_TAKES_BRACES(fmax)
GNP_TAKES_BRACES(fmin)
GNP_TAKES_TWO_LISTS(maximum)
GNP_TAKES_TWO_LISTS(minimum)
GNP_TAKES_TWO_LISTS(fmax)
GNP_TAKES_TWO_LISTS(fmin)

// The others take numbers of one type in one place. (More forms of all of them would take every file longer to
// read.)
#define GNP_TAKES_NUMBERS(function)                                                \
  GNP_TAKES_BRACES_OF(function, scalar_like Number, std::initializer_list<Number>) \
  GNP_TAKES_BRACES_OF(function, scalar_like Number, std::initializer_list<std::initializer_list<Number>>)
GNP_TAKES_NUMBERS(add)
GNP_TAKES_NUMBERS(subtract)
GNP_TAKES_NUMBERS(multiply)
GNP_TAKES_NUMBERS(divide)
GNP_TAKES_NUMBERS(true_divide)
GNP_TAKES_NUMBERS(floor_divide)
GNP_TAKES_NUMBERS(remainder)
GNP_TAKES_NUMBERS(mod)
GNP_TAKES_NUMBERS(fmod)
GNP_TAKES_NUMBERS(power)
GNP_TAKES_NUMBERS(pow)
GNP_TAKES_NUMBERS(float_power)
GNP_TAKES_NUMBERS(gcd)
GNP_TAKES_NUMBERS(lcm)
GNP_TAKES_NUMBERS(logaddexp)
GNP_TAKES_NUMBERS(logaddexp2)
GNP_TAKES_NUMBERS(arctan2)
GNP_TAKES_NUMBERS(atan2)
GNP_TAKES_NUMBERS(hypot)
GNP_TAKES_NUMBERS(heaviside)
GNP_TAKES_NUMBERS(copysign)
GNP_TAKES_NUMBERS(nextafter)
GNP_TAKES_NUMBERS(ldexp)
GNP_TAKES_NUMBERS(equal)
GNP_TAKES_NUMBERS(not_equal)
GNP_TAKES_NUMBERS(less)
GNP_TAKES_NUMBERS(less_equal)
GNP_TAKES_NUMBERS(greater)
GNP_TAKES_NUMBERS(greater_equal)
GNP_TAKES_NUMBERS(logical_and)
GNP_TAKES_NUMBERS(logical_or)
GNP_TAKES_NUMBERS(logical_xor)
GNP_TAKES_NUMBERS(bitwise_and)
GNP_TAKES_NUMBERS(bitwise_or)
GNP_TAKES_NUMBERS(bitwise_xor)
GNP_TAKES_NUMBERS(left_shift)
GNP_TAKES_NUMBERS(right_shift)
GNP_TAKES_NUMBERS(bitwise_left_shift)
GNP_TAKES_NUMBERS(bitwise_right_shift)
#undef GNP_TAKES_NUMBERS

/// isclose with its first argument in braces.
template <scalar_like Number, array_like B>
auto isclose(std::initializer_list<Number> a, const B& b, const isclose_options& options = {}) {
  return isclose(detail::list_beside(b, a), b, options);
}
template <array_like B>
auto isclose(std::initializer_list<detail::any_real> a, const B& b, const isclose_options& options = {}) {
  return isclose(detail::list_beside(b, a), b, options);
}
template <scalar_like Number, array_like B>
auto isclose(std::initializer_list<std::initializer_list<Number>> a, const B& b,
             const isclose_options& options = {}) {
  return isclose(detail::list_beside(b, a), b, options);
}
template <array_like B>
auto isclose(std::initializer_list<std::initializer_list<double>> a, const B& b,
             const isclose_options& options = {}) {
  return isclose(detail::list_beside(b, a), b, options);
}

// Bounds in braces, or in a std::vector: clip(x, {1, 2, 3}, 5).
#define GNP_CLIP_TO_BRACES(parameter, list_type)           \
  template <array_like X, parameter, class High>           \
  auto clip(const X& x, list_type low, const High& high) { \
    return clip(x, detail::list_beside(x, low), high);     \
  }                                                        \
  template <array_like X, class Low, parameter>            \
  auto clip(const X& x, const Low& low, list_type high) {  \
    return clip(x, low, detail::list_beside(x, high));     \
  }
GNP_CLIP_TO_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_CLIP_TO_BRACES(class Nothing = void, std::initializer_list<double>)
#undef GNP_CLIP_TO_BRACES
template <array_like X, scalar_like A, scalar_like B>
auto clip(const X& x, std::initializer_list<A> low, std::initializer_list<B> high) {
  return clip(x, detail::list_beside(x, low), detail::list_beside(x, high));
}
template <array_like X>
auto clip(const X& x, std::initializer_list<double> low, std::initializer_list<double> high) {
  return clip(x, detail::list_beside(x, low), detail::list_beside(x, high));
}
template <array_like X, class Low, class High>
  requires(detail::is_host_vector_v<Low> || detail::is_host_vector_v<High>)
auto clip(const X& x, const Low& low, const High& high) {
  const auto bound = [&x](const auto& given) {
    if constexpr (detail::is_host_vector_v<std::remove_cvref_t<decltype(given)>>) {
      return detail::list_beside(x, given);
    } else {
      return given;
    }
  };
  return clip(x, bound(low), bound(high));
}
GNP_TAKES_VALUES(clip)

namespace detail {

#define GNP_CLIP_TO_BRACES(parameter, list_type)                             \
  template <class Derived>                                                   \
  template <parameter, class High>                                           \
  auto array_members<Derived>::clip(list_type low, const High& high) const { \
    return gnp::clip(derived(), list_beside(derived(), low), high);          \
  }                                                                          \
  template <class Derived>                                                   \
  template <class Low, parameter>                                            \
  auto array_members<Derived>::clip(const Low& low, list_type high) const {  \
    return gnp::clip(derived(), low, list_beside(derived(), high));          \
  }
GNP_CLIP_TO_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_CLIP_TO_BRACES(class Nothing, std::initializer_list<double>)
#undef GNP_CLIP_TO_BRACES
template <class Derived>
template <scalar_like A, scalar_like B>
auto array_members<Derived>::clip(std::initializer_list<A> low, std::initializer_list<B> high) const {
  return gnp::clip(derived(), list_beside(derived(), low), list_beside(derived(), high));
}
template <class Derived>
template <class Nothing>
auto array_members<Derived>::clip(std::initializer_list<double> low, std::initializer_list<double> high) const {
  return gnp::clip(derived(), list_beside(derived(), low), list_beside(derived(), high));
}

}  // namespace detail

#define GNP_WHERE_OF_BRACES(parameter, list_type)                  \
  template <array_like C, parameter, class Y>                      \
    requires(array_like<Y> || scalar_like<Y>)                      \
  auto where(const C& condition, list_type x, const Y& y) {        \
    return where(condition, detail::list_beside(condition, x), y); \
  }                                                                \
  template <array_like C, class X, parameter>                      \
    requires(array_like<X> || scalar_like<X>)                      \
  auto where(const C& condition, const X& x, list_type y) {        \
    return where(condition, x, detail::list_beside(condition, y)); \
  }
GNP_WHERE_OF_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_WHERE_OF_BRACES(class Nothing = void, std::initializer_list<double>)
#undef GNP_WHERE_OF_BRACES
/// Both in braces, of one type.
template <array_like C, scalar_like Number>
auto where(const C& condition, std::initializer_list<Number> x, std::initializer_list<Number> y) {
  return where(condition, detail::list_beside(condition, x), detail::list_beside(condition, y));
}
/// The condition in braces: where({true, false}, x, 0).
template <std::same_as<bool> Bool, class X, class Y>
  requires((array_like<X> || scalar_like<X>) && (array_like<Y> || scalar_like<Y>))
auto where(std::initializer_list<Bool> condition, const X& x, const Y& y) {
  if constexpr (array_like<X>) {
    return where(detail::list_beside(x, condition), x, y);
  } else {
    return where(detail::list_beside(y, condition), x, y);
  }
}

}}  // namespace gnp::GNP_ABI
