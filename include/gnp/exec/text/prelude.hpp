// SPDX-License-Identifier: MIT
// The text at the head of every kernel: types and memory access. It includes no headers: with any header, NVRTC
// takes twenty times as long as for the kernel itself.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* prelude_text = R"(
namespace std { template <class T> struct complex; }
namespace gnp { struct half; struct bfloat16; namespace scalar { template <class To, class From> To half_from(From x); } }
inline double infinity() { return __longlong_as_double(0x7ff0000000000000LL); }
inline double quiet_nan() { return __longlong_as_double(0x7ff8000000000000LL); }
// CUDA's own overflows where the larger operand is next to the largest double.
inline double wide_hypot(double x, double y) {
  const double larger = fmax(fabs(x), fabs(y));
  const double smaller = fmin(fabs(x), fabs(y));
  if (!(larger > 1e307) || x != x || y != y) return hypot(x, y);
  return smaller < larger * 1e-17 ? larger : 4.0 * hypot(0.25 * x, 0.25 * y);
}
// The first thing that kernels do: let the next one take its place, and wait for the results of the one before.
inline void wait_for_results() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}
// The larger and the smaller of two, or NaN where one is.
inline float larger_float(float x, float y) {
#if __CUDA_ARCH__ >= 800
  float z;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
  return z;
#else
  return y > x || y != y ? y : x;
#endif
}
inline float smaller_float(float x, float y) {
#if __CUDA_ARCH__ >= 800
  float z;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
  return z;
#else
  return y < x || y != y ? y : x;
#endif
}
// CUDA divides a zero where it divides what is hardly a number: by a function that takes ten times as long. Another number
// over y tells what y is, and has its sign. Without many zeros these are four instructions for nothing.
template <class T> constexpr T quotient_of(T x, T y, T instead_of_zero) {
#ifdef divides_many_zeros
  const T q = (x == T(0) ? instead_of_zero : x) / y;
  return x == T(0) ? x * q : q;
#else
  return x / y;
#endif
}
constexpr float float_over(float x, float y) { return quotient_of(x, y, 0x1p-60f); }
constexpr double double_over(double x, double y) { return quotient_of(x, y, 0x1p-500); }
inline unsigned float_bits(float x) { return __float_as_uint(x); }
inline float bits_float(unsigned bits) { return __uint_as_float(bits); }
)";

inline constexpr const char* complex_text = R"(
namespace std {
template <class T> struct complex {
  using value_type = T;
  T re, im;
  complex() = default;
  constexpr complex(T r, T i = T(0)) : re(r), im(i) {}
  template <class U> explicit constexpr complex(const complex<U>& z) : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}
  constexpr T real() const { return re; }
  constexpr T imag() const { return im; }
  friend constexpr complex operator+(complex a, complex b) { return complex(a.re + b.re, a.im + b.im); }
  friend constexpr complex operator-(complex a, complex b) { return complex(a.re - b.re, a.im - b.im); }
  friend constexpr complex operator*(complex a, complex b) { return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
  friend constexpr complex operator/(complex a, complex b) {
    const T d = b.re * b.re + b.im * b.im;
    return complex((a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d);
  }
  friend constexpr complex operator-(complex a) { return complex(-a.re, -a.im); }
  friend constexpr complex operator+(complex a) { return a; }
  friend constexpr bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
  constexpr complex& operator+=(complex b) { return *this = *this + b; }
  constexpr complex& operator-=(complex b) { return *this = *this - b; }
  constexpr complex& operator*=(complex b) { return *this = *this * b; }
  constexpr complex& operator/=(complex b) { return *this = *this / b; }
};
}
)";

/// Two halves side by side. The GPU computes two sums or products at once, each exactly as it would by itself.
inline constexpr const char* halves_text = R"(
struct halves {
  unsigned bits;
  halves() = default;
  halves(half x) : bits(x.bits * 0x10001u) {}
  halves(float low, float high) {
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
#else
    bits = half(low).bits | static_cast<unsigned>(half(high).bits) << 16;
#endif
  }
  half low() const { half x; x.bits = static_cast<unsigned short>(bits); return x; }
  half high() const { half x; x.bits = static_cast<unsigned short>(bits >> 16); return x; }
};
inline halves plus(halves x, halves y) { halves z; asm("add.rn.f16x2 %0, %1, %2;" : "=r"(z.bits) : "r"(x.bits), "r"(y.bits)); return z; }
inline halves minus(halves x, halves y) { halves z; asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(z.bits) : "r"(x.bits), "r"(y.bits)); return z; }
inline halves times(halves x, halves y) { halves z; asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(z.bits) : "r"(x.bits), "r"(y.bits)); return z; }
inline halves over(halves x, halves y) { return halves(half_quotient(x.low(), y.low()), half_quotient(x.high(), y.high())); }
inline halves halves_of(const pack<half>& x, int e) { halves z; z.bits = reinterpret_cast<const unsigned*>(x.v)[e / 2]; return z; }
inline void set_halves(pack<half>& x, int e, halves z) { reinterpret_cast<unsigned*>(x.v)[e / 2] = z.bits; }
)";

