// SPDX-License-Identifier: MIT
// The whole quotient and the remainder of two floating-point numbers, exactly as fmod gives it, by a single
// division if the quotient is small enough. The C library's fmod computes the digits of the quotient one by
// one.
#pragma once

#include <bit>
#include <cstdint>
#include <gnp/expr/scalar/arithmetic.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// x = whole * y + rest for non-negative numbers, with 0 <= rest < y. If `exact` is false, the quotient is too
/// large or not finite, and the other members have no meaning.
template <class T>
struct whole_and_rest {
  T whole;
  T rest;
  bool exact;
};

/// Computed in double, in which the product of a float and a whole number below 2^28 is exact. A quotient that
/// is not a whole number is too far from the next one for rounding to reach it. Beyond 2^21, NumPy's own steps
/// round.
inline whole_and_rest<float> divide_exactly(float x, float y) {
  const double a = x;
  const double b = y;
  const double quotient = a / b;
  const bool exact = (quotient < 0x1p21) & (b <= (std::numeric_limits<double>::max)());
  const double whole = static_cast<double>(static_cast<std::int32_t>(exact ? quotient : 0.0));
  return {static_cast<float>(whole), static_cast<float>(a - whole * b), exact};
}

/// Uses the two halves of y, whose products with whole numbers below 2^26 are exact, and so are the
/// differences. Rounding may have moved the quotient up to the next whole number; then one y too many has been
/// subtracted.
inline whole_and_rest<double> divide_exactly(double x, double y) {
  const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) & ~0x7ffffffULL);
  const double low = y - high;
  const double quotient = x / y;
  const bool exact = (quotient < 0x1p26) & (x < 0x1p1020) & (y <= (std::numeric_limits<double>::max)());
  const double whole = static_cast<double>(static_cast<std::int32_t>(exact ? quotient : 0.0));
  const double rest = (x - whole * high) - whole * low;
  const bool beyond = rest < 0;
  return {whole - (beyond ? 1.0 : 0.0), rest + (beyond ? y : 0.0), exact};
}

template <scalar::real_floating T>
inline T floor_quotient(T x, T y) {
  const auto [whole, rest, exact] = divide_exactly(scalar::abs(x), scalar::abs(y));
  if (!exact) [[unlikely]]
    return scalar::floor_divide(x, y);
  const bool below_zero = scalar::signbit(x) != scalar::signbit(y);
  const bool one_more = below_zero & (rest != T(0));
  const T size = whole + (one_more ? T(1) : T(0));
  return below_zero ? -size : size;
}

template <scalar::real_floating T>
inline T floor_rest(T x, T y) {
  const auto [whole, rest, exact] = divide_exactly(scalar::abs(x), scalar::abs(y));
  if (!exact) [[unlikely]]
    return scalar::remainder(x, y);
  const bool from_above = (scalar::signbit(x) != scalar::signbit(y)) & (rest != T(0));
  return scalar::copysign(from_above ? scalar::abs(y) - rest : rest, y);
}

template <scalar::real_floating T>
inline T truncated_rest(T x, T y) {
  const auto [whole, rest, exact] = divide_exactly(scalar::abs(x), scalar::abs(y));
  if (!exact) [[unlikely]]
    return scalar::fmod(x, y);
  return scalar::copysign(rest, x);
}

}}}  // namespace gnp::GNP_ABI::detail
