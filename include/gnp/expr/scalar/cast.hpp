// SPDX-License-Identifier: MIT
// cast<To>(x): every conversion between element types, as NumPy's astype does it.
#pragma once

#include <gnp/expr/scalar/real.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// A double on its way to 16 bits passes through float rounded to odd, so that it is rounded once in effect.
GNP_SCALAR(float_rounded_to_odd, half,
  inline float float_rounded_to_odd(double x) {
    const float nearest = static_cast<float>(x);
    const unsigned bits = gnp_float_bits(nearest);
    const double back = static_cast<double>(nearest);
    if (back == x || x != x || nearest - nearest != 0 || (bits & 1u) != 0) { return nearest; }
    const bool toward_zero = (back > 0 ? back > x : back < x);
    if ((bits & 0x7fffffffu) == 0) { return x > 0 ? gnp_bits_float(1u) : gnp_bits_float(0x80000001u); }
    return gnp_bits_float(toward_zero ? bits - 1u : bits + 1u);
  })

GNP_SCALAR(half_from, half,
  template <class To, class From> To half_from(From x) {
    if constexpr (same_type<From, double>) { return To(float_rounded_to_odd(x)); }
    else { return To(static_cast<float>(x)); }
  })

GNP_SCALAR(cast, base,
  template <class To, class From> constexpr To cast(From x) {
    if constexpr (same_type<To, From>) { return x; }
    else if constexpr (is_complex_v<From>) {
      if constexpr (same_type<To, bool>) { return x.real() != 0 || x.imag() != 0; }
      else if constexpr (is_complex_v<To>) {
        using part = typename To::value_type;
        return To(static_cast<part>(x.real()), static_cast<part>(x.imag()));
      } else { return cast<To>(x.real()); }
    }
    else if constexpr (is_half_v<From>) { return cast<To>(static_cast<float>(x)); }
    else if constexpr (is_complex_v<To>) { return To(static_cast<typename To::value_type>(x), 0); }
    else if constexpr (is_half_v<To>) { return half_from<To>(x); }
    else if constexpr (same_type<To, bool>) { return x != From(0); }
    else if constexpr (same_type<From, bool>) { return x ? static_cast<To>(1) : static_cast<To>(0); }
    else { return static_cast<To>(x); }
  })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
