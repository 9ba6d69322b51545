// SPDX-License-Identifier: MIT
// Comparisons, extrema and selection. Integers of two types compare as the numbers they are.
#pragma once

#include <gnp/expr/scalar/arithmetic.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// On the device, each of these is one instruction, for which a negative zero is less than a positive one.
constexpr float gnp_larger_float(float x, float y) {
  const float larger = y > x ? y : x;
  return y != y ? y : larger;
}
constexpr float gnp_smaller_float(float x, float y) {
  const float smaller = y < x ? y : x;
  return y != y ? y : smaller;
}

// clang-format off

// Does C++ itself compare integers of these types by their values? Not where a negative one would become unsigned.
GNP_SCALAR(compares_values, real,
  template <integer X, integer Y> constexpr bool compares_values() {
    if constexpr (is_signed_integer<X>() == is_signed_integer<Y>()) { return true; }
    else if constexpr (is_signed_integer<X>()) { return sizeof(Y) < sizeof(X) || sizeof(Y) < sizeof(int); }
    else { return sizeof(X) < sizeof(Y) || sizeof(X) < sizeof(int); }
  })

GNP_SCALAR(equal, real,
  template <real_floating T> constexpr bool equal(T x, T y) { return x == y; }
  template <integer X, integer Y> constexpr bool equal(X x, Y y) {
    if constexpr (compares_values<X, Y>()) { return x == y; }
    else if constexpr (is_signed_integer<X>()) { return x >= X(0) && static_cast<unsigned long long>(x) == y; }
    else { return y >= Y(0) && x == static_cast<unsigned long long>(y); }
  })

GNP_SCALAR(less, real,
  template <real_floating T> constexpr bool less(T x, T y) { return x < y; }
  template <integer X, integer Y> constexpr bool less(X x, Y y) {
    if constexpr (compares_values<X, Y>()) { return x < y; }
    else if constexpr (is_signed_integer<X>()) { return x < X(0) || static_cast<unsigned long long>(x) < y; }
    else { return y > Y(0) && x < static_cast<unsigned long long>(y); }
  }
  template <real_floating T> bool less(const std::complex<T>& x, const std::complex<T>& y) { return complex_less(x, y); })

GNP_SCALAR(less_equal, real,
  template <real_floating T> constexpr bool less_equal(T x, T y) { return x <= y; }
  template <integer X, integer Y> constexpr bool less_equal(X x, Y y) { return !less(y, x); }
  template <real_floating T> bool less_equal(const std::complex<T>& x, const std::complex<T>& y) { return complex_less_equal(x, y); })

GNP_SCALAR(maximum, real,
  template <real_floating T> constexpr T maximum(T x, T y) {
    if constexpr (same_type<T, float>) { return gnp_larger_float(x, y); }
    else { const T larger = y > x ? y : x; return y != y ? y : larger; }
  }
  template <integer T> constexpr T maximum(T x, T y) { return x < y ? y : x; })

GNP_SCALAR(minimum, real,
  template <real_floating T> constexpr T minimum(T x, T y) {
    if constexpr (same_type<T, float>) { return gnp_smaller_float(x, y); }
    else { const T smaller = y < x ? y : x; return y != y ? y : smaller; }
  }
  template <integer T> constexpr T minimum(T x, T y) { return y < x ? y : x; })

// As C's fmax and fmin, but for every type: if one operand is NaN, the result is the other.
GNP_SCALAR(larger_number, real,
  template <class T> constexpr T larger_number(T x, T y) {
    if constexpr (is_complex_v<T>) { return fmax(x, y); }
    else if constexpr (is_integer_v<T>) { return maximum(x, y); }
    else { return x >= y || y != y ? x : y; }
  })

GNP_SCALAR(smaller_number, real,
  template <class T> constexpr T smaller_number(T x, T y) {
    if constexpr (is_complex_v<T>) { return fmin(x, y); }
    else if constexpr (is_integer_v<T>) { return minimum(x, y); }
    else { return x <= y || y != y ? x : y; }
  })

GNP_SCALAR(clip, real, template <class T> constexpr T clip(T x, T low, T high) { return minimum(maximum(x, low), high); })

GNP_SCALAR(where, base, template <class X, class Y> constexpr auto where(bool condition, X x, Y y) { return condition ? x : y; })

GNP_SCALAR(min, real, template <class T> constexpr T (min)(T x, T y) { return minimum(x, y); })
GNP_SCALAR(max, real, template <class T> constexpr T (max)(T x, T y) { return maximum(x, y); })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
