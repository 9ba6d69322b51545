// SPDX-License-Identifier: MIT
// The building blocks of real distributions: words as numbers in (0, 1], logarithm, exponential, square root,
// circle. They use only arithmetic for which IEEE 754 specifies the rounding, fuse operations only where the
// code says so, and call no library functions. So both devices, and every compiler, give the same bits.
#pragma once

#include <gnp/random/philox.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

inline float gnp_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double gnp_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline std::uint64_t gnp_double_bits(double x) { return std::bit_cast<std::uint64_t>(x); }
inline double gnp_bits_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }

// clang-format off

// a b + c, rounded once.
GNP_SCALAR(fused, random,
  [[gnu::always_inline]] inline float fused(float a, float b, float c) { return gnp_fmaf(a, b, c); }
  [[gnu::always_inline]] inline double fused(double a, double b, double c) { return gnp_fma(a, b, c); })

// The type in which the numbers of an element type are computed.
GNP_SCALAR(computed_as, random,
  template <class T> struct computed_as { using type = float; };
  template <> struct computed_as<double> { using type = double; };)

// Words as a number in (0, 1], as cuRAND makes it.
GNP_SCALAR(joined, random,
  [[gnu::always_inline]] inline unsigned long long joined(unsigned x, unsigned y) {
    return static_cast<unsigned long long>(x) ^ (static_cast<unsigned long long>(y) << 21);
  })
GNP_SCALAR(unit, random,
  [[gnu::always_inline]] inline float unit(unsigned x) { return fused(static_cast<float>(x), 0x1p-32f, 0x1p-33f); }
  [[gnu::always_inline]] inline double unit(unsigned x, unsigned y) {
    const unsigned long long z = joined(x, y);
    const double low = gnp_bits_double(0x4330000000000000ull | (z & 0xffffffffull)) - 4503599627370496.0;
    const double high = gnp_bits_double(0x4330000000000000ull | (z >> 32)) - 4503599627370496.0;
    return fused(high, 0x1p-21, fused(low, 0x1p-53, 0x1p-54));
  })

// The words of one element: the two that every element has, and as many more as it requests.
GNP_SCALAR(own_words, random,
  struct own_words {
    const draw_place& place;
    unsigned offset;
    unsigned x;
    unsigned y;
    unsigned used;
    bool spent;
    [[gnu::always_inline]] static inline own_words of(const draw_place& place, unsigned offset, unsigned x, unsigned y) {
      return own_words{place, offset, x, y, 0u, false};
    }
    // The condition of a rejection loop. It is almost never false, and if it is, some words are left for what
    // follows the loop.
    [[gnu::always_inline]] inline bool more() const { return used < 16376u; }
    [[gnu::always_inline]] inline words4 next() {
      const words4 w = place.retry(offset, used);
      ++used;
      return w;
    }
    // The first number is unit(x, y).
    [[gnu::always_inline]] inline double uniform() {
      if (!spent) {
        spent = true;
        return unit(x, y);
      }
      const words4 w = next();
      x = w.z;
      y = w.w;
      spent = false;
      return unit(w.x, w.y);
    }
  };)

