// SPDX-License-Identifier: MIT
// Arithmetic as NumPy defines it: integers wrap, and division by zero has an answer.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/expr/scalar/complex.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// On the device, each of these is one instruction; a quotient takes a few. Computing in float and rounding
// gives the same bits.
inline half gnp_half_plus(half x, half y) { return static_cast<float>(x) + static_cast<float>(y); }
inline half gnp_half_minus(half x, half y) { return static_cast<float>(x) - static_cast<float>(y); }
inline half gnp_half_times(half x, half y) { return static_cast<float>(x) * static_cast<float>(y); }
inline half gnp_half_over(half x, half y) { return static_cast<float>(x) / static_cast<float>(y); }
inline bfloat16 gnp_bfloat16_over(bfloat16 x, bfloat16 y) {
  return static_cast<bfloat16>(static_cast<float>(x) / static_cast<float>(y));
}

constexpr float gnp_float_over(float x, float y) { return x / y; }
constexpr double gnp_double_over(double x, double y) { return x / y; }

// clang-format off

// Wrapping needs arithmetic that may overflow: unsigned, and wide enough not to become int by promotion.
GNP_SCALAR(wrapping_type, base,
  template <unsigned long long Size> struct wrapping_type { using type = unsigned; };
  template <> struct wrapping_type<8> { using type = unsigned long long; };)

GNP_SCALAR(wrapping, base,
  template <integer T> constexpr auto wrapping(T x) { return static_cast<typename wrapping_type<sizeof(T)>::type>(x); })

GNP_SCALAR(plus, half,
  inline half plus(half x, half y) { return gnp_half_plus(x, y); }
  inline bfloat16 plus(bfloat16 x, bfloat16 y) { return bfloat16(static_cast<float>(x) + static_cast<float>(y)); })
GNP_SCALAR(plus, real,
  template <real_floating T> constexpr T plus(T x, T y) { return x + y; }
  template <integer T> constexpr T plus(T x, T y) { return static_cast<T>(wrapping(x) + wrapping(y)); })

GNP_SCALAR(minus, half,
  inline half minus(half x, half y) { return gnp_half_minus(x, y); }
  inline bfloat16 minus(bfloat16 x, bfloat16 y) { return bfloat16(static_cast<float>(x) - static_cast<float>(y)); })
GNP_SCALAR(minus, real,
  template <real_floating T> constexpr T minus(T x, T y) { return x - y; }
  template <integer T> constexpr T minus(T x, T y) { return static_cast<T>(wrapping(x) - wrapping(y)); })

GNP_SCALAR(times, half,
  inline half times(half x, half y) { return gnp_half_times(x, y); }
  inline bfloat16 times(bfloat16 x, bfloat16 y) { return bfloat16(static_cast<float>(x) * static_cast<float>(y)); })
GNP_SCALAR(times, real,
  template <real_floating T> constexpr T times(T x, T y) { return x * y; }
  template <integer T> constexpr T times(T x, T y) { return static_cast<T>(wrapping(x) * wrapping(y)); })

GNP_SCALAR(over, half,
  inline half over(half x, half y) { return gnp_half_over(x, y); }
  inline bfloat16 over(bfloat16 x, bfloat16 y) { return gnp_bfloat16_over(x, y); })
GNP_SCALAR(over, real,
  constexpr float over(float x, float y) { return gnp_float_over(x, y); }
  constexpr double over(double x, double y) { return gnp_double_over(x, y); })

GNP_SCALAR(negate, real,
  template <real_floating T> constexpr T negate(T x) { return -x; }
  template <integer T> constexpr T negate(T x) { return static_cast<T>(wrapping(T(0)) - wrapping(x)); })

GNP_SCALAR(abs, real,
  inline float abs(float x) { return gnp_fabsf(x); }
  inline double abs(double x) { return gnp_fabs(x); }
  template <integer T> constexpr T abs(T x) { if constexpr (is_signed_integer<T>()) { return x < T(0) ? negate(x) : x; } else { return x; } })

GNP_SCALAR(square, real, template <class T> requires(!is_complex_v<T>) constexpr T square(T x) { return times(x, x); })

GNP_SCALAR(reciprocal, real,
  template <real_floating T> constexpr T reciprocal(T x) { return T(1) / x; }
  template <integer T> constexpr T reciprocal(T x) { return x == T(0) ? T(0) : static_cast<T>(T(1) / x); })

GNP_SCALAR(sign, real,
  template <class T> requires(!is_complex_v<T>) constexpr T sign(T x) {
    if constexpr (is_integer_v<T> && !is_signed_integer<T>()) { return static_cast<T>(x != T(0)); }
    else { return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == T(0) ? T(0) : x; }
  })

