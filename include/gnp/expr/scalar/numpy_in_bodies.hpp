// SPDX-License-Identifier: MIT
// NumPy's ufuncs that C++'s standard library does not have, or has with another meaning, as the body of a
// GNP_UFUNC sees them: they compute what gnp's functions of these names compute for arrays.
#pragma once

#include <gnp/expr/scalar/body.hpp>
#include <gnp/expr/scalar/parts.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Of integers, functions with fractions as values compute in double.
GNP_SCALAR(floating_argument, body,
  template <class... X> constexpr auto floating_argument(X... x) {
    if constexpr ((is_integer_v<X> && ...)) { return 0.0; } else { return common_argument(x...); }
  })

// Integers are compared as the numbers they are, without a common type.
GNP_SCALAR(comparable_argument, body,
  template <class X, class Y> constexpr auto comparable_argument(X x, Y y) {
    if constexpr (is_integer_v<X> && is_integer_v<Y>) { return; } else { return common_argument(x, y); }
  })

GNP_SCALAR(is_true, body, template <class T> constexpr bool is_true(T x) { return cast<bool>(out_of_body(x)); })

// 10^400 is already infinite.
GNP_SCALAR(power_of_ten, body,
  constexpr double power_of_ten(int n) {
    double power = 1;
    for (int rest = n < 400 ? n : 400; rest > 0; --rest) { power *= 10; }
    return power;
  })

// An integer rounds to zero if its type has no such power of ten.
GNP_SCALAR(rounded_at, body,
  template <class T> constexpr T rounded_at(T x, int decimals) {
    if constexpr (is_complex_v<T>) { return T(rounded_at(x.real(), decimals), rounded_at(x.imag(), decimals)); }
    else if constexpr (is_integer_v<T>) {
      constexpr double beyond = 2.0 * static_cast<double>(1ULL << (sizeof(T) * 8 - (is_signed_integer<T>() ? 2 : 1)));
      const double unit = power_of_ten(-decimals);
      return round_decimals(x, T(1), decimals >= 0 ? T(1) : unit < beyond ? static_cast<T>(unit) : T(0));
    } else {
      return round_decimals(x, static_cast<T>(power_of_ten(decimals)), static_cast<T>(power_of_ten(-decimals)));
    }
  })

// do(name, the function it means): of the arguments' common type, as in C++.
#define GNP_FOR_EACH_NUMPY_ALIAS(do)                                                                              \
  do(add, plus) do(bitwise_count, count_bits) do(bitwise_invert, flip_bits) do(bitwise_left_shift, shift_left)    \
  do(bitwise_not, flip_bits) do(bitwise_right_shift, shift_right) do(fix, trunc) do(floor_divide, floor_divide)   \
  do(invert, flip_bits) do(left_shift, shift_left) do(mod, remainder) do(multiply, times) do(negative, negate)    \
  do(reciprocal, reciprocal) do(remainder, remainder) do(right_shift, shift_right) do(subtract, minus)
// Of floating-point numbers.
#define GNP_FOR_EACH_NUMPY_FLOATING(do)                                                                           \
  do(angle, phase) do(deg2rad, radians_of) do(degrees, degrees_of) do(divide, over) do(heaviside, heaviside)      \
  do(i0, bessel_i0) do(logaddexp, logaddexp) do(logaddexp2, logaddexp2) do(nextafter, next_toward)                \
  do(rad2deg, degrees_of) do(radians, radians_of) do(sinc, sinc) do(spacing, distance_to_next)                    \
  do(true_divide, over)
// do(name, the result for numbers a and b).
#define GNP_FOR_EACH_NUMPY_COMPARISON(do)                                                                         \
  do(equal, (scalar::equal)(a, b)) do(greater, (scalar::less)(b, a)) do(greater_equal, (scalar::less_equal)(b, a)) \
  do(less, (scalar::less)(a, b)) do(less_equal, (scalar::less_equal)(a, b)) do(not_equal, !(scalar::equal)(a, b))
#define GNP_FOR_EACH_NUMPY_BITS(do) do(bitwise_and, a & b) do(bitwise_or, a | b) do(bitwise_xor, a ^ b)
// do(name, the result for arguments x, or x and y, of types X and Y).
#define GNP_FOR_EACH_NUMPY_UNARY(do)                                                                              \
  do(isneginf, (scalar::isinf)(out_of_body(x)) && x < X(0)) do(isposinf, (scalar::isinf)(out_of_body(x)) && x > X(0)) \
  do(logical_not, !is_true(x)) do(positive, x)
#define GNP_FOR_EACH_NUMPY_BINARY(do)                                                                             \
  do(float_power, (scalar::to_the_power)(float_power_argument(x, y), float_power_argument(y, x)))                 \
  do(ldexp, result_for<X>((scalar::scale_by_power_of_two)(argument_as<decltype(floating_argument(x))>(x), y)))      \
  do(logical_and, is_true(x) && is_true(y)) do(logical_or, is_true(x) || is_true(y))                              \
  do(logical_xor, is_true(x) != is_true(y))

// float_power computes in double, or in complex128 if one of the two is complex.
GNP_SCALAR(float_power_argument, body,
  template <class T, class Other> constexpr auto float_power_argument(T x, Other) {
    if constexpr (is_complex_v<T> || is_complex_v<Other>) { return cast<std::complex<double>>(out_of_body(x)); }
    else { return cast<double>(out_of_body(x)); }
  })

