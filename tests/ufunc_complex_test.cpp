// SPDX-License-Identifier: MIT
// test: no-asan, alone
// Ufuncs of complex numbers. NumPy's log1p takes the logarithm of 1 + z: its error is relative to at least 1.
#include "ufunc_golden.hpp"

// clang-format off
#define COMPLEX_UNARY_UFUNCS(X) \
  X(abs, ulps(4)) X(sign, complex_ulps(4)) X(negative, exact) X(positive, exact) \
  X(reciprocal, complex_ulps(4)) X(square, complex_ulps(4)) X(sqrt, complex_ulps(4)) X(exp, complex_ulps(4)) \
  X(exp2, complex_ulps(4)) X(expm1, complex_ulps(4)) X(log, complex_ulps(4)) X(log2, complex_ulps(4)) \
  X(log10, complex_ulps(4)) X(log1p, complex_ulps(4, 1)) X(sin, complex_ulps(4)) X(cos, complex_ulps(4)) \
  X(tan, complex_ulps(4)) X(arcsin, complex_ulps(4)) X(arccos, complex_ulps(4)) X(arctan, complex_ulps(4)) \
  X(sinh, complex_ulps(4)) X(cosh, complex_ulps(4)) X(tanh, complex_ulps(4)) X(arcsinh, complex_ulps(4)) \
  X(arccosh, complex_ulps(4)) X(arctanh, complex_ulps(4)) X(rint, exact) X(round, exact) X(round_2, exact) \
  X(round_minus_1, exact) X(isnan, exact) X(isinf, exact) X(isfinite, exact) X(real, exact) X(imag, exact) \
  X(conj, exact) X(angle, ulps(4)) X(sinc, complex_ulps(4)) X(nan_to_num, exact) X(logical_not, exact)
// clang-format on

// clang-format off
#define COMPLEX_BINARY_UFUNCS(X) \
  X(add, exact) X(subtract, exact) X(multiply, complex_ulps(4)) X(divide, complex_ulps(4)) \
  X(power, complex_ulps(16)) X(float_power, complex_ulps(16)) X(maximum, exact) X(minimum, exact) \
  X(fmax, exact) X(fmin, exact) X(equal, exact) X(not_equal, exact) X(less, exact) X(less_equal, exact) \
  X(greater, exact) X(greater_equal, exact) X(logical_and, exact) X(logical_or, exact) X(logical_xor, exact) \
  X(clip, any_zero) X(where, exact)
// clang-format on

namespace unary {
GNP_GOLDEN_TESTS("ufunc_complex_unary.bin", complex_types, one_operand, COMPLEX_UNARY_UFUNCS)
}
namespace binary {
GNP_GOLDEN_TESTS("ufunc_complex_binary.bin", complex_types, two_operands, COMPLEX_BINARY_UFUNCS)
}