inline constexpr const char* half_text = R"(
namespace gnp {
struct half {
  unsigned short bits;
  half() = default;
  half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
  operator float() const { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits)); return x; }
};
}
inline gnp::half half_plus(gnp::half x, gnp::half y) { gnp::half z; asm("add.rn.f16 %0, %1, %2;" : "=h"(z.bits) : "h"(x.bits), "h"(y.bits)); return z; }
inline gnp::half half_minus(gnp::half x, gnp::half y) { gnp::half z; asm("sub.rn.f16 %0, %1, %2;" : "=h"(z.bits) : "h"(x.bits), "h"(y.bits)); return z; }
inline gnp::half half_times(gnp::half x, gnp::half y) { gnp::half z; asm("mul.rn.f16 %0, %1, %2;" : "=h"(z.bits) : "h"(x.bits), "h"(y.bits)); return z; }
// A quotient as if rounded once: the rest of the first one corrects it, and a half is too small a number for any of this to
// overflow. Where there is none, or no number, as with zeros, infinities and NaN, the first one is right.
inline float half_quotient(float x, float y) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(y));
  const float quotient = x * inverse;
  const float rest = __fmaf_rn(-quotient, y, x);
  return fabsf(rest) > 0.0f ? __fmaf_rn(rest, inverse, quotient) : quotient;
}
inline gnp::half half_over(gnp::half x, gnp::half y) { return half_quotient(x, y); }
// Where the result is a half, and no overflow, the product's error is a five-hundredth of its last place at most.
inline float half_exp(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.4426950f));
  return y;
}
// CUDA's sinf() has room for any angle, and so takes longer than memory does. A half is 65504 at most: pi in two parts
// reduces it exactly enough, and what is left of the error is a thousandth of a half's last place.
inline float sine_within_a_turn(float r) {
  const float z = r * r;
  float p = __fmaf_rn(2.6048274e-6f, z, -1.9809195e-4f);
  p = __fmaf_rn(p, z, 8.333061e-3f);
  p = __fmaf_rn(p, z, -0.1666666f);
  return r * __fmaf_rn(p, z, 1.0f);
}
inline float half_sin(float x) {
  const float turns = __fmaf_rn(x, 0.31830987f, 12582912.0f);  // a whole number, whose last bit is the sign to come
  const float n = turns - 12582912.0f;
  const float r = __fmaf_rn(n, -1.509958e-7f, __fmaf_rn(n, -3.1415925f, x));
  return __uint_as_float(__float_as_uint(sine_within_a_turn(r)) ^ __float_as_uint(turns) << 31);
}
inline float half_cos(float x) {
  const float turns = __fmaf_rn(x, 0.31830987f, -0.5f) + 12582912.0f;
  const float n = turns - 12582912.0f + 0.5f;
  const float r = __fmaf_rn(n, -1.509958e-7f, __fmaf_rn(n, -3.1415925f, x));
  return __uint_as_float(__float_as_uint(sine_within_a_turn(r)) ^ ~__float_as_uint(turns) << 31);
}
namespace gnp {
struct bfloat16 {
  unsigned short bits;
  bfloat16() = default;
  bfloat16(float x) {
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    const unsigned b = __float_as_uint(x);
    bits = x != x ? static_cast<unsigned short>((b >> 16) | 0x40u)
                  : static_cast<unsigned short>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
#endif
  }
  operator float() const { return __uint_as_float(static_cast<unsigned>(bits) << 16); }
};
}
// The quotient of two numbers of 8 bits is never in the middle between two others, and no closer to it than 2^-17 of itself:
// 2^-22 of error does not change which of them is next. Where it is below the normal numbers floats have 16 bits more.
inline gnp::bfloat16 bfloat16_over(gnp::bfloat16 x, gnp::bfloat16 y) {
  float z;
  asm("div.full.f32 %0, %1, %2;" : "=f"(z) : "f"(static_cast<float>(x)), "f"(static_cast<float>(y)));
  return z;
}
)";

}}}  // namespace gnp::GNP_ABI::detail
