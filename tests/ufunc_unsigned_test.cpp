// SPDX-License-Identifier: MIT
// test: no-asan
// Ufuncs of bool and unsigned integers, but for arithmetic: with one operand, transcendental ones, comparison,
// logic, bits, choice.
#include "ufunc_golden.hpp"
#include "ufunc_integer.hpp"

namespace unary {
GNP_GOLDEN_TESTS("ufunc_unsigned_unary.bin", unsigned_types, one_operand, INTEGER_UNARY_UFUNCS)
}
namespace math {
GNP_GOLDEN_TESTS("ufunc_unsigned_math.bin", unsigned_types, one_operand, INTEGER_MATH_UFUNCS)
}
namespace logic {
GNP_GOLDEN_TESTS("ufunc_unsigned_logic.bin", unsigned_types, two_operands, INTEGER_LOGIC_UFUNCS)
}
