// SPDX-License-Identifier: MIT
// Logarithms of double that g++ vectorises, as powers are in vector_pow.hpp. Within 0.6 ulp in vectors of
// AVX-512.
#pragma once

#include <gnp/cpu/vector_tables.hpp>

#if GNP_HAS_VECTOR_FORMS
namespace gnp { inline namespace GNP_ABI { namespace scalar {
namespace vector_forms {

/// As in power_of, except that what is added to the largest part (`high`) is rounded only once.
GNP_FORM_STEP doubles log_of(doubles x) {
  const doubles zero = {};
  const doubles z = __builtin_ia32_getmantpd512_mask(x, 4, zero, all, 4);
  const doubles c =
      __builtin_ia32_rndscalepd_mask(__builtin_ia32_rcp14pd512_mask(z, zero, all), to_32nds, zero, all, 4);
  const doubles k =
      __builtin_ia32_getexppd512_mask(x, zero, all, 4) - __builtin_ia32_getexppd512_mask(c, zero, all, 4);
  const auto index = reinterpret_cast<bits_of_doubles>(c) >> 48;
  const doubles r = product_plus(z, c, zero - 1.0);

  const doubles of_c = product_plus(k, zero + 0x1.62e42fefa3800p-1, entry(of_double.log_high, index));
  const doubles of_c_low = product_plus(k, zero + 0x1.ef35793c76730p-45, entry(of_double.log_low, index));
  const doubles high = of_c + r;
  const doubles low = of_c_low + (of_c - high + r);
  const doubles r2 = r * r;
  const doubles r4 = r2 * r2;
  const doubles q0 = product_plus(r, zero + 0x1.5555555555555p-2, zero - 0.5);
  const doubles q2 = product_plus(r, zero + 0x1.99999999994fdp-3, zero - 0x1.ffffffffffec0p-3);
  const doubles q4 = product_plus(r, zero + 0x1.2492492994977p-3, zero - 0x1.55555557d1480p-3);
  const doubles q6 = product_plus(r, zero + 0x1.c71c271498a63p-4, zero - 0x1.ffffcb9598cabp-4);
  const doubles q8 = product_plus(r, zero + 0x1.7558ba91f29bdp-4, zero - 0x1.9a7b28e8e82d9p-4);
  const doubles q = product_plus(r4, product_plus(r4, q8, product_plus(r2, q6, q4)), product_plus(r2, q2, q0));
  const doubles result = high + product_plus(r2, q, low);

  // One hexadecimal digit for each class of x that the processor distinguishes, starting with the last digit:
  // quiet NaN, signalling NaN, 0, 1, -inf, inf, negative, positive. The digit says what such an x becomes: 0
  // result, 1 x, 2 x made quiet, 3 NaN, 4 -inf, 5 inf.
  constexpr long long by_class = 0x03530421;
  return __builtin_ia32_fixupimmpd512_mask(result, x, bits_of_doubles{} + by_class, 0, all, 4);
}

}  // namespace vector_forms

GNP_VECTOR_FUNCTION(log, double, "2", "4", "8", doubles_2, doubles_4, doubles, log_of)

}}}  // namespace gnp::GNP_ABI::scalar
#endif
