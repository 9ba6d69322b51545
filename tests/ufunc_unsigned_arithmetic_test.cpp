// SPDX-License-Identifier: MIT
// Arithmetic with two bool or unsigned integer operands.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_unsigned_arithmetic.bin", unsigned_types, two_operands, INTEGER_ARITHMETIC_UFUNCS)
