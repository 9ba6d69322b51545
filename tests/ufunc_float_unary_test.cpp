// SPDX-License-Identifier: MIT
// test: no-asan, optimised, alone
// Ufuncs of one floating operand that have NumPy's very bits.
#include "ufunc_golden.hpp"

// clang-format off
#define UFUNCS(X) \
  X(abs, exact) X(fabs, exact) X(sign, exact) X(negative, exact) X(positive, exact) X(reciprocal, exact) \
  X(square, exact) X(sqrt, exact) X(floor, exact) X(ceil, exact) X(trunc, exact) X(rint, exact) \
  X(round, exact) X(round_2, exact) X(round_minus_1, exact) X(fix, exact) X(signbit, exact) X(isnan, exact) \
  X(isinf, exact) X(isfinite, exact) X(isposinf, exact) X(isneginf, exact) X(real, exact) X(imag, exact) \
  X(conj, exact) X(nan_to_num, exact) X(logical_not, exact)
// clang-format on

GNP_GOLDEN_TESTS("ufunc_float_unary.bin", float_types, one_operand, UFUNCS)
