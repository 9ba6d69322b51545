// SPDX-License-Identifier: MIT
// CUDA's functions of numbers as the body of a kernel sees them on the CPU. For a float they return a float,
// whatever headers the program includes; C's functions of the same names are for double.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class cuda_numbers {
  /// The type in which CUDA and C++ compute: float only if all arguments are floats.
  template <class... T>
  using real_of = std::conditional_t<(std::is_same_v<T, float> && ...), float, double>;

 public:
// The functions also take halves and complex numbers, like the standard library's.
#define GNP_OF_ONE(name)                            \
  template <class T>                                \
  static auto name(const T& x) {                    \
    if constexpr (std::is_arithmetic_v<T>) {        \
      return std::name(static_cast<real_of<T>>(x)); \
    } else {                                        \
      return std::name(x);                          \
    }                                               \
  }
#define GNP_OF_TWO(name)                                                              \
  template <class A, class B>                                                         \
  static auto name(const A& a, const B& b) {                                          \
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {               \
      return std::name(static_cast<real_of<A, B>>(a), static_cast<real_of<A, B>>(b)); \
    } else {                                                                          \
      return std::name(a, b);                                                         \
    }                                                                                 \
  }
  // clang-format off
  GNP_OF_ONE(sqrt) GNP_OF_ONE(cbrt) GNP_OF_ONE(exp) GNP_OF_ONE(exp2) GNP_OF_ONE(expm1)
  GNP_OF_ONE(log) GNP_OF_ONE(log2) GNP_OF_ONE(log10) GNP_OF_ONE(log1p) GNP_OF_ONE(logb)
  GNP_OF_ONE(sin) GNP_OF_ONE(cos) GNP_OF_ONE(tan) GNP_OF_ONE(asin) GNP_OF_ONE(acos) GNP_OF_ONE(atan)
  GNP_OF_ONE(sinh) GNP_OF_ONE(cosh) GNP_OF_ONE(tanh) GNP_OF_ONE(asinh) GNP_OF_ONE(acosh) GNP_OF_ONE(atanh)
  GNP_OF_ONE(erf) GNP_OF_ONE(erfc) GNP_OF_ONE(tgamma) GNP_OF_ONE(lgamma)
  GNP_OF_ONE(fabs) GNP_OF_ONE(floor) GNP_OF_ONE(ceil) GNP_OF_ONE(trunc) GNP_OF_ONE(round) GNP_OF_ONE(rint)
  GNP_OF_ONE(nearbyint) GNP_OF_ONE(isnan) GNP_OF_ONE(isinf) GNP_OF_ONE(isfinite) GNP_OF_ONE(signbit)
  GNP_OF_TWO(pow) GNP_OF_TWO(atan2) GNP_OF_TWO(hypot) GNP_OF_TWO(fmod) GNP_OF_TWO(remainder) GNP_OF_TWO(fmax)
  GNP_OF_TWO(fmin) GNP_OF_TWO(fdim) GNP_OF_TWO(copysign) GNP_OF_TWO(nextafter)
