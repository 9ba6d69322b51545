// SPDX-License-Identifier: MIT
// Powers of two arrays, vectorised by g++. With AVX-512 they are computed here, because the C library's take
// twice as long as necessary; for vectors of 32 and 16 bytes the C library's are used. x^y is exp(y log(x)),
// where the logarithm has as many more binary places than the result as y has before the point. The result is
// within 1 ulp for double and 1.3 for float, like NumPy's; within 0.7 unless a number close to one is raised to
// a large power. Zeros, infinities, NaN and powers that are not normal numbers are left to the C library.
#pragma once

#include <gnp/cpu/vector_tables.hpp>
#include <type_traits>

#if GNP_HAS_VECTOR_FORMS
namespace gnp { inline namespace GNP_ABI { namespace scalar {

extern "C" double gnp_pow(double, double) noexcept __asm__(GNP_FORM_SYMBOL("", "pow"))
    __attribute__((simd("notinbranch"), const));
extern "C" float gnp_powf(float, float) noexcept __asm__(GNP_FORM_SYMBOL("", "powf"))
    __attribute__((simd("notinbranch"), const));

namespace vector_forms {

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

/// |x|^y for finite |x| above 0. Sets a bit of `beyond` for each power that is wrong here, because the power or
/// y is not a normal number.
GNP_FORM_STEP doubles power_of(doubles x, doubles y, unsigned& beyond) {
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

  // exp(y log(x)), from powers of 2 whose exponents are multiples of 1/16.
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

/// The same for floats, with powers and logarithms to base 2; c has one more binary place here.
GNP_FORM_STEP floats power_of(floats x, floats y, unsigned& beyond) {
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
  const floats s = product_plus(e, s1, zero + 0x1.62e43p-1F);
  const floats more = product_plus(e, s, entry(of_float.power_low, part));
  const floats power = entry(of_float.power_high, part);
  const floats result = __builtin_ia32_scalefps512_mask(product_plus(power, more, power), t, zero, all, 4);

  const auto size = reinterpret_cast<bits_of_floats>(to) & 0x7fffffff;
  beyond = static_cast<unsigned short>(
      __builtin_ia32_cmpps512_mask(reinterpret_cast<floats>(size), zero + 256.0F, not_below, all, 4));
  return result;
}

GNP_FORM_STEP unsigned are_negative(doubles x) {
  return static_cast<unsigned char>(__builtin_ia32_cmppd512_mask(x, doubles{}, below, all, 4));
}
GNP_FORM_STEP unsigned are_negative(floats x) {
  return static_cast<unsigned short>(__builtin_ia32_cmpps512_mask(x, floats{}, below, all, 4));
}
GNP_FORM_STEP doubles nearest_whole(doubles x) {
  return __builtin_ia32_rndscalepd_mask(x, to_whole, x, all, 4);
}
GNP_FORM_STEP floats nearest_whole(floats x) { return __builtin_ia32_rndscaleps_mask(x, to_whole, x, all, 4); }
GNP_FORM_STEP double c_power(double x, double y) { return gnp_c_pow(x, y); }
GNP_FORM_STEP float c_power(float x, float y) { return gnp_c_powf(x, y); }

/// Powers of negative x, from those of |x|. Powers that are marked in `beyond` come from the C library.
template <class Bits, class Vector>
GNP_FORM_WIDEST __attribute__((noinline, cold)) Vector mended(Vector powers, Vector x, Vector y,
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
GNP_FORM_STEP Vector power_or_mended(Vector x, Vector y) {
  unsigned beyond = 0;
  const Vector powers = power_of(x, y, beyond);
  if (__builtin_expect((beyond | are_negative(x)) != 0, 0)) return mended<Bits>(powers, x, y, beyond);
  return powers;
}

GNP_FORM_HERE double pow_one(double, double) noexcept __asm__(GNP_FORM_SYMBOL("", "pow"));
inline double pow_one(double x, double y) noexcept { return gnp_c_pow(x, y); }
GNP_FORM_HERE float powf_one(float, float) noexcept __asm__(GNP_FORM_SYMBOL("", "powf"));
inline float powf_one(float x, float y) noexcept { return gnp_c_powf(x, y); }
// The letters of the vector ABI: b is SSE, c AVX, d AVX2, e AVX-512.
#define GNP_POW_FORM(form, vector, prefix, name, target_, computed)                                         \
  GNP_FORM_HERE target_ vector form(vector, vector) noexcept __asm__(GNP_FORM_SYMBOL("_ZGV" prefix, name)); \
  inline target_ vector form(vector x, vector y) noexcept { return computed(x, y); }
GNP_POW_FORM(pow_b, doubles_2, "bN2vv_", "pow", , gnp_c_pow_2)
GNP_POW_FORM(pow_c, doubles_4, "cN4vv_", "pow", __attribute__((target("avx"))), gnp_c_pow_4)
GNP_POW_FORM(pow_d, doubles_4, "dN4vv_", "pow", __attribute__((target("avx2"))), gnp_c_pow_4d)
GNP_POW_FORM(pow_e, doubles, "eN8vv_", "pow", GNP_FORM_WIDEST, power_or_mended<bits_of_doubles>)
GNP_POW_FORM(powf_b, floats_4, "bN4vv_", "powf", , gnp_c_powf_4)
GNP_POW_FORM(powf_c, floats_8, "cN8vv_", "powf", __attribute__((target("avx"))), gnp_c_powf_8)
GNP_POW_FORM(powf_d, floats_8, "dN8vv_", "powf", __attribute__((target("avx2"))), gnp_c_powf_8d)
GNP_POW_FORM(powf_e, floats, "eN16vv_", "powf", GNP_FORM_WIDEST, power_or_mended<bits_of_floats>)
#undef GNP_POW_FORM

}  // namespace vector_forms
}}}  // namespace gnp::GNP_ABI::scalar
#endif
