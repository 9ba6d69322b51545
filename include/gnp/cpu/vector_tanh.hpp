// SPDX-License-Identifier: MIT
// Hyperbolic tangents that g++ vectorises, as powers are in vector_pow.hpp. In vectors of AVX-512
// within 1.6 ulp of double and 1 of float.
#pragma once

#include <gnp/cpu/vector_tables.hpp>

#if GNP_HAS_VECTOR_FORMS
namespace gnp { inline namespace GNP_ABI { namespace scalar {
namespace vector_forms {

/// With E = exp(2 |x|) - 1 it is E / (E + 2). 2 |x| is t log(2) + e, where t has four binary places and e is at
/// most log(2) / 32, so that hardly any accuracy is lost where t is small. From |x| = 22 on the result is 1.
GNP_FORM_STEP doubles tanh_of(doubles x) {
  const doubles zero = {};
  const doubles half = __builtin_ia32_minpd512_mask(zero + 22.0, size_of(x), zero, all, 4);  // NaN stays
  const doubles to = half + half;
  constexpr double last_place = 0x1.8p48;  // numbers about it are multiples of 1/16
  const doubles shifted = product_plus(to, zero + 0x1.71547652b82fep+0, zero + last_place);
  const doubles t = shifted - last_place;
  const auto part = reinterpret_cast<bits_of_doubles>(shifted);
  const doubles e = product_plus(t, zero - 0x1.62e42fefa39efp-1, to);
  const doubles low = product_plus(t, zero - 0x1.abc9e3b39803fp-56, entry(of_double.power_low, part));
  const doubles e2 = e * e;
  const doubles s0 = product_plus(e, zero + 0x1.5555555555559p-3, zero + 0x1.0000000000002p-1);
  const doubles s2 = product_plus(e, zero + 0x1.1111111090517p-7, zero + 0x1.55555554af9a5p-5);
  const doubles s4 = product_plus(e, zero + 0x1.a01b87ed2b4f8p-13, zero + 0x1.6c181d82bccd3p-10);
  const doubles s = product_plus(e2, product_plus(e2, s4, s2), s0);
  const doubles more = product_plus(e2, s, low) + e;
  const doubles power = __builtin_ia32_scalefpd512_mask(entry(of_double.power_high, part), t, zero, all, 4);
  const doubles above = product_plus(power, more, power - 1.0);
  const doubles above_low = product_plus(power, more, power - 1.0 - above);
  const doubles divisor = above + 2.0;
  const doubles divisor_low = above - (divisor - 2.0) + above_low;
  const doubles about = __builtin_ia32_rcp14pd512_mask(divisor, zero, all);
  const doubles nearer = product_plus(about, product_plus(-divisor, about, zero + 1.0), about);
  const doubles quotient = above * nearer;
  const doubles rest =
      product_plus(-quotient, divisor, above) + product_plus(-quotient, divisor_low, above_low);
  return with_sign_of(product_plus(rest, nearer, quotient), x);
}

/// The hyperbolic tangent of a float is a polynomial in its distance from a place near it: one place for all
/// floats below 1/16, then four between each power of 2 and the next. Each place was chosen among many so that
/// its tangent is a float, or almost one.
struct alignas(64) tangents {
  float centre[32] = {0x0.0p+0F,      0x1.1c3efap-4F, 0x1.5c13f8p-4F, 0x1.9c3374p-4F, 0x1.dc5f3cp-4F,
                      0x1.1c0312p-3F, 0x1.5c1b22p-3F, 0x1.9d57cep-3F, 0x1.dd2bc6p-3F, 0x1.1c5aap-2F,
                      0x1.5c2084p-2F, 0x1.9c778ep-2F, 0x1.dc374cp-2F, 0x1.1c8354p-1F, 0x1.5c2978p-1F,
                      0x1.9c6938p-1F, 0x1.dc1d3p-1F,  0x1.1c53b6p+0F, 0x1.5c2978p+0F, 0x1.9cc666p+0F,
                      0x1.dc46eap+0F, 0x1.1c49fcp+1F, 0x1.5cac8cp+1F, 0x1.9c6c08p+1F, 0x1.dc13b6p+1F,
                      0x1.105f3cp+2F, 0x1.52f8d4p+2F, 0x1.91db22p+2F, 0x1.d1cbc6p+2F, 0x1.153e76p+3F,
                      0x0.0p+0F,      0x0.0p+0F};
  float at[32] = {0x0.0p+0F,      0x1.1bca64p-4F, 0x1.5b3e16p-4F, 0x1.9ad0aap-4F, 0x1.da3c5ap-4F,
                  0x1.1a348ap-3F, 0x1.58cabap-3F, 0x1.97d20ep-3F, 0x1.d4b84ap-3F, 0x1.15437ep-2F,
                  0x1.4f4eb2p-2F, 0x1.8784acp-2F, 0x1.bc9d9ap-2F, 0x1.02718p-1F,  0x1.2edbf6p-1F,
                  0x1.558d78p-1F, 0x1.760aeap-1F, 0x1.9bcc46p-1F, 0x1.c0b6d4p-1F, 0x1.d8d6dcp-1F,
                  0x1.e7cb0ep-1F, 0x1.f415e6p-1F, 0x1.fb9c5ep-1F, 0x1.fe5fe2p-1F, 0x1.ff65fp-1F,
                  0x1.ffcb4ap-1F, 0x1.fff96cp-1F, 0x1.ffff14p-1F, 0x1.ffffep-1F,  0x1.fffffep-1F,
                  0x0.0p+0F,      0x0.0p+0F};
  float first[32] = {0x1.0p+0F,      0x1.fd8acep-1F,  0x1.fc51fep-1F,  0x1.fad97ep-1F, 0x1.f922f8p-1F,
                     0x1.f64742p-1F, 0x1.f17cf4p-1F,  0x1.ebb294p-1F,  0x1.e52e6ep-1F, 0x1.da769cp-1F,
                     0x1.c91a1ep-1F, 0x1.b5272ep-1F,  0x1.9f799ep-1F,  0x1.7d8b84p-1F, 0x1.4cda26p-1F,
                     0x1.1c26e8p-1F, 0x1.dd7c1cp-2F,  0x1.699678p-2F,  0x1.daff32p-3F, 0x1.2d4e02p-3F,
                     0x1.7a274p-4F,  0x1.78d378p-5F,  0x1.17b414p-6F,  0x1.9f7492p-8F, 0x1.33f15ap-9F,
                     0x1.a596p-11F,  0x1.a4f0b2p-14F, 0x1.d7f44ap-17F, 0x1.fff08p-20F, 0x1.fdfa9p-24F,
                     0x0.0p+0F,      0x0.0p+0F};
  float second[32] = {0x0.0p+0F,        -0x1.1a6da4p-4F,  -0x1.58bf34p-4F,  -0x1.96aebap-4F,  -0x1.d3e0ecp-4F,
                      -0x1.14d8cap-3F,  -0x1.4f04fp-3F,   -0x1.87a62ep-3F,  -0x1.bc2b12p-3F,  -0x1.00efb4p-2F,
                      -0x1.2b5ad8p-2F,  -0x1.4e48b2p-2F,  -0x1.68cb5ap-2F,  -0x1.812fb6p-2F,  -0x1.89c752p-2F,
                      -0x1.7b1cdcp-2F,  -0x1.5cd3dcp-2F,  -0x1.22d2f6p-2F,  -0x1.a04968p-3F,  -0x1.16428ep-3F,
                      -0x1.68465ep-4F,  -0x1.700ccap-5F,  -0x1.154b16p-6F,  -0x1.9e1d64p-8F,  -0x1.33908ap-9F,
                      -0x1.a5d64cp-11F, -0x1.a53e82p-14F, -0x1.d85f9ap-17F, -0x1.00333cp-19F, -0x1.00ac84p-23F,
                      0x0.0p+0F,        0x0.0p+0F};
  float third[32] = {-0x1.55553ep-2F, -0x1.4ecd84p-2F, -0x1.4b92d8p-2F, -0x1.47b3d6p-2F, -0x1.433708p-2F,
                     -0x1.3bc72ap-2F, -0x1.2f751cp-2F, -0x1.20cdb2p-2F, -0x1.10a05ap-2F, -0x1.ed79f4p-3F,
                     -0x1.9d6b86p-3F, -0x1.473f32p-3F, -0x1.e14f1ep-4F, -0x1.df6b26p-5F, 0x1.60eaf6p-7F,
                     0x1.fbbefap-5F,  0x1.7eb06ap-4F,  0x1.c56ca6p-4F,  0x1.9cf1d2p-4F,  0x1.391168p-4F,
                     0x1.b2603cp-5F,  0x1.d3e358p-6F,  0x1.6b884ap-7F,  0x1.1278f8p-8F,  0x1.9960a8p-10F,
                     0x1.19e17p-11F,  0x1.1a8186p-14F, 0x1.3c7b46p-17F, 0x1.5747eap-20F, 0x1.67c872p-24F,
                     0x0.0p+0F,       0x0.0p+0F};
  float fourth[32] = {0x0.0p+0F,        0x1.75d7fep-5F,   0x1.c6b038p-5F,   0x1.0b0508p-4F,   0x1.31a26ap-4F,
                      0x1.668edap-4F,   0x1.aba222p-4F,   0x1.eb0e82p-4F,   0x1.10cd86p-3F,   0x1.30baep-3F,
                      0x1.4ec4fcp-3F,   0x1.5bcfaep-3F,   0x1.58e1e6p-3F,   0x1.3ce828p-3F,   0x1.f2b1aap-4F,
                      0x1.504006p-4F,   0x1.73aee8p-5F,   0x1.87c0fap-8F,   -0x1.4e25ecp-6F,  -0x1.9d1d88p-6F,
                      -0x1.5b1514p-6F,  -0x1.a8c4cep-7F,  -0x1.61b0ap-8F,   -0x1.1166c2p-9F,  -0x1.9b2a58p-11F,
                      -0x1.0e06b6p-12F, -0x1.14b43cp-15F, -0x1.33548ap-18F, -0x1.4d3394p-21F, -0x1.6279a6p-25F,
                      0x0.0p+0F,        0x0.0p+0F};
  float fifth[32] = {0x1.10792ep-3F,  0x1.05bddcp-3F,  0x1.003e24p-3F,  0x1.f375b6p-4F,  0x1.e47f2cp-4F,
                     0x1.cabab6p-4F,  0x1.a28b3ep-4F,  0x1.74cdccp-4F,  0x1.42b154p-4F,  0x1.e4d656p-5F,
                     0x1.06a2fp-5F,   0x1.89f1dp-8F,   -0x1.181c9ep-6F, -0x1.6307a2p-5F, -0x1.f7fce8p-5F,
                     -0x1.00b1bp-4F,  -0x1.b2d308p-5F, -0x1.0717c8p-5F, -0x1.3910ep-7F,  0x1.69e1f4p-10F,
                     0x1.2d4448p-8F,  0x1.04a204p-8F,  0x1.f66a2cp-10F, 0x1.946bfep-11F, 0x1.333e7cp-12F,
                     0x1.252482p-14F, 0x1.3d512cp-17F, 0x1.587ffp-20F,  0x1.750c7ep-23F, 0x1.53825ap-27F,
                     0x0.0p+0F,       0x0.0p+0F};
};
inline constexpr tangents of_tangent;

GNP_FORM_STEP floats tanh_of(floats x) {
  const floats zero = {};
  // From |x| = 9.5 on the result is 1.
  const floats size = __builtin_ia32_minps512_mask(zero + 9.5F, size_of(x), zero, all, 4);
  constexpr int first_quarter = (123 << 23) - (1 << 21);  // 1/16, and one less
  const auto quarter = (reinterpret_cast<bits_of_floats>(size) - first_quarter) >> 21;
  const auto index = quarter > 0 ? quarter : bits_of_floats{};
  const floats y = size - entry(of_tangent.centre, index);
  const floats p4 = product_plus(y, entry(of_tangent.fifth, index), entry(of_tangent.fourth, index));
  const floats p3 = product_plus(y, p4, entry(of_tangent.third, index));
  const floats p2 = product_plus(y, p3, entry(of_tangent.second, index));
  const floats p1 = product_plus(y, p2, entry(of_tangent.first, index));
  return with_sign_of(product_plus(y, p1, entry(of_tangent.at, index)), x);
}

}  // namespace vector_forms

GNP_VECTOR_FUNCTION(tanh, double, "2", "4", "8", doubles_2, doubles_4, doubles, tanh_of)
GNP_VECTOR_FUNCTION(tanhf, float, "4", "8", "16", floats_4, floats_8, floats, tanh_of)

}}}  // namespace gnp::GNP_ABI::scalar
#endif
