// SPDX-License-Identifier: MIT
// Comparisons, truth values, bits, and where.
#pragma once

#include <gnp/expr/ufunc.hpp>

namespace gnp { inline namespace GNP_ABI {

// clang-format off
GNP_NUMPY_UFUNC(equal, (x, y), comparison, equal(x, y));
GNP_NUMPY_UFUNC(not_equal, (x, y), comparison, !equal(x, y));
GNP_NUMPY_UFUNC(less, (x, y), comparison, less(x, y));
GNP_NUMPY_UFUNC(less_equal, (x, y), comparison, less_equal(x, y));
GNP_NUMPY_UFUNC(greater, (x, y), comparison, less(y, x));
GNP_NUMPY_UFUNC(greater_equal, (x, y), comparison, less_equal(y, x));

GNP_NUMPY_UFUNC(logical_and, (x, y), logical, x && y);
GNP_NUMPY_UFUNC(logical_or, (x, y), logical, x || y);
GNP_NUMPY_UFUNC(logical_xor, (x, y), logical, x != y);
GNP_NUMPY_UFUNC(logical_not, (x), logical, !x);

GNP_NUMPY_UFUNC(bitwise_and, (x, y), bits, x & y);
GNP_NUMPY_UFUNC(bitwise_or, (x, y), bits, x | y);
GNP_NUMPY_UFUNC(bitwise_xor, (x, y), bits, x ^ y);
GNP_NUMPY_UFUNC(invert, (x), bits, flip_bits(x));
GNP_NUMPY_UFUNC(left_shift, (x, y), shift, shift_left(x, y));
GNP_NUMPY_UFUNC(right_shift, (x, y), shift, shift_right(x, y));
GNP_NUMPY_NAME(bitwise_not, invert);
GNP_NUMPY_NAME(bitwise_invert, invert);
GNP_NUMPY_NAME(bitwise_left_shift, left_shift);
GNP_NUMPY_NAME(bitwise_right_shift, right_shift);

GNP_NUMPY_UFUNC(isnan, (x), predicate, isnan(x));
GNP_NUMPY_UFUNC(isinf, (x), predicate, isinf(x));
GNP_NUMPY_UFUNC(isfinite, (x), predicate, isfinite(x));
GNP_NUMPY_UFUNC(isposinf, (x), real_predicate, isinf(x) && !signbit(x));
GNP_NUMPY_UFUNC(isneginf, (x), real_predicate, isinf(x) && signbit(x));
GNP_NUMPY_UFUNC(signbit, (x), sign_predicate, signbit(x));

GNP_NUMPY_UFUNC(where, (condition, x, y), selection, condition ? x : y);
// clang-format on

}}  // namespace gnp::GNP_ABI
