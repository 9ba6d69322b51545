// SPDX-License-Identifier: MIT
// Scalar functions behind single ufuncs: logaddexp, heaviside, sinc, nextafter, rounding to decimals.
#pragma once

#include <gnp/expr/scalar/compare.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Without branches, so that a GPU's threads compute several elements side by side. Equal infinities have no difference.
GNP_SCALAR(logaddexp, real,
  template <real_floating T> T logaddexp(T x, T y) {
    const T difference = x - y;
    const T distance = x == y ? T(0) : difference > T(0) ? -difference : difference;
    return (difference > T(0) ? x : y) + log1p(exp(distance));
  })

GNP_SCALAR(logaddexp2, real,
  template <real_floating T> T logaddexp2(T x, T y) {
    const T log2_e = static_cast<T>(1.442695040888963407360);
    const T difference = x - y;
    const T distance = x == y ? T(0) : difference > T(0) ? -difference : difference;
    return (difference > T(0) ? x : y) + log2_e * log1p(exp2(distance));
  })

GNP_SCALAR(heaviside, real,
  template <real_floating T> constexpr T heaviside(T x, T at_zero) {
    return x != x ? x : x == T(0) ? at_zero : x < T(0) ? T(0) : T(1);
  })

GNP_SCALAR(degrees_of, real, template <real_floating T> constexpr T degrees_of(T x) { return x * static_cast<T>(180.0 / 3.14159265358979323846); })
GNP_SCALAR(radians_of, real, template <real_floating T> constexpr T radians_of(T x) { return x * static_cast<T>(3.14159265358979323846 / 180.0); })

GNP_SCALAR(sinc, real,
  template <class T> T sinc(T x) {
    if constexpr (is_complex_v<T>) {
      using part = typename T::value_type;
      const bool zero = x.real() == part(0) && x.imag() == part(0);
      const T y = times(T(pi<part>, part(0)), zero ? T(static_cast<part>(1e-20), part(0)) : x);
      return over(sin(y), y);
    } else {
      const T y = pi<T> * (x == T(0) ? static_cast<T>(1e-20) : x);
      return sin(y) / y;
    }
  })

GNP_SCALAR(phase, real,
  template <class T> auto phase(T x) {
    if constexpr (is_complex_v<T>) { return atan2(x.imag(), x.real()); } else { return atan2(T(0), x); }
  })

GNP_SCALAR(conjugate_of, real,
  template <class T> T conjugate_of(T x) { if constexpr (is_complex_v<T>) { return T(x.real(), -x.imag()); } else { return x; } })

GNP_SCALAR(real_of, real,
  template <class T> auto real_of(T x) { if constexpr (is_complex_v<T>) { return x.real(); } else { return x; } })

GNP_SCALAR(imag_of, real,
  template <class T> auto imag_of(T x) { if constexpr (is_complex_v<T>) { return x.imag(); } else { return T(0); } })

GNP_SCALAR(round_to_even, real,
  template <class T> T round_to_even(T x) {
    if constexpr (is_complex_v<T>) { return T(rint(x.real()), rint(x.imag())); }
    else if constexpr (is_integer_v<T>) { return x; }
    else { return rint(x); }
  })

GNP_SCALAR(round_decimals, real,
  template <class T> T round_decimals(T x, T scale, T inverse_scale) {
    if constexpr (is_complex_v<T>) {
      return T(round_decimals(x.real(), scale.real(), inverse_scale.real()), round_decimals(x.imag(), scale.real(), inverse_scale.real()));
    } else if constexpr (is_integer_v<T>) {
      if (inverse_scale == T(0)) { return T(0); }
      if (inverse_scale == T(1)) { return x; }
      return static_cast<T>(rint(static_cast<double>(x) / static_cast<double>(inverse_scale)) * static_cast<double>(inverse_scale));
    } else {
      return inverse_scale > T(1) ? rint(x / inverse_scale) * inverse_scale : rint(x * scale) / scale;
    }
  })

GNP_SCALAR(replace_non_finite, real,
  template <class T> T replace_non_finite(T x, T nan, T positive, T negative) {
    if constexpr (is_complex_v<T>) {
      return T(replace_non_finite(x.real(), nan.real(), positive.real(), negative.real()),
               replace_non_finite(x.imag(), nan.real(), positive.real(), negative.real()));
    } else if constexpr (is_integer_v<T>) { return x; }
    else { return x != x ? nan : x - x == T(0) ? x : x > T(0) ? positive : negative; }
  })

GNP_SCALAR(scale_by_power_of_two, real,
  template <class Count> int exponent_in_range(Count n) {
    if constexpr (sizeof(Count) < sizeof(int)) { return static_cast<int>(n); }
    else if (n > Count(100000)) { return 100000; }
    else { return Count(-1) < Count(0) && n < Count(-100000) ? -100000 : static_cast<int>(n); }
  }
  template <class Count> float scale_by_power_of_two(float x, Count n) { return gnp_ldexpf(x, exponent_in_range(n)); }
  template <class Count> double scale_by_power_of_two(double x, Count n) { return gnp_ldexp(x, exponent_in_range(n)); })

GNP_SCALAR(next_toward, real,
  inline float next_toward(float x, float y) { return gnp_nextafterf(x, y); }
  inline double next_toward(double x, double y) { return gnp_nextafter(x, y); })

// The 16-bit types have their own neighbours, found by stepping the bits of the magnitude. Of equal numbers, zeros of
// either sign, NumPy's halves take the first, and all other types the second.
GNP_SCALAR(next_toward, half,
  template <class H> H next_half(H x, H y, H if_equal) {
    const float from = static_cast<float>(x);
    const float to = static_cast<float>(y);
    if (from != from || to != to) { return H(from + to); }
    if (from == to) { return if_equal; }
    H result = x;
    if (from == 0.0f) { result.bits = static_cast<unsigned short>(to > 0.0f ? 0x0001 : 0x8001); }
    else { result.bits = static_cast<unsigned short>((from < to) == (from > 0.0f) ? x.bits + 1 : x.bits - 1); }
    return result;
  }
  inline half next_toward(half x, half y) { return next_half(x, y, x); }
  inline bfloat16 next_toward(bfloat16 x, bfloat16 y) { return next_half(x, y, y); })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
