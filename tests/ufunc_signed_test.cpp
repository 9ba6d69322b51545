// SPDX-License-Identifier: MIT
// test: no-asan
// Ufuncs of signed integers, but for arithmetic: with one operand, transcendental ones, comparison, logic,
// bits, choice.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

namespace unary {
GNP_GOLDEN_TESTS("ufunc_signed_unary.bin", signed_types, one_operand, INTEGER_UNARY_UFUNCS)
}
namespace math {
GNP_GOLDEN_TESTS("ufunc_signed_math.bin", signed_types, one_operand, INTEGER_MATH_UFUNCS)
}
namespace logic {
GNP_GOLDEN_TESTS("ufunc_signed_logic.bin", signed_types, two_operands, INTEGER_LOGIC_UFUNCS)
}
