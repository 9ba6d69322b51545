// SPDX-License-Identifier: MIT
// test: no-asan
// Comparison, logic, bits and choice with several signed integer operands.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_signed_logic.bin", signed_types, two_operands, INTEGER_LOGIC_UFUNCS)
