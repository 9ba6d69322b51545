// SPDX-License-Identifier: MIT
// test: no-asan
// Transcendental functions of one floating operand.
#include "ufunc_golden.hpp"

// clang-format off
#define UFUNCS(X) \
  X(cbrt, ulps(4)) X(exp, ulps(4)) X(exp2, ulps(4)) X(expm1, ulps(4)) X(log, ulps(4)) X(log2, ulps(4)) \
  X(log10, ulps(4)) X(log1p, ulps(4)) X(sin, ulps(4)) X(cos, ulps(4)) X(tan, ulps(4)) X(arcsin, ulps(4)) \
  X(arccos, ulps(4)) X(arctan, ulps(4)) X(sinh, ulps(4)) X(cosh, ulps(4)) X(tanh, ulps(4)) \
  X(arcsinh, ulps(4)) X(arccosh, ulps(4)) X(arctanh, ulps(4)) X(degrees, ulps(4)) X(radians, ulps(4)) \
  X(angle, ulps(4)) X(sinc, ulps(4))
// clang-format on

GNP_GOLDEN_TESTS("ufunc_float_math.bin", float_types, one_operand, UFUNCS)
