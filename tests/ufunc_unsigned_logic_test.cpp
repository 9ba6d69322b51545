// SPDX-License-Identifier: MIT
// test: no-asan
// Comparison, logic, bits and choice with several bool or unsigned integer operands.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_unsigned_logic.bin", unsigned_types, two_operands, INTEGER_LOGIC_UFUNCS)