// -2 log(u) for u in (0, 1]: u = 2^e m with m in [sqrt(1/2), sqrt(2)), and a polynomial for m.
GNP_SCALAR(minus_two_log, random,
  [[gnu::always_inline]] inline float minus_two_log(float u) {
    const unsigned bits = gnp_float_bits(u) - 0x3f3504f3u;
    const float e = static_cast<float>(static_cast<int>(bits) >> 23);
    const float f = gnp_bits_float((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
    float p = 0.15805487f;
    p = fused(p, f, -0.25244638f);
    p = fused(p, f, 0.25996366f);
    p = fused(p, f, -0.28428993f);
    p = fused(p, f, 0.33282563f);
    p = fused(p, f, -0.4000209f);
    p = fused(p, f, 0.50000614f);
    p = fused(p, f, -0.6666666f);
    const float bent = fused(fused(p, f, 1.0f), f * f, -2.0f * f);
    return fused(e, -1.3862944f, bent);
  }
  [[gnu::always_inline]] inline double minus_two_log(double u) {
    const unsigned long long bits = gnp_double_bits(u) - 0x3fe6a09e667f3bcdull;
    const double e = static_cast<double>(static_cast<int>(static_cast<long long>(bits) >> 52));
    const double f = gnp_bits_double((bits & 0x000fffffffffffffull) + 0x3fe6a09e667f3bcdull) - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    double p = 0.13086626147840102;
    p = fused(p, z, 0.13268773138656886);
    p = fused(p, z, 0.15386239702814658);
    p = fused(p, z, 0.18181795640132906);
    p = fused(p, z, 0.22222222391713917);
    p = fused(p, z, 0.28571428570803614);
    p = fused(p, z, 0.4000000000000088);
    p = fused(p, z, 0.6666666666666666);
    return -2.0 * fused(e, 0.6931471805599453, fused(2.0, s, gnp_rounded(s * z * p)));
  })

GNP_SCALAR(log_of, random, [[gnu::always_inline]] inline double log_of(double x) { return -0.5 * minus_two_log(x); })

// exp(r) - 1 for r within log(2) / 2 of 0.
GNP_SCALAR(exp_rest, random,
  [[gnu::always_inline]] inline double exp_rest(double r) {
    double p = 2.0915442297780116e-09;
    p = fused(p, r, 2.5106274733573296e-08);
    p = fused(p, r, 2.75572718102198e-07);
    p = fused(p, r, 2.755725283351691e-06);
    p = fused(p, r, 2.4801587327007187e-05);
    p = fused(p, r, 0.00019841269876864356);
    p = fused(p, r, 0.0013888888888883327);
    p = fused(p, r, 0.008333333333325544);
    p = fused(p, r, 0.04166666666666667);
    p = fused(p, r, 0.1666666666666667);
    p = fused(p, r, 0.5);
    return fused(r * r, p, r);
  })

// exp(x): x = k log(2) + r, and a polynomial for r. 2^k is multiplied in as two factors, so that even the
// smallest results are rounded only once.
GNP_SCALAR(exp_of, random,
  [[gnu::always_inline]] inline float exp_of(float x) {
    const float within = x < -105.0f ? -105.0f : x > 89.0f ? 89.0f : x;
    const float shifted = fused(within, 1.442695f, 12582912.0f);
    const int k = static_cast<int>(gnp_float_bits(shifted) - 0x4b400000u);
    const float whole = shifted - 12582912.0f;
    const float r = fused(whole, -1.4286068e-06f, fused(whole, -0.69314575f, within));
    float p = 0.0013926927f;
    p = fused(p, r, 0.008363774f);
    p = fused(p, r, 0.041666549f);
    p = fused(p, r, 0.16666573f);
    p = fused(p, r, 0.5f);
    const float rest = fused(r * r, p, r);
    const float first = gnp_bits_float(static_cast<unsigned>((k >> 1) + 127) << 23);
    const float second = gnp_bits_float(static_cast<unsigned>(k - (k >> 1) + 127) << 23);
    return (1.0f + rest) * first * second;
  }
  [[gnu::always_inline]] inline double exp_of(double x) {
    const double within = x < -746.0 ? -746.0 : x > 710.0 ? 710.0 : x;
    const double shifted = fused(within, 1.4426950408889634, 6755399441055744.0);
    const int k = static_cast<int>(static_cast<long long>(gnp_double_bits(shifted) - 0x4338000000000000ull));
    const double whole = shifted - 6755399441055744.0;
    const double r = fused(whole, -1.9082149292705877e-10, fused(whole, -0.6931471803691238, within));
    const double rest = exp_rest(r);
    const double first = gnp_bits_double(static_cast<unsigned long long>((k >> 1) + 1023) << 52);
    const double second = gnp_bits_double(static_cast<unsigned long long>(k - (k >> 1) + 1023) << 52);
    return (1.0 + rest) * first * second;
  })

// exp(x) - 1, and log(1 + x) for x > -1, which are also accurate near 0. Both cases are always computed: g++ would not
// vectorise a division that only one of them needs.
GNP_SCALAR(expm1_of, random,
  [[gnu::always_inline]] inline double expm1_of(double x) {
    const double near_zero = exp_rest(x);
    const double elsewhere = gnp_rounded(exp_of(x)) - 1.0;
    return (x < 0.0 ? -x : x) < 0.34 ? near_zero : elsewhere;
  })
GNP_SCALAR(log1p_of, random,
  [[gnu::always_inline]] inline double log1p_of(double x) {
    const double sum = 1.0 + x;
    const double elsewhere = gnp_rounded(log_of(sum) * (x / (sum - 1.0)));
    return sum == 1.0 ? x : elsewhere;
  })

// The square root of a number in [0, 1e30]: a guess from the halved bits, then steps of Halley and of Newton.
// The hardware's square root is not faster on GPUs, and on the CPU no compiler vectorises it as long as it must
// set errno.
GNP_SCALAR(root, random,
  [[gnu::always_inline]] inline float root(float t) {
    const float guess = gnp_bits_float(0x5f3749dfu - (gnp_float_bits(t) >> 1));
    const float error = fused(-t * guess, guess, 1.0f);
    const float inverse = fused(guess * error, fused(error, 0.375f, 0.5f), guess);
    const float s = t * inverse;
    return fused(s * fused(-s, inverse, 1.0f), 0.5f, s);
  }
  [[gnu::always_inline]] inline double root(double t) {
    double inverse = gnp_bits_double(0x5fe6eb50c7b537a9ull - (gnp_double_bits(t) >> 1));
    double error = fused(-t * inverse, inverse, 1.0);
    inverse = fused(inverse * error, fused(error, 0.375, 0.5), inverse);
    error = fused(-t * inverse, inverse, 1.0);
    inverse = fused(inverse * error, fused(error, 0.375, 0.5), inverse);
    const double s = t * inverse;
    return fused(s * fused(-s, inverse, 1.0), 0.5, s);
  })

// sin(pi/2 x) / x and cos(pi/2 x), given z = x x, for x in [-1, 1].
GNP_SCALAR(sine_part, random,
  [[gnu::always_inline]] inline double sine_part(double z) {
    double s = 5.87297574479995e-12;
    s = fused(s, z, -6.684416831856085e-10);
    s = fused(s, z, 5.6921364280986254e-08);
    s = fused(s, z, -3.5988430204672576e-06);
    s = fused(s, z, 0.0001604411847130916);
    s = fused(s, z, -0.004681754135304255);
    s = fused(s, z, 0.07969262624616565);
    s = fused(s, z, -0.6459640975062462);
    s = fused(s, z, 1.5707963267948966);
    return s;
  })
GNP_SCALAR(cosine_part, random,
  [[gnu::always_inline]] inline double cosine_part(double z) {
    double c = -5.141851362746474e-13;
    c = fused(c, z, 6.563116029131491e-11);
    c = fused(c, z, -6.386574361616577e-09);
    c = fused(c, z, 4.710874609782996e-07);
    c = fused(c, z, -2.5202042367214145e-05);
    c = fused(c, z, 0.0009192602748382903);
    c = fused(c, z, -0.02086348076335285);
    c = fused(c, z, 0.25366950790104803);
    c = fused(c, z, -1.2337005501361697);
    c = fused(c, z, 1.0);
    return c;
  })

// r sin and r cos of an angle, which the word gives as a fraction of a turn. Half a turn, taken off in integer
// arithmetic, brings it into [-1/4, 1/4).
GNP_SCALAR(on_circle, random,
  [[gnu::always_inline]] inline void on_circle(float r, unsigned fraction, float* out) {
    const unsigned doubled = fraction << 1;
    const float x = static_cast<float>(static_cast<int>(doubled)) * 0x1p-31f;
    const float z = x * x;
    float s = 0.0001516717f;
    s = fused(s, z, -0.0046741436f);
    s = fused(s, z, 0.07968992f);
    s = fused(s, z, -0.6459638f);
    s = fused(s, z, 1.5707964f);
    float c = 0.00085813447f;
    c = fused(c, z, -0.020810515f);
    c = fused(c, z, 0.25365067f);
    c = fused(c, z, -1.2336982f);
    c = fused(c, z, 0.99999994f);
    const float facing = gnp_bits_float(gnp_float_bits(r) ^ ((fraction ^ doubled) & 0x80000000u));
    out[0] = facing * x * s;
    out[1] = facing * c;
  }
  [[gnu::always_inline]] inline void on_circle(double r, unsigned low, unsigned high, double* out) {
    const unsigned long long fraction = joined(low, high);
    const unsigned long long biased = (fraction & 0xfffffffffffffull) ^ 0x8000000000000ull;
    const double x = (gnp_bits_double(0x4330000000000000ull | biased) - 6755399441055744.0) * 0x1p-51;
    const double z = x * x;
    const double s = sine_part(z);
    const double c = cosine_part(z);
    const unsigned long long turned = (fraction << 11) ^ (fraction << 12);
    const double facing = gnp_bits_double(gnp_double_bits(r) ^ (turned & 0x8000000000000000ull));
    out[0] = facing * x * s;
    out[1] = facing * c;
  })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
