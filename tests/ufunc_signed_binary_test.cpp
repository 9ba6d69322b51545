// SPDX-License-Identifier: MIT
// Ufuncs of several signed integer operands.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

GNP_GOLDEN_TESTS("ufunc_signed_binary.bin", signed_types, two_operands, INTEGER_BINARY_UFUNCS)