GNP_SCALAR(quotient, real,
  template <integer T> constexpr T quotient(T x, T y) {
    if (y == T(0)) { return T(0); }
    if constexpr (is_signed_integer<T>()) { if (y == T(-1)) { return negate(x); } }
    return static_cast<T>(x / y);
  })

// The largest whole number that is not above x / y, and what is left then. Both are 0 where y is.
template <integer T> constexpr T floor_of_quotient(T x, T y) {
  const T q = quotient(x, y);
  if constexpr (is_signed_integer<T>()) {
    if (y != T(0) && y != T(-1) && (x < T(0)) != (y < T(0)) && static_cast<T>(q * y) != x) { return static_cast<T>(q - T(1)); }
  }
  return q;
}
template <integer T> constexpr T rest_of_quotient(T x, T y) {
  if (y == T(0)) { return T(0); }
  if constexpr (is_signed_integer<T>()) {
    if (y == T(-1)) { return T(0); }
    const T rest = static_cast<T>(x % y);
    return rest != T(0) && (rest < T(0)) != (y < T(0)) ? static_cast<T>(rest + y) : rest;
  } else { return static_cast<T>(x % y); }
}

// x / y where y is the same for many x. The compiler computes the reciprocal once for all of them, in double. It is made
// 2^-51 of it larger, so that a product with it is too large, but by less than the last three of its 53 digits can hold,
// and these are then left out. So a quotient that is a float, or lies in the middle between two, comes out exactly, and
// any other is further from those than its product is from it: the result is rounded to the same float as x / y, down to
// the smallest. No case needs a branch. A division takes four times as many instructions, and three corrected products
// of floats, with a branch for numbers near the limits, twice as many. But most GPUs have few units for doubles.
GNP_DEVICE_SCALAR(over_one_number, real, R"(
inline float over_one_number(float x, float y) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
  const double q = static_cast<double>(x) * (1.0 / static_cast<double>(y) * 0x1.0000000000002p0);
  return static_cast<float>(__longlong_as_double(__double_as_longlong(q) & -8ll));
#else
  return ::float_over(x, y);
#endif
})")

