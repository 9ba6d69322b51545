// SPDX-License-Identifier: MIT
// test: no-asan
// Transcendental functions of one bool or unsigned integer operand.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_unsigned_math.bin", unsigned_types, one_operand, INTEGER_MATH_UFUNCS)
