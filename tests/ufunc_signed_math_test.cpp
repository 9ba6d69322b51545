// SPDX-License-Identifier: MIT
// test: no-asan
// Transcendental functions of one signed integer operand.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_signed_math.bin", signed_types, one_operand, INTEGER_MATH_UFUNCS)
