// SPDX-License-Identifier: MIT
// The parts of floating-point numbers, the distance between neighbours, the number of bits that are set, and
// the Bessel function i0, as scalar functions for both devices.
#pragma once

#include <gnp/expr/scalar/arithmetic.hpp>
#include <gnp/expr/scalar/special.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// x = mantissa * 2^exponent, 0.5 <= |mantissa| < 1; a number that is zero or not finite is its own mantissa.
GNP_SCALAR(mantissa_of, real,
  inline float mantissa_of(float x) { int e = 0; return x - x == 0.0f ? gnp_frexpf(x, &e) : x; }
  inline double mantissa_of(double x) { int e = 0; return x - x == 0.0 ? gnp_frexp(x, &e) : x; })
GNP_SCALAR(exponent_of, real,
  inline int exponent_of(float x) { int e = 0; gnp_frexpf(x - x == 0.0f ? x : 0.0f, &e); return e; }
  inline int exponent_of(double x) { int e = 0; gnp_frexp(x - x == 0.0 ? x : 0.0, &e); return e; })

GNP_SCALAR(fraction_of, real,
  template <real_floating T> T fraction_of(T x) { return copysign(isinf(x) ? T(0) : x - trunc(x), x); })

// The distance to the neighbour away from zero, with the sign of x. For half it is, as in NumPy, the distance
// to the next larger number.
GNP_SCALAR(distance_to_next, real,
  template <class T> T distance_to_next(T x) {
    if constexpr (is_half_v<T>) {
      const float value = static_cast<float>(x);
      if (value - value != 0.0f) { return T(value - value); }
      return T(static_cast<float>(next_toward(x, T(value < 0.0f && !same_type<T, half> ? -infinity<float>() : infinity<float>()))) - value);
    } else {
      return isinf(x) ? x - x : next_toward(x, x < T(0) ? -infinity<T>() : infinity<T>()) - x;
    }
  })

// Counts the bits of the magnitude: first in pairs, then in fours and bytes, then in all bytes at once.
GNP_SCALAR(count_bits, real,
  template <integer T> constexpr unsigned char count_bits(T x) {
    using U = typename wrapping_type<sizeof(T)>::type;
    constexpr U ones = static_cast<U>(~U(0));
    U n = static_cast<U>(magnitude(x));
    n -= (n >> 1) & (ones / 3);
    n = (n & (ones / 5)) + ((n >> 2) & (ones / 5));
    n = (n + (n >> 4)) & (ones / 17);
    return static_cast<unsigned char>((n * (ones / 255)) >> (sizeof(U) * 8 - 8));
  })

// Chebyshev series of exp(-x) i0(x) on [0, 8], of sqrt(x) exp(-x) i0(x) beyond.
GNP_SCALAR(bessel_i0, real,
  template <real_floating T, unsigned long Count> T chebyshev_sum(const double (&c)[Count], T t) {
    T next = T(0);
    T last = T(0);
    for (unsigned long i = Count - 1; i > 0; --i) { const T sum = T(2) * t * next - last + static_cast<T>(c[i]); last = next; next = sum; }
    return t * next - last + static_cast<T>(c[0]);
  }
  template <real_floating T> T bessel_i0(T value) {
    constexpr double inner[] = {
      0.33839763720473804, -0.3046826723431984, 0.17162090152220878, -0.094901097048047644,
      0.049305284239670708, -0.023737414805899469, 0.010546460394594998, -0.0043243099950505759,
      0.0016394756169413358, -0.00057637557453858237, 0.00018850288509584166, -5.7541950100821037e-5,
      1.6448448070728897e-5, -4.4167383584587506e-6, 1.1173875391201037e-6, -2.6707938539406117e-7,
      6.0469950225419189e-8, -1.300025009986248e-8, 2.6598237246823867e-9, -5.1897956016352629e-10,
      9.6758090353732369e-11, -1.7268262914415557e-11, 2.9550526631296398e-12, -4.8564467831119295e-13,
      7.6761854986049356e-14, -1.1685332877993452e-14, 1.715391285555133e-15, -2.4312798465479547e-16,
      3.3307945188222381e-17, -4.4153416464793394e-18};
    constexpr double outer[] = {
      0.40224520550705442, 0.0033691164782556941, 6.889758346916824e-5, 2.8913705208347565e-6,
      2.0489185894690637e-7, 2.2666689904981781e-8, 3.3962320257083863e-9, 4.9406023882249696e-10,
      1.1889147107846438e-11, -3.1499165279632414e-11, -1.3215811840447713e-11, -1.7941785315068061e-12,
      7.1801244513836662e-13, 3.8527783827421427e-13, 1.5400862175214098e-14, -4.1505693472872221e-14,
      -9.5548466988283076e-15, 3.8116806693526224e-15, 1.7725601330565264e-15, -3.4254856196772191e-16,
      -2.8276239805165835e-16, 3.4612228676974611e-17, 4.46562142029676e-17, -4.8305044859441821e-18,
      -7.233180487874754e-18, 9.9214754121736986e-19, 1.1936508908459821e-18};
    const T x = abs(value);
    if (x <= T(8)) { return exp(x) * chebyshev_sum(inner, x / T(4) - T(1)); }
    return exp(x) * chebyshev_sum(outer, T(16) / x - T(1)) / sqrt(x);
  })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
