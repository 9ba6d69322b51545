// SPDX-License-Identifier: MIT
// The C library's math functions under gnp's own names, so that g++ can vectorise calls to them.
//
// glibc has vector versions of its math functions (libmvec, which -lm links), but its headers only declare them
// with -ffast-math. With the `simd` attribute they are used in ordinary loops, with an error of at most 4 ulp.
// Separate names leave the user's sin() and similar functions as they are.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <gnp/core/config.hpp>
#include <gnp/cpu/exponents.hpp>
#include <gnp/cpu/vector_exp.hpp>
#include <gnp/cpu/vector_log.hpp>
#include <gnp/cpu/vector_pow.hpp>
#include <gnp/cpu/vector_sqrt.hpp>
#include <gnp/cpu/vector_tanh.hpp>

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__) && \
    defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && defined(__OPTIMIZE__)
#define GNP_HAS_VECTOR_LIBM 1
#define GNP_LIBM_VECTOR __attribute__((simd("notinbranch"), const))
#else
#define GNP_HAS_VECTOR_LIBM 0
#define GNP_LIBM_VECTOR
#endif

#if defined(__ELF__) && !defined(__CUDACC__)
#define GNP_LIBM_1(name)                                                        \
  extern "C" double gnp_##name(double) noexcept __asm__(#name) GNP_LIBM_VECTOR; \
  extern "C" float gnp_##name##f(float) noexcept __asm__(#name "f") GNP_LIBM_VECTOR;
#define GNP_LIBM_2(name)                                                                \
  extern "C" double gnp_##name(double, double) noexcept __asm__(#name) GNP_LIBM_VECTOR; \
  extern "C" float gnp_##name##f(float, float) noexcept __asm__(#name "f") GNP_LIBM_VECTOR;
#else
#define GNP_LIBM_1(name)                                   \
  inline double gnp_##name(double x) { return ::name(x); } \
  inline float gnp_##name##f(float x) { return ::name##f(x); }
#define GNP_LIBM_2(name)                                                \
  inline double gnp_##name(double x, double y) { return ::name(x, y); } \
  inline float gnp_##name##f(float x, float y) { return ::name##f(x, y); }
#endif

namespace gnp { inline namespace GNP_ABI { namespace scalar {

GNP_LIBM_1(sin)
GNP_LIBM_1(cos)
GNP_LIBM_1(tan)
GNP_LIBM_1(asin)
GNP_LIBM_1(acos)
GNP_LIBM_1(atan)
GNP_LIBM_1(sinh)
GNP_LIBM_1(cosh)
GNP_LIBM_1(asinh)
GNP_LIBM_1(acosh)
GNP_LIBM_1(atanh)
GNP_LIBM_1(exp2)
GNP_LIBM_1(expm1)
GNP_LIBM_1(log2)
GNP_LIBM_1(log10)
GNP_LIBM_1(log1p)
GNP_LIBM_1(cbrt)
GNP_LIBM_1(erf)
GNP_LIBM_1(erfc)
GNP_LIBM_2(atan2)
GNP_LIBM_2(hypot)
#if GNP_HAS_VECTOR_FORMS
extern "C" float gnp_logf(float) noexcept __asm__("logf") GNP_LIBM_VECTOR;
#else
GNP_LIBM_1(exp)
GNP_LIBM_1(log)
GNP_LIBM_1(tanh)
GNP_LIBM_2(pow)
#endif

#undef GNP_LIBM_VECTOR
#define GNP_LIBM_VECTOR
// Functions that have no vector version, or that are a single instruction.
GNP_LIBM_1(tgamma)
GNP_LIBM_1(lgamma)
GNP_LIBM_2(fmod)

#define GNP_BUILTIN_1(name, function)                                \
  inline double gnp_##name(double x) { return __builtin_##name(x); } \
  inline float gnp_##name##f(float x) { return __builtin_##function(x); }
#define GNP_BUILTIN_2(name, function)                                             \
  inline double gnp_##name(double x, double y) { return __builtin_##name(x, y); } \
  inline float gnp_##name##f(float x, float y) { return __builtin_##function(x, y); }
#if !GNP_HAS_VECTOR_SQRT
GNP_BUILTIN_1(sqrt, sqrtf)
#endif
GNP_BUILTIN_1(rint, rintf)
GNP_BUILTIN_1(fabs, fabsf)
GNP_BUILTIN_2(copysign, copysignf)
GNP_BUILTIN_2(fmin, fminf)
GNP_BUILTIN_2(fmax, fmaxf)

#if defined(__GNUC__) && !defined(__clang__)
// g++ vectorises only rint: its floor, ceil and trunc must not raise the floating-point flag that rint raises.
// Here they are made from rint. The 1 or 0 that is subtracted is made with a bit mask: g++ would branch around
// subtracting 0.
#define GNP_ROUNDED(suffix, type, bits_type, bits_of_one)                                                     \
  inline type gnp_floor##suffix(type x) {                                                                     \
    const type nearest = gnp_rint##suffix(x);                                                                 \
    return nearest - std::bit_cast<type>(bits_of_one & (bits_type(0) - static_cast<bits_type>(nearest > x))); \
  }                                                                                                           \
  inline type gnp_ceil##suffix(type x) { return -gnp_floor##suffix(-x); }                                     \
  inline type gnp_trunc##suffix(type x) {                                                                     \
    return gnp_copysign##suffix(gnp_floor##suffix(gnp_fabs##suffix(x)), x);                                   \
  }
GNP_ROUNDED(, double, std::uint64_t, 0x3ff0000000000000U)
GNP_ROUNDED(f, float, std::uint32_t, 0x3f800000U)
#undef GNP_ROUNDED
#else
GNP_BUILTIN_1(floor, floorf)
GNP_BUILTIN_1(ceil, ceilf)
GNP_BUILTIN_1(trunc, truncf)
#endif
#undef GNP_BUILTIN_1
#undef GNP_BUILTIN_2

// By the bits: g++ 12 cannot vectorise its own signbit for AVX2 (an internal error).
inline bool gnp_signbit(float x) { return (std::bit_cast<std::uint32_t>(x) >> 31) != 0; }
inline bool gnp_signbit(double x) { return (std::bit_cast<std::uint64_t>(x) >> 63) != 0; }
inline double gnp_ldexp(double x, int n) { return detail::raised_by(x, n); }
inline float gnp_ldexpf(float x, int n) { return detail::raised_by(x, n); }
inline double gnp_frexp(double x, int* exponent) { return detail::mantissa_and_exponent(x, exponent); }
inline float gnp_frexpf(float x, int* exponent) { return detail::mantissa_and_exponent(x, exponent); }
inline double gnp_nextafter(double x, double y) { return detail::next_number(x, y); }
inline float gnp_nextafterf(float x, float y) { return detail::next_number(x, y); }
inline std::uint32_t gnp_float_bits(float x) { return std::bit_cast<std::uint32_t>(x); }
inline float gnp_bits_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline double gnp_wide_hypot(double x, double y) { return gnp_hypot(x, y); }
constexpr double gnp_infinity() { return __builtin_huge_val(); }
constexpr double gnp_quiet_nan() { return __builtin_nan(""); }

}}}  // namespace gnp::GNP_ABI::scalar

#undef GNP_LIBM_1
#undef GNP_LIBM_2
#undef GNP_LIBM_VECTOR
