// SPDX-License-Identifier: MIT
// test: no-asan
// Ufuncs of one bool or unsigned integer operand.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_unsigned_unary.bin", unsigned_types, one_operand, INTEGER_UNARY_UFUNCS)
