// SPDX-License-Identifier: MIT
// cast<To>(x): every conversion between element types, as NumPy's astype does it.
#pragma once

#include <gnp/expr/scalar/real.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// A double is converted to 16 bits through a float that is rounded to odd (truncated, and its last bit set if
// anything was cut off), so that the result is as if it were rounded once. There are no branches, so that loops
// vectorise.
GNP_SCALAR(float_rounded_to_odd, half,
  inline float float_rounded_to_odd(double x) {
    const float nearest = static_cast<float>(x);
    const double back = static_cast<double>(nearest);
    const bool is_less = back < x;
    const bool is_more = back > x;
    const bool is_farther = (is_more & (x > 0)) | (is_less & (x < 0));
    return gnp_bits_float((gnp_float_bits(nearest) - static_cast<unsigned>(is_farther)) | static_cast<unsigned>(is_less | is_more));
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
