// SPDX-License-Identifier: MIT
// Powers of two arrays that g++ vectorises. With AVX-512 they are computed here, for the C library's take twice
// as long as need be; its others do for vectors of 32 and 16 bytes. x^y is exp(y log(x)), where the logarithm
// has as many places more than the result as y has before the point. Within 1 ulp of double and 1.3 of float,
// as NumPy's; within 0.7 unless a number close to one is taken to a large power. Zeros, infinities, NaN and
// powers that are none of the normal numbers are left to the C library.
#pragma once

#include <gnp/core/config.hpp>
#include <type_traits>

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__) && \
    defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && defined(__OPTIMIZE__)
#define GNP_HAS_VECTOR_POW 1

// Names of their own for each kind of file, as in vector_sqrt.hpp.
#define GNP_POW_SYMBOL(prefix, name) prefix "gnp_" name "_" GNP_STRINGIZE(GNP_ABI)
#define GNP_POW_HERE __attribute__((weak, used))
#define GNP_POW_WIDEST __attribute__((target("avx512f"), optimize("O3", "no-fast-math")))
#define GNP_POW_STEP GNP_POW_WIDEST __attribute__((always_inline)) inline

namespace gnp { inline namespace GNP_ABI { namespace scalar {

extern "C" double gnp_pow(double, double) noexcept __asm__(GNP_POW_SYMBOL("", "pow"))
    __attribute__((simd("notinbranch"), const));
extern "C" float gnp_powf(float, float) noexcept __asm__(GNP_POW_SYMBOL("", "powf"))
    __attribute__((simd("notinbranch"), const));

namespace pow_forms {

using doubles_2 = double __attribute__((vector_size(16)));
using doubles_4 = double __attribute__((vector_size(32)));
using doubles = double __attribute__((vector_size(64)));
using floats_4 = float __attribute__((vector_size(16)));
using floats_8 = float __attribute__((vector_size(32)));
using floats = float __attribute__((vector_size(64)));
using bits_of_doubles = long long __attribute__((vector_size(64)));
using bits_of_floats = int __attribute__((vector_size(64)));

extern "C" {
double gnp_c_pow(double, double) noexcept __asm__("pow");
float gnp_c_powf(float, float) noexcept __asm__("powf");
doubles_2 gnp_c_pow_2(doubles_2, doubles_2) noexcept __asm__("_ZGVbN2vv_pow");
floats_4 gnp_c_powf_4(floats_4, floats_4) noexcept __asm__("_ZGVbN4vv_powf");
__attribute__((target("avx"))) doubles_4 gnp_c_pow_4(doubles_4, doubles_4) noexcept __asm__("_ZGVcN4vv_pow");
__attribute__((target("avx"))) floats_8 gnp_c_powf_8(floats_8, floats_8) noexcept __asm__("_ZGVcN8vv_powf");
__attribute__((target("avx2"))) doubles_4 gnp_c_pow_4d(doubles_4, doubles_4) noexcept __asm__("_ZGVdN4vv_pow");
__attribute__((target("avx2"))) floats_8 gnp_c_powf_8d(floats_8, floats_8) noexcept __asm__("_ZGVdN8vv_powf");
}

// x = 2^k z with z in [1, 2), and c near 1/z with four binary places after the first: z c - 1 is exact, and at
// most 1/32. A c of 1/2 counts as a 1 and one more in k, so that numbers about 1 have nothing but z c - 1.
/// Of c = (16 + m) / 32, -log(2 c) and 2^(m / 16): places that add up exactly, and what they leave.
struct alignas(64) double_tables {
  double log_high[16] = {0x0.0p+0,
                         -0x1.f0a30c0118000p-5,
                         -0x1.e27076e2b0000p-4,
                         -0x1.5ff3070a7a000p-3,
                         -0x1.c8ff7c79aa000p-3,
                         -0x1.1675cababa000p-2,
                         -0x1.4618bc21c6000p-2,
                         -0x1.739d7f6bbd000p-2,
                         -0x1.9f323ecbfa000p-2,
                         -0x1.c8ff7c79aa000p-2,
                         -0x1.f128f5faf0000p-2,
                         -0x1.0be72e4252800p-1,
                         -0x1.1e85f5e704000p-1,
                         -0x1.307d7334f1000p-1,
                         -0x1.41d8fe8467000p-1,
                         -0x1.52a2d265bc800p-1};
  double log_low[16] = {0x0.0p+0,
                        0x1.d599e83368e91p-45,
                        0x1.a342c2af0003cp-45,
                        0x1.8586f183bebf2p-44,
                        0x1.7794f689f8434p-45,
                        -0x1.8380e731f55c4p-44,
                        0x1.3d82f484c84ccp-46,
                        -0x1.a7389314feb50p-52,
                        0x1.ed03525ca2643p-44,
                        0x1.7794f689f8434p-44,
                        -0x1.bb2cd720ec44cp-44,
                        -0x1.415b4c4bdd99fp-44,
                        -0x1.a07bd8b34be7cp-46,
                        -0x1.7c3f6b2143eadp-46,
                        -0x1.5732325e617a3p-44,
                        0x1.2a88c41ba8752p-44};
  double power_high[16] = {
      0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
      0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
      0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
      0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
  double power_low[16] = {0x0.0p+0,
                          0x1.79aa65d837b6dp-54,
                          -0x1.01b15eaa59348p-55,
                          0x1.68efde3a8a894p-54,
                          0x1.34d754db0abb6p-55,
                          0x1.59f48a72a4c6dp-55,
                          0x1.690cebb7aafb0p-56,
                          0x1.063e1e21c5409p-54,
                          -0x1.3b3efbf5e2228p-54,
                          -0x1.b32dcb94da51dp-56,
                          0x1.db72fc1f0eab4p-55,
                          0x1.1affc2b91ce27p-56,
                          0x1.c1a7792cb3387p-55,
                          0x1.36eae30af0cb3p-56,
                          0x1.4a385a63d07a7p-56,
                          -0x1.ff7128fd391f0p-55};
};
/// Of c = (32 + m) / 64, -log2(2 c) and 2^(m / 32).
struct alignas(64) float_tables {
  float log_high[32] = {
      0x0.0p+0F,     -0x1.6bap-5F,  -0x1.664p-4F,  -0x1.08c8p-3F, -0x1.5cp-3F,   -0x1.acf8p-3F, -0x1.fbcp-3F,
      -0x1.244p-2F,  -0x1.49a8p-2F, -0x1.6e24p-2F, -0x1.91bcp-2F, -0x1.b48p-2F,  -0x1.d674p-2F, -0x1.f7a8p-2F,
      -0x1.0c1p-1F,  -0x1.1bf4p-1F, -0x1.2b8p-1F,  -0x1.3abcp-1F, -0x1.49a8p-1F, -0x1.5848p-1F, -0x1.66ap-1F,
      -0x1.74b2p-1F, -0x1.828p-1F,  -0x1.900ep-1F, -0x1.9d5ep-1F, -0x1.aa7p-1F,  -0x1.b74ap-1F, -0x1.c3eap-1F,
      -0x1.d054p-1F, -0x1.dc8ap-1F, -0x1.e88cp-1F, -0x1.f45ep-1F};
  float log_low[32] = {0x0.0p+0F,        -0x1.a6eb1ep-18F, 0x1.20a6dep-21F,  0x1.3b992cp-18F,  -0x1.a39fbep-19F,
                       0x1.0e9258p-18F,  -0x1.6b9026p-19F, -0x1.eac382p-20F, 0x1.ed0cbap-20F,  0x1.e3263p-18F,
                       0x1.5db83ap-20F,  0x1.408c78p-18F,  -0x1.3e032ep-18F, -0x1.5a32c2p-20F, -0x1.40358ep-19F,
                       0x1.dc2d46p-18F,  -0x1.a39fbep-20F, 0x1.80abfcp-18F,  0x1.ed0cbap-19F,  -0x1.134c4ep-20F,
                       -0x1.1c8f12p-22F, 0x1.4d8fc6p-24F,  -0x1.3ab7cep-18F, -0x1.858p-19F,    0x1.80abfcp-19F,
                       -0x1.1eb002p-18F, 0x1.6e155ap-18F,  0x1.ae8f3p-20F,   0x1.25b3eep-22F,  0x1.953002p-19F,
                       -0x1.acd89ap-19F, -0x1.179e0cp-22F};
  float power_high[32] = {0x1.0p+0F,      0x1.059b0ep+0F, 0x1.0b5586p+0F, 0x1.11301ep+0F, 0x1.172b84p+0F,
                          0x1.1d4874p+0F, 0x1.2387a6p+0F, 0x1.29e9ep+0F,  0x1.306fep+0F,  0x1.371a74p+0F,
                          0x1.3dea64p+0F, 0x1.44e086p+0F, 0x1.4bfdaep+0F, 0x1.5342b6p+0F, 0x1.5ab07ep+0F,
                          0x1.6247ecp+0F, 0x1.6a09e6p+0F, 0x1.71f75ep+0F, 0x1.7a1148p+0F, 0x1.82589ap+0F,
                          0x1.8ace54p+0F, 0x1.93737cp+0F, 0x1.9c4918p+0F, 0x1.a5503cp+0F, 0x1.ae89fap+0F,
                          0x1.b7f77p+0F,  0x1.c199bep+0F, 0x1.cb720ep+0F, 0x1.d5818ep+0F, 0x1.dfc974p+0F,
                          0x1.ea4afap+0F, 0x1.f50766p+0F};
  float power_low[32] = {0x0.0p+0F,        -0x1.9d4f52p-25F, 0x1.9f3122p-25F,  -0x1.fdb496p-25F,
                         -0x1.c15742p-27F, -0x1.d2e8cap-25F, 0x1.ceac48p-25F,  -0x1.5c0424p-25F,
                         0x1.4636e2p-25F,  -0x1.18aac6p-25F, 0x1.824684p-25F,  0x1.8624b4p-30F,
                         -0x1.593abcp-25F, -0x1.2c561p-25F,  -0x1.5bd5ecp-27F, -0x1.f8b55p-25F,
                         0x1.9fcef4p-26F,  0x1.1d8beep-25F,  -0x1.829fdp-25F,  -0x1.accc7cp-26F,
                         0x1.15506ep-27F,  -0x1.e64744p-25F, 0x1.51f848p-27F,  -0x1.b83b54p-25F,
                         -0x1.a94b14p-26F, -0x1.a09438p-25F, -0x1.3d56b2p-27F, -0x1.8837ccp-27F,
                         -0x1.822dbcp-27F, -0x1.908c94p-25F, 0x1.52486cp-27F,  -0x1.246ebp-26F};
};
inline constexpr double_tables of_double;
inline constexpr float_tables of_float;

/// Every lane, in the types in which the compiler's functions want it.
struct every_lane {
  constexpr operator char() const { return -1; }
  constexpr operator unsigned char() const { return 0xff; }
  constexpr operator short() const { return -1; }
  constexpr operator unsigned short() const { return 0xffff; }
};
inline constexpr every_lane all;

GNP_POW_STEP doubles product_plus(doubles x, doubles y, doubles z) {
  return __builtin_ia32_vfmaddpd512_mask(x, y, z, all, 4);
}
GNP_POW_STEP floats product_plus(floats x, floats y, floats z) {
  return __builtin_ia32_vfmaddps512_mask(x, y, z, all, 4);
}
GNP_POW_STEP doubles entry(const double (&table)[16], bits_of_doubles index) {
  return __builtin_shuffle(*reinterpret_cast<const doubles*>(table),
                           *reinterpret_cast<const doubles*>(table + 8), index);
}
GNP_POW_STEP floats entry(const float (&table)[32], bits_of_floats index) {
  return __builtin_shuffle(*reinterpret_cast<const floats*>(table),
                           *reinterpret_cast<const floats*>(table + 16), index);
}
// How rndscale rounds: to so many binary places, quietly.
constexpr int below = 1, not_below = 5;  // of the processor's comparisons
constexpr int to_whole = 8, to_32nds = 5 << 4 | 8, to_64ths = 6 << 4 | 8;

/// |x|^y of finite |x| above 0; a bit of `beyond` for each power that is not right, as it or y is no normal
/// number.
GNP_POW_STEP doubles power_of(doubles x, doubles y, unsigned& beyond) {
  const doubles zero = {};
  const doubles z = __builtin_ia32_getmantpd512_mask(x, 4, zero, all, 4);  // of |x|
  const doubles c =
      __builtin_ia32_rndscalepd_mask(__builtin_ia32_rcp14pd512_mask(z, zero, all), to_32nds, zero, all, 4);
  const doubles k =
      __builtin_ia32_getexppd512_mask(x, zero, all, 4) - __builtin_ia32_getexppd512_mask(c, zero, all, 4);
  const auto index = reinterpret_cast<bits_of_doubles>(c) >> 48;
  const doubles r = product_plus(z, c, zero - 1.0);

  // log(x) = high + low: k log(2) + log(1 / c) and r are added exactly, r^2 / 2 likewise.
  const doubles of_c = product_plus(k, zero + 0x1.62e42fefa3800p-1, entry(of_double.log_high, index));
  const doubles of_c_low = product_plus(k, zero + 0x1.ef35793c76730p-45, entry(of_double.log_low, index));
  const doubles sum = of_c + r;
  const doubles sum_low = of_c_low + (of_c - sum + r);
  const doubles half = -0.5 * r;
  const doubles square = half * r;
  const doubles next = sum + square;
  const doubles next_low = product_plus(half, r, -square) + (sum - next + square);
  const doubles r2 = r * r;
  const doubles r4 = r2 * r2;
  const doubles q0 = product_plus(r, zero - 0x1.ffffffffffec0p-3, zero + 0x1.5555555555555p-2);
  const doubles q2 = product_plus(r, zero - 0x1.55555557d1480p-3, zero + 0x1.99999999994fdp-3);
  const doubles q4 = product_plus(r, zero - 0x1.ffffcb9598cabp-4, zero + 0x1.2492492994977p-3);
  const doubles q6 = product_plus(r, zero - 0x1.9a7b28e8e82d9p-4, zero + 0x1.c71c271498a63p-4);
  const doubles q8 = product_plus(r2, zero + 0x1.7558ba91f29bdp-4, q6);
  const doubles q = product_plus(r4, product_plus(r2, q8, q4), product_plus(r2, q2, q0));
  const doubles rest = product_plus(r2 * r, q, sum_low + next_low);
  const doubles high = next + rest;
  const doubles low = next - high + rest;

  // exp(y log(x)): by sixteenths of powers of 2.
  const doubles to = y * high;
  const doubles to_low = product_plus(y, low, product_plus(y, high, -to));
  constexpr double last_place = 0x1.8p48;  // numbers about it are multiples of 1/16
  const doubles shifted = product_plus(to, zero + 0x1.71547652b82fep+0, zero + last_place);
  const doubles t = shifted - last_place;
  const auto part = reinterpret_cast<bits_of_doubles>(shifted);
  const doubles e =
      product_plus(t, zero - 0x1.cf79abc9e3b3ap-40, product_plus(t, zero - 0x1.62e42fefa0000p-1, to)) + to_low;
  const doubles e2 = e * e;
  const doubles s0 = product_plus(e, zero + 0x1.555555548f9ccp-3, zero + 0x1.0000000000005p-1);
  const doubles s2 = product_plus(e, zero + 0x1.11123aa070c22p-7, zero + 0x1.5555555461348p-5);
  const doubles s = product_plus(e2, product_plus(e2, zero + 0x1.6c185b283851dp-10, s2), s0);
  const doubles more = product_plus(e2, s, e + entry(of_double.power_low, part));
  const doubles power = entry(of_double.power_high, part);
  const doubles result = __builtin_ia32_scalefpd512_mask(product_plus(power, more, power), t, zero, all, 4);

  const auto size = reinterpret_cast<bits_of_doubles>(to) & 0x7fffffffffffffff;
  beyond = static_cast<unsigned char>(
      __builtin_ia32_cmppd512_mask(reinterpret_cast<doubles>(size), zero + 708.0, not_below, all, 4));
  return result;
}

/// The same of floats, by powers and logarithms of base 2; their c has one place more.
GNP_POW_STEP floats power_of(floats x, floats y, unsigned& beyond) {
  const floats zero = {};
  const floats z = __builtin_ia32_getmantps512_mask(x, 4, zero, all, 4);
  const floats c =
      __builtin_ia32_rndscaleps_mask(__builtin_ia32_rcp14ps512_mask(z, zero, all), to_64ths, zero, all, 4);
  const floats k =
      __builtin_ia32_getexpps512_mask(x, zero, all, 4) - __builtin_ia32_getexpps512_mask(c, zero, all, 4);
  const auto index = reinterpret_cast<bits_of_floats>(c) >> 18;
  const floats r = product_plus(z, c, zero - 1.0F);

  // log2(1 + r) is r (a + b) with an a for which nothing is rounded.
  const floats b2 = product_plus(r, zero + 0x1.278b6p-2F, zero - 0x1.716816p-2F);
  const floats b1 = product_plus(r, product_plus(r, b2, zero + 0x1.ec709ep-2F), zero - 0x1.715476p-1F);
  const floats b = product_plus(r, b1, zero + 0x1.4ae0cp-26F);
  const floats factor = b + 0x1.715476p+0F;
  const floats factor_low = b - (factor - 0x1.715476p+0F);
  const floats product = r * factor;
  const floats of_c = k + entry(of_float.log_high, index);
  const floats high = of_c + product;
  const floats low = product_plus(r, factor_low, entry(of_float.log_low, index)) +
                     (product_plus(r, factor, -product) + (of_c - high + product));

  const floats to = y * high;
  const floats to_low = product_plus(y, low, product_plus(y, high, -to));
  const floats shifted = to + 0x1.8p18F;
  const floats t = shifted - 0x1.8p18F;
  const auto part = reinterpret_cast<bits_of_floats>(shifted);
  const floats e = to - t + to_low;
  const floats s1 = product_plus(e, zero + 0x1.c6b188p-5F, zero + 0x1.ebfce4p-3F);
  const floats s = e * product_plus(e, s1, zero + 0x1.62e43p-1F);
  const floats power = entry(of_float.power_high, part);
  const floats more = product_plus(power, s, entry(of_float.power_low, part));
  const floats result = __builtin_ia32_scalefps512_mask(power + more, t, zero, all, 4);

  const auto size = reinterpret_cast<bits_of_floats>(to) & 0x7fffffff;
  beyond = static_cast<unsigned short>(
      __builtin_ia32_cmpps512_mask(reinterpret_cast<floats>(size), zero + 256.0F, not_below, all, 4));
  return result;
}

GNP_POW_STEP unsigned are_negative(doubles x) {
  return static_cast<unsigned char>(__builtin_ia32_cmppd512_mask(x, doubles{}, below, all, 4));
}
GNP_POW_STEP unsigned are_negative(floats x) {
  return static_cast<unsigned short>(__builtin_ia32_cmpps512_mask(x, floats{}, below, all, 4));
}
GNP_POW_STEP doubles nearest_whole(doubles x) { return __builtin_ia32_rndscalepd_mask(x, to_whole, x, all, 4); }
GNP_POW_STEP floats nearest_whole(floats x) { return __builtin_ia32_rndscaleps_mask(x, to_whole, x, all, 4); }
GNP_POW_STEP double c_power(double x, double y) { return gnp_c_pow(x, y); }
GNP_POW_STEP float c_power(float x, float y) { return gnp_c_powf(x, y); }

/// Powers of negative x from those of |x|, and what is not right from the C library.
template <class Bits, class Vector>
GNP_POW_WIDEST __attribute__((noinline, cold)) Vector mended(Vector powers, Vector x, Vector y,
                                                             unsigned beyond) {
  using real = std::remove_cvref_t<decltype(x[0])>;
  const Vector half = real(0.5) * y;
  const Bits is_negative = x < real(0);
  const Bits is_whole = nearest_whole(y) == y;
  const Bits is_odd = nearest_whole(half) != half;
  Vector result = is_negative & is_odd ? -powers : powers;
  result = is_negative & ~is_whole ? Vector{} + static_cast<real>(__builtin_nan("")) : result;
  for (unsigned left = beyond; left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    result[lane] = c_power(x[lane], y[lane]);
  }
  return result;
}

template <class Bits, class Vector>
GNP_POW_STEP Vector power_or_mended(Vector x, Vector y) {
  unsigned beyond = 0;
  const Vector powers = power_of(x, y, beyond);
  if (__builtin_expect((beyond | are_negative(x)) != 0, 0)) return mended<Bits>(powers, x, y, beyond);
  return powers;
}

GNP_POW_HERE double pow_one(double, double) noexcept __asm__(GNP_POW_SYMBOL("", "pow"));
inline double pow_one(double x, double y) noexcept { return gnp_c_pow(x, y); }
GNP_POW_HERE float powf_one(float, float) noexcept __asm__(GNP_POW_SYMBOL("", "powf"));
inline float powf_one(float x, float y) noexcept { return gnp_c_powf(x, y); }
// b is SSE, c AVX, d AVX2, e AVX-512.
#define GNP_POW_FORM(form, vector, prefix, name, target_, computed)                                       \
  GNP_POW_HERE target_ vector form(vector, vector) noexcept __asm__(GNP_POW_SYMBOL("_ZGV" prefix, name)); \
  inline target_ vector form(vector x, vector y) noexcept { return computed(x, y); }
GNP_POW_FORM(pow_b, doubles_2, "bN2vv_", "pow", , gnp_c_pow_2)
GNP_POW_FORM(pow_c, doubles_4, "cN4vv_", "pow", __attribute__((target("avx"))), gnp_c_pow_4)
GNP_POW_FORM(pow_d, doubles_4, "dN4vv_", "pow", __attribute__((target("avx2"))), gnp_c_pow_4d)
GNP_POW_FORM(pow_e, doubles, "eN8vv_", "pow", GNP_POW_WIDEST, power_or_mended<bits_of_doubles>)
GNP_POW_FORM(powf_b, floats_4, "bN4vv_", "powf", , gnp_c_powf_4)
GNP_POW_FORM(powf_c, floats_8, "cN8vv_", "powf", __attribute__((target("avx"))), gnp_c_powf_8)
GNP_POW_FORM(powf_d, floats_8, "dN8vv_", "powf", __attribute__((target("avx2"))), gnp_c_powf_8d)
GNP_POW_FORM(powf_e, floats, "eN16vv_", "powf", GNP_POW_WIDEST, power_or_mended<bits_of_floats>)
#undef GNP_POW_FORM

}  // namespace pow_forms
}}}  // namespace gnp::GNP_ABI::scalar
#undef GNP_POW_STEP
#undef GNP_POW_WIDEST
#undef GNP_POW_HERE
#undef GNP_POW_SYMBOL
#else
#define GNP_HAS_VECTOR_POW 0
#endif
