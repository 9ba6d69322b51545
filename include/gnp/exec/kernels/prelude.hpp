// SPDX-License-Identifier: MIT
// The text at the head of every kernel: types and memory access. No headers: including any costs NVRTC
// twenty times what a kernel takes.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp::inline GNP_ABI::detail {

inline constexpr const char* prelude_text = R"(
namespace std { template <class T> struct complex; }
namespace gnp { struct half; struct bfloat16; namespace scalar { template <class To, class From> To half_from(From x); } }
inline double infinity() { return __longlong_as_double(0x7ff0000000000000LL); }
inline double quiet_nan() { return __longlong_as_double(0x7ff8000000000000LL); }
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
};
}
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
namespace gnp {
struct bfloat16 {
  unsigned short bits;
  bfloat16() = default;
  bfloat16(float x) {
    const unsigned b = __float_as_uint(x);
    bits = x != x ? static_cast<unsigned short>((b >> 16) | 0x40u)
                  : static_cast<unsigned short>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
  }
  operator float() const { return __uint_as_float(static_cast<unsigned>(bits) << 16); }
};
}
)";

/// Loads and stores of V elements at once. `valid` of them exist; where that is V, they move as one vector.
inline constexpr const char* memory_text = R"(
template <int Bytes> struct raw { using type = unsigned char; };
template <> struct raw<2> { using type = unsigned short; };
template <> struct raw<4> { using type = unsigned; };
template <> struct raw<8> { using type = uint2; };
template <> struct raw<16> { using type = uint4; };
template <class T, int V> struct pack {
  static constexpr int bytes = sizeof(T) * V;
  static constexpr int pieces = bytes > 16 ? bytes / 16 : 1;
  using piece = typename raw<bytes / pieces>::type;
  union {
    piece whole[pieces];
    T v[V];
  };
  pack() {}
};
template <class T, int V> inline void load_run(pack<T, V>& x, const T* from, int valid) {
  if (valid >= V) {
    const auto* pieces = reinterpret_cast<const typename pack<T, V>::piece*>(from);
    for (int i = 0; i < pack<T, V>::pieces; ++i) x.whole[i] = pieces[i];
  } else {
    for (int e = 0; e < V; ++e) x.v[e] = from[e < valid ? e : 0];
  }
}
template <class T, int V> inline void load_repeated(pack<T, V>& x, const T* from) {
  const T value = *from;
  for (int e = 0; e < V; ++e) x.v[e] = value;
}
template <class T, int V, class Index> inline void load_strided(pack<T, V>& x, const T* from, Index stride, int valid) {
  for (int e = 0; e < V; ++e) x.v[e] = from[e < valid ? static_cast<Index>(e) * stride : 0];
}
template <class T, int V> inline void load_every_other(pack<T, V>& x, const T* from, int valid) {
  const int odd = (reinterpret_cast<unsigned long long>(from) / sizeof(T)) % V;
  if (valid >= V) {
    pack<T, V> low, high;
    load_run(low, from - odd, V);
    load_run(high, from - odd + V, V);
    for (int e = 0; e < V / 2; ++e) {
      x.v[e] = odd ? low.v[2 * e + 1] : low.v[2 * e];
      x.v[V / 2 + e] = odd ? high.v[2 * e + 1] : high.v[2 * e];
    }
  } else {
    load_strided(x, from, 2, valid);
  }
}
template <class T, int V> inline void store_run(T* to, const pack<T, V>& x, int valid) {
  if (valid >= V) {
    auto* pieces = reinterpret_cast<typename pack<T, V>::piece*>(to);
    for (int i = 0; i < pack<T, V>::pieces; ++i) pieces[i] = x.whole[i];
  } else {
    for (int e = 0; e < V; ++e) if (e < valid) to[e] = x.v[e];
  }
}
template <class T, int V, class Index> inline void store_strided(T* to, Index stride, const pack<T, V>& x, int valid) {
  for (int e = 0; e < V; ++e) if (e < valid) to[static_cast<Index>(e) * stride] = x.v[e];
}
inline unsigned divided(unsigned n, unsigned magic, unsigned shift) { return (__umulhi(n, magic) + n) >> shift; }
inline unsigned long long divided(unsigned long long n, unsigned long long magic, unsigned long long shift) {
  return (__umul64hi(n, magic) + n) >> shift;
}
)";

}  // namespace gnp::inline GNP_ABI::detail
