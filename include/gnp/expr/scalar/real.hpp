// SPDX-License-Identifier: MIT
// The real scalar functions that ufunc bodies call, for float and double. The half types compute in float.
#pragma once

#include <gnp/expr/scalar/text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// The versions for the device use the fact that a half is never a large angle, and has few digits.
inline float gnp_half_sin(float x) { return gnp_sinf(x); }
inline float gnp_half_cos(float x) { return gnp_cosf(x); }
inline float gnp_half_exp(float x) { return gnp_expf(x); }

// clang-format off
GNP_SCALAR(traits, base,
  template <class T> inline constexpr bool is_float_v = false;
  template <> inline constexpr bool is_float_v<float> = true;
  template <> inline constexpr bool is_float_v<double> = true;
  template <class T> inline constexpr bool is_half_v = false;
  template <> inline constexpr bool is_half_v<half> = true;
  template <> inline constexpr bool is_half_v<bfloat16> = true;
  template <class T> inline constexpr bool is_complex_v = false;
  template <class T> inline constexpr bool is_complex_v<std::complex<T>> = true;
  template <class T> inline constexpr bool is_integer_v = !is_float_v<T> && !is_half_v<T> && !is_complex_v<T>;
  template <class T> concept real_floating = is_float_v<T>;
  template <class T> concept integer = is_integer_v<T>;
  template <class T> constexpr bool is_signed_integer() {
    if constexpr (is_integer_v<T>) { return static_cast<T>(-1) < static_cast<T>(0); } else { return false; }
  }
  template <class A, class B> inline constexpr bool same_type = false;
  template <class A> inline constexpr bool same_type<A, A> = true;
)

// The C functions. Integers reach them only from a user's body, and then count as double, as in C++.
#define GNP_REAL_1(name)                                                   \
  GNP_SCALAR(name, real, inline float name(float x) { return gnp_##name##f(x); } \
                      inline double name(double x) { return gnp_##name(x); }  \
                      template <integer T> double name(T x) { return gnp_##name(static_cast<double>(x)); })
// A float with an integer stays a float, like an array with a scalar: pow(x, 2).
GNP_SCALAR(mixed, base,
  template <class X, class Y> struct mixed { using type = double; };
  template <integer Y> struct mixed<float, Y> { using type = float; };
  template <integer X> struct mixed<X, float> { using type = float; };)
#define GNP_REAL_2(name)                                                                        \
  GNP_SCALAR(name, real, inline float name(float x, float y) { return gnp_##name##f(x, y); }    \
                         inline double name(double x, double y) { return gnp_##name(x, y); }    \
                         template <class X, class Y>                                            \
                           requires((is_float_v<X> || is_integer_v<X>) && (is_float_v<Y> || is_integer_v<Y>)) \
                         auto name(X x, Y y) {                                                  \
                           using T = typename mixed<X, Y>::type;                                \
                           return name(static_cast<T>(x), static_cast<T>(y)); })

// The parts of a real number, which a user's body may ask for as well.
GNP_SCALAR(real, real,
  template <real_floating T> constexpr T real(T x) { return x; }
  template <integer T> constexpr T real(T x) { return x; })
GNP_SCALAR(imag, real,
  template <real_floating T> constexpr T imag(T) { return T(0); }
  template <integer T> constexpr T imag(T) { return T(0); })
GNP_SCALAR(conj, real,
  template <real_floating T> constexpr T conj(T x) { return x; }
  template <integer T> constexpr T conj(T x) { return x; })

GNP_SCALAR(sin, half,
  inline half sin(half x) { return half(gnp_half_sin(static_cast<float>(x))); }
  inline bfloat16 sin(bfloat16 x) { return bfloat16(gnp_sinf(static_cast<float>(x))); })
GNP_SCALAR(cos, half,
  inline half cos(half x) { return half(gnp_half_cos(static_cast<float>(x))); }
  inline bfloat16 cos(bfloat16 x) { return bfloat16(gnp_cosf(static_cast<float>(x))); })
GNP_SCALAR(exp, half,
  inline half exp(half x) { return half(gnp_half_exp(static_cast<float>(x))); }
  inline bfloat16 exp(bfloat16 x) { return bfloat16(gnp_expf(static_cast<float>(x))); })
GNP_REAL_1(sin)
GNP_REAL_1(cos)
GNP_REAL_1(tan)
GNP_REAL_1(asin)
GNP_REAL_1(acos)
GNP_REAL_1(atan)
GNP_REAL_1(sinh)
GNP_REAL_1(cosh)
GNP_REAL_1(tanh)
GNP_REAL_1(asinh)
GNP_REAL_1(acosh)
GNP_REAL_1(atanh)
GNP_REAL_1(exp)
GNP_REAL_1(exp2)
GNP_REAL_1(expm1)
GNP_REAL_1(log)
GNP_REAL_1(log2)
GNP_REAL_1(log10)
GNP_REAL_1(log1p)
GNP_REAL_1(sqrt)
GNP_REAL_1(cbrt)
GNP_REAL_1(erf)
GNP_REAL_1(erfc)
GNP_REAL_1(tgamma)
GNP_REAL_1(lgamma)
GNP_REAL_1(rint)
GNP_REAL_1(fabs)
GNP_REAL_2(atan2)
GNP_REAL_2(pow)
GNP_REAL_2(fmod)
GNP_REAL_2(copysign)
GNP_REAL_2(fmin)
GNP_REAL_2(fmax)
// Integers need no rounding and stay integers.
#define GNP_ROUNDING(name)                                                 \
  GNP_SCALAR(name, real, inline float name(float x) { return gnp_##name##f(x); } \
                      inline double name(double x) { return gnp_##name(x); }  \
                      template <integer T> constexpr T name(T x) { return x; })
GNP_ROUNDING(floor)
GNP_ROUNDING(ceil)
GNP_ROUNDING(trunc)
#undef GNP_ROUNDING
#undef GNP_REAL_1
#undef GNP_REAL_2

GNP_SCALAR(hypot, real, inline float hypot(float x, float y) { return gnp_hypotf(x, y); }
                        inline double hypot(double x, double y) { return gnp_wide_hypot(x, y); }
                        template <class X, class Y>
                          requires((is_float_v<X> || is_integer_v<X>) && (is_float_v<Y> || is_integer_v<Y>))
                        auto hypot(X x, Y y) {
                          using T = typename mixed<X, Y>::type;
                          return hypot(static_cast<T>(x), static_cast<T>(y)); })

// Comparisons with themselves and with infinity, so that loops over them vectorise.
GNP_SCALAR(isnan, real, template <class T> constexpr bool isnan(T x) { return x != x; })
GNP_SCALAR(isinf, real, template <class T> constexpr bool isinf(T x) {
  if constexpr (is_float_v<T>) { return x - x != x - x && x == x; } else { return false; } })
GNP_SCALAR(isfinite, real, template <class T> constexpr bool isfinite(T x) { return x - x == x - x; })
GNP_SCALAR(signbit, real,
  inline bool signbit(float x) { return gnp_signbit(x); }
  inline bool signbit(double x) { return gnp_signbit(x); }
  template <integer T> constexpr bool signbit(T x) { return x < T(0); })
GNP_SCALAR(infinity, real, template <class T> T infinity() { return static_cast<T>(gnp_infinity()); })
GNP_SCALAR(quiet_nan, real, template <class T> T quiet_nan() { return static_cast<T>(gnp_quiet_nan()); })
GNP_SCALAR(pi, real, template <class T> inline constexpr T pi = static_cast<T>(3.14159265358979323846); )
// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