#define GNP_BODY_OBJECT(name, ...)                                                                              \
  GNP_SCALAR(name, body, namespace body {                                                                       \
    struct name##_function { __VA_ARGS__ };                                                                     \
    [[maybe_unused]] inline constexpr name##_function name{};                                                   \
  })
#define GNP_NUMPY_ALIAS(name, function)                                                                         \
  GNP_BODY_OBJECT(name, template <class... X> constexpr auto operator()(X... x) const {                         \
    return result_for<X...>((scalar::function)(argument_as<decltype(common_argument(x...))>(x)...));              \
  })
#define GNP_NUMPY_FLOATING(name, function)                                                                      \
  GNP_BODY_OBJECT(name, template <class... X> constexpr auto operator()(X... x) const {                         \
    return result_for<X...>((scalar::function)(argument_as<decltype(floating_argument(x...))>(x)...));            \
  })
#define GNP_NUMPY_COMPARISON(name, ...)                                                                         \
  GNP_BODY_OBJECT(name, template <class X, class Y> constexpr bool operator()(X x, Y y) const {                 \
    const auto a = argument_as<decltype(comparable_argument(x, y))>(x);                                           \
    const auto b = argument_as<decltype(comparable_argument(x, y))>(y);                                           \
    return __VA_ARGS__;                                                                                         \
  })
#define GNP_NUMPY_BITS(name, ...)                                                                               \
  GNP_BODY_OBJECT(name, template <integer X, integer Y> constexpr auto operator()(X x, Y y) const {             \
    const auto a = argument_as<decltype(common_argument(x, y))>(x);                                               \
    const auto b = argument_as<decltype(common_argument(x, y))>(y);                                               \
    return static_cast<decltype(a)>(__VA_ARGS__);                                                               \
  })
#define GNP_NUMPY_UNARY(name, ...)                                                                              \
  GNP_BODY_OBJECT(name, template <class X> constexpr auto operator()(X x) const { return __VA_ARGS__; })
#define GNP_NUMPY_BINARY(name, ...)                                                                             \
  GNP_BODY_OBJECT(name, template <class X, class Y> constexpr auto operator()(X x, Y y) const { return __VA_ARGS__; })
GNP_FOR_EACH_NUMPY_ALIAS(GNP_NUMPY_ALIAS)
GNP_FOR_EACH_NUMPY_FLOATING(GNP_NUMPY_FLOATING)
GNP_FOR_EACH_NUMPY_COMPARISON(GNP_NUMPY_COMPARISON)
GNP_FOR_EACH_NUMPY_BITS(GNP_NUMPY_BITS)
GNP_FOR_EACH_NUMPY_UNARY(GNP_NUMPY_UNARY)
GNP_FOR_EACH_NUMPY_BINARY(GNP_NUMPY_BINARY)
#define GNP_ROUNDING(name)                                                                                      \
  GNP_BODY_OBJECT(name,                                                                                         \
    template <class X> constexpr auto operator()(X x) const { return result_for<X>(round_to_even(out_of_body(x))); } \
    template <class X> constexpr auto operator()(X x, int decimals) const {                                     \
      return result_for<X>(rounded_at(out_of_body(x), decimals));                                               \
    })
GNP_ROUNDING(around)
GNP_ROUNDING(round)
#undef GNP_ROUNDING
#undef GNP_NUMPY_BINARY
#undef GNP_NUMPY_UNARY
#undef GNP_NUMPY_BITS
#undef GNP_NUMPY_COMPARISON
#undef GNP_NUMPY_FLOATING
#undef GNP_NUMPY_ALIAS
#undef GNP_BODY_OBJECT

// These two mean the same in std.
namespace body_std {
using body::ldexp;
using body::nextafter;
}  // namespace body_std

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar

/// do(name, ...) for each of these functions.
// clang-format off
#define GNP_FOR_EACH_NUMPY_FUNCTION(do)                                                                          \
  GNP_FOR_EACH_NUMPY_ALIAS(do) GNP_FOR_EACH_NUMPY_FLOATING(do) GNP_FOR_EACH_NUMPY_COMPARISON(do)                 \
  GNP_FOR_EACH_NUMPY_BITS(do) GNP_FOR_EACH_NUMPY_UNARY(do) GNP_FOR_EACH_NUMPY_BINARY(do) do(around) do(round)

/// What a body sees besides its parameters, as declarations in its block.
#define GNP_BODY_NAME(name, ...) using ::gnp::scalar::body::name;
#define GNP_BODY_NAMES                                                                                           \
  GNP_FOR_EACH_BODY_FUNCTION(GNP_BODY_NAME)                                                                      \
  GNP_FOR_EACH_BODY_ALIAS(GNP_BODY_NAME)                                                                         \
  GNP_FOR_EACH_NUMPY_FUNCTION(GNP_BODY_NAME)                                                                     \
  GNP_BODY_NAME(results)                                                                                         \
  using ::gnp::scalar::body::operator+, ::gnp::scalar::body::operator-, ::gnp::scalar::body::operator*,          \
      ::gnp::scalar::body::operator/, ::gnp::scalar::body::operator==;                                          \
  namespace std = ::gnp::scalar::body_std;
// clang-format on
