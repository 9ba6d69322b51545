// SPDX-License-Identifier: MIT
// Arithmetic with two signed integer operands.
// test: optimised
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_signed_arithmetic.bin", signed_types, two_operands, INTEGER_ARITHMETIC_UFUNCS)