// A GPU has no instruction that divides integers. CUDA writes twenty for each division. These multiply by m, the
// largest integer for which m * y < 2^bits, and most divisors are one number for all elements: then the compiler
// computes m once for each thread. The first estimate of m is below it in any case, a step of Newton's doubles its
// digits, and what is cut off makes it at most 2 too small. n * m / 2^bits is then less than 2 below n / y, which one
// comparison mends. Bytes need no more than the next number above 2^16 / y. Below zero, floor(x / y) = ~(~x / y). For
// y < 0 it is ~floor((x - 1) / -y), where x - 1 counts as negative for the smallest x, too, from which it wraps around.
// (What is within a condition would not be taken out of a loop.)
GNP_DEVICE_SCALAR(multiplier_of, real, R"(
inline unsigned high_product(unsigned x, unsigned y) { return __umulhi(x, y); }
inline unsigned long long high_product(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
template <class U> U multiplier_of(U y) {
  constexpr float slightly_less = sizeof(U) == 8 ? 0x1.ffffep63f : 0x1.ffffep31f;
  U m = static_cast<U>(__fdividef(slightly_less, static_cast<float>(y)));
  m += high_product(m, U(0) - m * y);
  if constexpr (sizeof(U) == 8) { m += high_product(m, U(0) - m * y); }
  for (int i = 0; i < 2; ++i) { if (~(m * y) >= y) { ++m; } }
  return m;
})")
GNP_DEVICE_SCALAR(divided_down, real, R"(
template <integer T> struct quotient_and_rest { T quotient; T rest; };
template <integer T> quotient_and_rest<T> divided_down(T x, T y) {
  using U = decltype(wrapping(x));
  const U mirror = y < T(0) ? ~U(0) : U(0);
  const U d = ((wrapping(y) ^ mirror) - mirror) | U(y == T(0));
  U n = wrapping(x), flip = 0;
  if constexpr (is_signed_integer<T>()) {
    n += mirror;
    flip = static_cast<U>(static_cast<decltype(T(0) + 0)>(n | wrapping(x)) >> (8 * sizeof(U) - 1));
    n ^= flip;
  }
  U q = sizeof(T) == 1 ? n * (static_cast<U>(__fdividef(65535.5f, static_cast<float>(d))) + U(1)) >> 16
                       : high_product(n, multiplier_of(d));
  if (sizeof(T) > 1 && n - q * d >= d) { ++q; }
  q ^= flip ^ mirror;
  return {y == T(0) ? T(0) : static_cast<T>(q), static_cast<T>(wrapping(x) - q * (wrapping(y) | U(y == T(0))))};
})")
GNP_DEVICE_SCALAR(floor_of_quotient, real, R"(
template <integer T> T floor_of_quotient(T x, T y) { return divided_down(x, y).quotient; }
)")
GNP_DEVICE_SCALAR(rest_of_quotient, real, R"(
template <integer T> T rest_of_quotient(T x, T y) { return divided_down(x, y).rest; }
)")

GNP_SCALAR(floor_divide, real,
  template <integer T> constexpr T floor_divide(T x, T y) { return floor_of_quotient(x, y); }
  template <real_floating T> T floor_divide(T x, T y) {
    if (y == T(0)) { return x / y; }
    const T rest = fmod(x, y);
    T q = (x - rest) / y;
    if (rest != T(0) && (y < T(0)) != (rest < T(0))) { q -= T(1); }
    if (q == T(0)) { return copysign(T(0), x / y); }
    const T whole = floor(q);
    return q - whole > T(0.5) ? whole + T(1) : whole;
  })

GNP_SCALAR(remainder, real,
  template <integer T> constexpr T remainder(T x, T y) { return rest_of_quotient(x, y); }
  template <real_floating T> T remainder(T x, T y) {
    const T rest = fmod(x, y);
    if (y == T(0)) { return rest; }
    if (rest == T(0)) { return copysign(T(0), y); }
    return (y < T(0)) != (rest < T(0)) ? rest + y : rest;
  })

GNP_SCALAR(truncated_remainder, real,
  template <integer T> constexpr T truncated_remainder(T x, T y) {
    if (y == T(0)) { return T(0); }
    if constexpr (is_signed_integer<T>()) { if (y == T(-1)) { return T(0); } }
    return static_cast<T>(x % y);
  }
  template <real_floating T> T truncated_remainder(T x, T y) { return fmod(x, y); })

// NumPy refuses negative integer exponents. An elementwise function cannot, so it returns the integer part of
// the result.
GNP_SCALAR(to_the_power, real,
  template <integer T> constexpr T to_the_power(T x, T y) {
    if constexpr (is_signed_integer<T>()) {
      if (y < T(0)) { return x == T(1) ? T(1) : x == T(-1) ? ((y & T(1)) != 0 ? T(-1) : T(1)) : T(0); }
    }
    T result = T(1);
    for (T rest = y; rest != T(0); rest = static_cast<T>(rest >> 1)) {
      if ((rest & T(1)) != 0) { result = times(result, x); }
      x = times(x, x);
    }
    return result;
  }
  template <real_floating T> T to_the_power(T x, T y) { return y == T(2) ? x * x : pow(x, y); })

GNP_SCALAR(to_the_power, complex,
  template <real_floating T> std::complex<T> to_the_power(const std::complex<T>& x, const std::complex<T>& y) { return pow(x, y); })

GNP_SCALAR(magnitude, base,
  template <integer T> constexpr auto magnitude(T x) {
    if constexpr (is_signed_integer<T>()) { if (x < T(0)) { return wrapping(T(0)) - wrapping(x); } }
    return wrapping(x);
  })

GNP_SCALAR(gcd, real,
  template <integer T> constexpr T gcd(T x, T y) {
    auto a = magnitude(x);
    auto b = magnitude(y);
    while (b != 0) { const auto rest = a % b; a = b; b = rest; }
    return static_cast<T>(a);
  })

GNP_SCALAR(lcm, real,
  template <integer T> constexpr T lcm(T x, T y) {
    const auto divisor = magnitude(gcd(x, y));
    return divisor == 0 ? T(0) : static_cast<T>(magnitude(x) / divisor * magnitude(y));
  })

GNP_SCALAR(flip_bits, real,
  template <integer T> constexpr T flip_bits(T x) { if constexpr (same_type<T, bool>) { return !x; } else { return static_cast<T>(~x); } })

GNP_SCALAR(shift_left, real,
  template <integer T> constexpr T shift_left(T x, T y) {
    return wrapping(y) < sizeof(T) * 8 ? static_cast<T>(wrapping(x) << wrapping(y)) : T(0);
  })

GNP_SCALAR(shift_right, real,
  template <integer T> constexpr T shift_right(T x, T y) {
    if (wrapping(y) < sizeof(T) * 8) { return static_cast<T>(x >> y); }
    if constexpr (is_signed_integer<T>()) { if (x < T(0)) { return T(-1); } }
    return T(0);
  })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