// clang-format on
#undef GNP_OF_ONE
#undef GNP_OF_TWO

                                          template <class A, class B, class C>
                                          static real_of<A, B, C> fma(A a, B b, C c) {
    using T = real_of<A, B, C>;
    return std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  }
  template <class T>
  static real_of<T> ldexp(T x, int exponent) {
    return std::ldexp(static_cast<real_of<T>>(x), exponent);
  }
  template <class A, class B>
  static constexpr std::common_type_t<A, B>(min)(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<T>) return std::fmin(static_cast<T>(a), static_cast<T>(b));
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
  }
  template <class A, class B>
  static constexpr std::common_type_t<A, B>(max)(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<T>) return std::fmax(static_cast<T>(a), static_cast<T>(b));
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
  }

  // Functions that only CUDA has.
  template <class T>
  static real_of<T> rsqrt(T x) {
    return 1 / std::sqrt(static_cast<real_of<T>>(x));
  }
  template <class T>
  static real_of<T> rcbrt(T x) {
    return 1 / std::cbrt(static_cast<real_of<T>>(x));
  }
  template <class A, class B>
  static real_of<A, B> rhypot(A a, B b) {
    return 1 / hypot(a, b);
  }
  template <class A, class B, class C>
  static real_of<A, B, C> norm3d(A a, B b, C c) {
    using T = real_of<A, B, C>;
    return std::hypot(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  }
  template <class T>
  static real_of<T> sinpi(T x) {
    const double turn = std::fmod(static_cast<double>(x), 2.0);
    return static_cast<real_of<T>>(turn == std::trunc(turn) ? 0 * turn : std::sin(pi * turn));
  }
  template <class T>
  static real_of<T> cospi(T x) {
    const double turn = std::fabs(std::fmod(static_cast<double>(x), 2.0));
    return static_cast<real_of<T>>(turn == 0.5 || turn == 1.5 ? 0 : std::cos(pi * turn));
  }
  template <class T>
  static real_of<T> normcdf(T x) {
    return std::erfc(static_cast<real_of<T>>(x) * static_cast<real_of<T>>(-0.70710678118654752)) / 2;
  }
  template <class T>
  static void sincos(T x, T* sine, T* cosine) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
  }
  static float rsqrtf(float x) { return rsqrt(x); }
  static void sincosf(float x, float* sine, float* cosine) { sincos(x, sine, cosine); }
  static float __saturatef(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }
  // Functions of lower accuracy, and functions whose names say that they round to the nearest.
  static float __fdividef(float x, float y) { return x / y; }
  static float __expf(float x) { return std::exp(x); }
  static float __exp10f(float x) { return std::pow(10.0F, x); }
  static float __logf(float x) { return std::log(x); }
  static float __log2f(float x) { return std::log2(x); }
  static float __log10f(float x) { return std::log10(x); }
  static float __sinf(float x) { return std::sin(x); }
  static float __cosf(float x) { return std::cos(x); }
  static float __tanf(float x) { return std::tan(x); }
  static void __sincosf(float x, float* sine, float* cosine) { sincos(x, sine, cosine); }
  static float __powf(float x, float y) { return std::pow(x, y); }
  static float __fadd_rn(float x, float y) { return x + y; }
  static float __fsub_rn(float x, float y) { return x - y; }
  static float __fmul_rn(float x, float y) { return x * y; }
  static float __fdiv_rn(float x, float y) { return x / y; }
  static float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
  static float __fsqrt_rn(float x) { return std::sqrt(x); }
  static float __frcp_rn(float x) { return 1 / x; }
  static double __dadd_rn(double x, double y) { return x + y; }
  static double __dsub_rn(double x, double y) { return x - y; }
  static double __dmul_rn(double x, double y) { return x * y; }
  static double __ddiv_rn(double x, double y) { return x / y; }
  static double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
  static double __dsqrt_rn(double x) { return std::sqrt(x); }
  static double __drcp_rn(double x) { return 1 / x; }
  // Conversions. A value that an int cannot hold becomes the nearest one that it can, as on a GPU.
  static int __float2int_rn(float x) { return as_int(std::nearbyint(x)); }
  static int __float2int_rz(float x) { return as_int(std::trunc(x)); }
  static int __float2int_rd(float x) { return as_int(std::floor(x)); }
  static int __float2int_ru(float x) { return as_int(std::ceil(x)); }
  static int __double2int_rn(double x) { return as_int(std::nearbyint(x)); }
  static int __double2int_rz(double x) { return as_int(std::trunc(x)); }
  static float __int2float_rn(int x) { return static_cast<float>(x); }
  static double __int2double_rn(int x) { return x; }
  static int __float_as_int(float x) { return std::bit_cast<int>(x); }
  static unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
  static float __int_as_float(int x) { return std::bit_cast<float>(x); }
  static float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
  static long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
  static double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

  // Bits.
  static int __popc(unsigned x) { return std::popcount(x); }
  static int __popcll(unsigned long long x) { return std::popcount(x); }
  static int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
  static int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
  static int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
  static int __ffsll(long long x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
  }
  static unsigned __brev(unsigned x) {
    unsigned turned = 0;
    for (int i = 0; i < 32; ++i) turned |= (x >> i & 1U) << (31 - i);
    return turned;
  }
  static unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
  }
  static int __mulhi(int x, int y) { return static_cast<int>((std::int64_t{x} * y) >> 32); }
  static unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>((std::uint64_t{x} * y) >> 32);
  }
  static unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ using wide = unsigned __int128;
    return static_cast<unsigned long long>((static_cast<wide>(x) * y) >> 64);
  }

 private:
  static constexpr double pi = 3.14159265358979323846;
  static int as_int(double x) {
    return x != x              ? 0
           : x >= 2147483648.0 ? 2147483647
           : x < -2147483648.0 ? -2147483647 - 1
                               : static_cast<int>(x);
  }
};

}}}  // namespace gnp::GNP_ABI::detail
