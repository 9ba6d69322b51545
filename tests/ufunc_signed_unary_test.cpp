// SPDX-License-Identifier: MIT
// test: no-asan
// Ufuncs of one signed integer operand.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_signed_unary.bin", signed_types, one_operand, INTEGER_UNARY_UFUNCS)
