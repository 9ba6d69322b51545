// SPDX-License-Identifier: MIT
// test: no-asan
// Ufuncs of several floating operands that have NumPy's very bits.
#include "ufunc_golden.hpp"

// clang-format off
#define UFUNCS(X) \
  X(add, exact) X(subtract, exact) X(multiply, exact) X(divide, exact) X(floor_divide, exact) \
  X(remainder, exact) X(fmod, exact) X(maximum, any_zero) X(minimum, any_zero) X(fmax, any_zero) \
  X(fmin, any_zero) X(heaviside, exact) X(copysign, exact) X(nextafter, exact) X(ldexp, exact) \
  X(equal, exact) X(not_equal, exact) X(less, exact) X(less_equal, exact) X(greater, exact) \
  X(greater_equal, exact) X(logical_and, exact) X(logical_or, exact) X(logical_xor, exact) X(clip, any_zero) \
  X(where, exact)
// clang-format on

GNP_GOLDEN_TESTS("ufunc_float_binary.bin", float_types, two_operands, UFUNCS)
