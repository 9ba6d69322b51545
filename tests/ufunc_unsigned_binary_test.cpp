// SPDX-License-Identifier: MIT
// Ufuncs of several bool or unsigned integer operands.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_unsigned_binary.bin", unsigned_types, two_operands, INTEGER_BINARY_UFUNCS)
