// SPDX-License-Identifier: MIT
// The ufuncs that integers and bool take, and how near to NumPy's values they must be: one list for all their
// types.
#pragma once

// clang-format off
#define INTEGER_UNARY_UFUNCS(X) \
  X(abs, exact) X(fabs, exact) X(sign, exact) X(negative, exact) X(positive, exact) X(reciprocal, exact) \
  X(square, exact) X(sqrt, exact) X(floor, exact) X(ceil, exact) X(trunc, exact) X(rint, exact) \
  X(round, exact) X(round_2, exact) X(round_minus_1, exact) X(fix, exact) X(signbit, exact) X(isnan, exact) \
  X(isinf, exact) X(isfinite, exact) X(isposinf, exact) X(isneginf, exact) X(real, exact) X(imag, exact) \
  X(conj, exact) X(nan_to_num, exact) X(logical_not, exact) X(invert, exact)
// clang-format on

// clang-format off
#define INTEGER_MATH_UFUNCS(X) \
  X(cbrt, ulps(4)) X(exp, ulps(4)) X(exp2, ulps(4)) X(expm1, ulps(4)) X(log, ulps(4)) X(log2, ulps(4)) \
  X(log10, ulps(4)) X(log1p, ulps(4)) X(sin, ulps(4)) X(cos, ulps(4)) X(tan, ulps(4)) X(arcsin, ulps(4)) \
  X(arccos, ulps(4)) X(arctan, ulps(4)) X(sinh, ulps(4)) X(cosh, ulps(4)) X(tanh, ulps(4)) \
  X(arcsinh, ulps(4)) X(arccosh, ulps(4)) X(arctanh, ulps(4)) X(degrees, ulps(4)) X(radians, ulps(4)) \
  X(angle, ulps(4)) X(sinc, ulps(4))
// clang-format on

// clang-format off
#define INTEGER_ARITHMETIC_UFUNCS(X) \
  X(add, exact) X(subtract, exact) X(multiply, exact) X(divide, exact) X(floor_divide, exact) \
  X(remainder, exact) X(fmod, exact) X(power, exact) X(float_power, ulps(4)) X(logaddexp, ulps(4)) \
  X(logaddexp2, ulps(8)) X(arctan2, ulps(4)) X(hypot, ulps(4)) X(heaviside, exact) X(copysign, exact) \
  X(nextafter, exact) X(ldexp, exact) X(gcd, exact) X(lcm, exact)
// clang-format on

// clang-format off
#define INTEGER_LOGIC_UFUNCS(X) \
  X(maximum, exact) X(minimum, exact) X(fmax, exact) X(fmin, exact) X(equal, exact) X(not_equal, exact) \
  X(less, exact) X(less_equal, exact) X(greater, exact) X(greater_equal, exact) X(logical_and, exact) \
  X(logical_or, exact) X(logical_xor, exact) X(bitwise_and, exact) X(bitwise_or, exact) \
  X(bitwise_xor, exact) X(left_shift, exact) X(right_shift, exact) X(clip, exact) X(where, exact)
// clang-format on
