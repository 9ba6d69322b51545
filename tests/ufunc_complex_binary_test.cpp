// SPDX-License-Identifier: MIT
// test: no-asan
// Ufuncs of several complex operands.
#include "ufunc_golden.hpp"

// clang-format off
#define UFUNCS(X) \
  X(add, exact) X(subtract, exact) X(multiply, complex_ulps(4)) X(divide, complex_ulps(4)) \
  X(power, complex_ulps(16)) X(float_power, complex_ulps(16)) X(maximum, exact) X(minimum, exact) \
  X(fmax, exact) X(fmin, exact) X(equal, exact) X(not_equal, exact) X(less, exact) X(less_equal, exact) \
  X(greater, exact) X(greater_equal, exact) X(logical_and, exact) X(logical_or, exact) X(logical_xor, exact) \
  X(clip, any_zero) X(where, exact)
// clang-format on

GNP_GOLDEN_TESTS("ufunc_complex_binary.bin", complex_types, two_operands, UFUNCS)
