// SPDX-License-Identifier: MIT
// Arithmetic with two integer or bool operands.
// test: optimised
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

namespace signed_arithmetic {
GNP_GOLDEN_TESTS("ufunc_signed_arithmetic.bin", signed_types, two_operands, INTEGER_ARITHMETIC_UFUNCS)
}
namespace unsigned_arithmetic {
GNP_GOLDEN_TESTS("ufunc_unsigned_arithmetic.bin", unsigned_types, two_operands, INTEGER_ARITHMETIC_UFUNCS)
}
