// SPDX-License-Identifier: MIT
// add, subtract, power, floor_divide and the rest of arithmetic.
#pragma once

#include <gnp/expr/ufunc.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_NUMPY_UFUNC(add, (x, y), sum, plus(x, y));
GNP_NUMPY_UFUNC(subtract, (x, y), difference, minus(x, y));
GNP_NUMPY_UFUNC(multiply, (x, y), sum, times(x, y));
GNP_NUMPY_UFUNC(divide, (x, y), division, over(x, y));
GNP_NUMPY_UFUNC(floor_divide, (x, y), real_numeric, floor_divide(x, y));
GNP_NUMPY_UFUNC(remainder, (x, y), real_numeric, remainder(x, y));
GNP_NUMPY_UFUNC(fmod, (x, y), real_numeric, truncated_remainder(x, y));
GNP_NUMPY_UFUNC(power, (x, y), numeric, to_the_power(x, y));
GNP_NUMPY_UFUNC(float_power, (x, y), always_double, to_the_power(x, y));
GNP_NUMPY_NAME(true_divide, divide);
GNP_NUMPY_NAME(mod, remainder);
GNP_NUMPY_NAME(pow, power);

GNP_NUMPY_UFUNC(negative, (x), no_bool, negate(x));
GNP_NUMPY_UFUNC(positive, (x), no_bool, x);
GNP_NUMPY_UFUNC(absolute, (x), magnitude, abs(x));
GNP_NUMPY_NAME(abs, absolute);
GNP_NUMPY_UFUNC(fabs, (x), real_floating, abs(x));
GNP_NUMPY_UFUNC(sign, (x), no_bool, sign(x));
GNP_NUMPY_UFUNC(reciprocal, (x), numeric, reciprocal(x));
GNP_NUMPY_UFUNC(square, (x), numeric, square(x));

GNP_NUMPY_UFUNC(gcd, (x, y), integers, gcd(x, y));
GNP_NUMPY_UFUNC(lcm, (x, y), integers, lcm(x, y));

GNP_NUMPY_UFUNC(maximum, (x, y), any, maximum(x, y));
GNP_NUMPY_UFUNC(minimum, (x, y), any, minimum(x, y));
GNP_NUMPY_UFUNC(fmax, (x, y), any, larger_number(x, y));
GNP_NUMPY_UFUNC(fmin, (x, y), any, smaller_number(x, y));
GNP_NUMPY_UFUNC(clip, (x, low, high), any, clip(x, low, high));
/// With one bound alone: clip(x, none, 3), clip(x, 0, none).
template <class X, class High>
  requires elementwise_like<std::remove_cvref_t<X>>
auto clip(X&& x, none_t, High&& high) {
  return minimum(std::forward<X>(x), std::forward<High>(high));
}
template <class X, class Low>
  requires elementwise_like<std::remove_cvref_t<X>>
auto clip(X&& x, Low&& low, none_t) {
  return maximum(std::forward<X>(x), std::forward<Low>(low));
}

}}  // namespace gnp::GNP_ABI
