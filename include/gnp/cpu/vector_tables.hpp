// SPDX-License-Identifier: MIT
// Tables of the logarithms of a few numbers and of fractional powers of 2, as AVX-512 vectors look them up.
#pragma once

#include <gnp/cpu/vector_forms.hpp>

#if GNP_HAS_VECTOR_FORMS
namespace gnp { inline namespace GNP_ABI { namespace scalar { namespace vector_forms {

// x = 2^k z with z in [1, 2), and c is near 1/z with four binary places after the first: z c - 1 is exact, and
// at most 1/32. A c of 1/2 counts as 1 with k one larger, so that for numbers about 1 only z c - 1 is left.
/// For c = (16 + m) / 32: -log(2 c) and 2^(m / 16), each as a high part, whose places add up exactly, and a low
/// part with the rest. The low part of a power is relative to the power.
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
/// For c = (32 + m) / 64: -log2(2 c) and 2^(m / 32).
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
  float power_low[32] = {0x0.0p+0F,        -0x1.947416p-25F, 0x1.8d96d2p-25F,  -0x1.dda2fep-25F,
                         -0x1.9c0c22p-27F, -0x1.a2fbb4p-25F, 0x1.964902p-25F,  -0x1.2b0dbcp-25F,
                         0x1.125002p-25F,  -0x1.cde8cep-26F, 0x1.370be4p-25F,  0x1.336de2p-30F,
                         -0x1.0a3552p-25F, -0x1.c541b6p-26F, -0x1.00d8acp-27F, -0x1.6cb284p-25F,
                         0x1.26055cp-26F,  0x1.8b2bb8p-26F,  -0x1.05cb44p-25F, -0x1.1c2142p-26F,
                         0x1.67a1cap-28F,  -0x1.348e58p-25F, 0x1.a3b5e4p-28F,  -0x1.0b7ec8p-25F,
                         -0x1.f9c306p-27F, -0x1.e4c886p-26F, -0x1.6961b4p-28F, -0x1.b5151ep-28F,
                         -0x1.a5217cp-28F, -0x1.ab7132p-26F, 0x1.61428ep-28F,  -0x1.2ad5f8p-27F};
};
inline constexpr double_tables of_double;
inline constexpr float_tables of_float;

}}}}  // namespace gnp::GNP_ABI::scalar::vector_forms
#endif
