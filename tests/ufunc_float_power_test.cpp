// SPDX-License-Identifier: MIT
// test: no-asan
// Transcendental functions of two floating operands.
#include "ufunc_golden.hpp"

// clang-format off
#define UFUNCS(X) \
  X(power, ulps(4)) X(float_power, ulps(4)) X(logaddexp, ulps(4)) X(logaddexp2, ulps(8)) X(arctan2, ulps(4)) \
  X(hypot, ulps(4))
// clang-format on

GNP_GOLDEN_TESTS("ufunc_float_power.bin", float_types, two_operands, UFUNCS)
