// SPDX-License-Identifier: MIT
// The limits of number types: finfo and iinfo.
#pragma once

#include <climits>
#include <gnp/core/promotion.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Two to the power of an integer of either sign.
constexpr double two_to_the(int exponent) {
  double power = 1;
  for (; exponent > 0; --exponent) power *= 2;
  for (; exponent < 0; ++exponent) power /= 2;
  return power;
}

constexpr int digits_of_significand(dtype type) {
  return type == dtype::float16 ? 11 : type == dtype::bfloat16 ? 8 : type == dtype::float32 ? 24 : 53;
}

}  // namespace detail

/// The limits of a floating-point type, or of the parts of a complex one: finfo<float>::eps.
template <class T>
struct finfo {
  using value_type = type_of<detail::real_part_of(dtype_of<T>)>;
  static constexpr gnp::dtype dtype = dtype_of<value_type>;
  static_assert(is_floating(dtype), "gnp: finfo is of floating-point types; of integers there is iinfo");

  static constexpr int bits = static_cast<int>(itemsize(dtype)) * CHAR_BIT;
  static constexpr int nmant = detail::digits_of_significand(dtype) - 1;  // stored bits of the significand
  static constexpr int nexp = bits - nmant - 1;
  static constexpr int iexp = nexp;
  static constexpr int maxexp = 1 << (nexp - 1);
  static constexpr int minexp = 2 - maxexp;
  static constexpr int machep = -nmant;
  static constexpr int negep = -nmant - 1;
  /// The number of decimal digits that the type always preserves.
  static constexpr int precision = nmant * 30103 / 100000;

  static constexpr value_type eps = value_type(detail::two_to_the(machep));    // from 1 to the next above
  static constexpr value_type epsneg = value_type(detail::two_to_the(negep));  // and to the next below
  static constexpr value_type max = value_type(detail::largest_finite(dtype));
  static constexpr value_type min = value_type(-detail::largest_finite(dtype));
  static constexpr value_type smallest_normal = value_type(detail::two_to_the(minexp));
  static constexpr value_type tiny = smallest_normal;
  static constexpr value_type smallest_subnormal = value_type(detail::two_to_the(minexp - nmant));
  static constexpr value_type resolution = [] {
    double power = 1;
    for (int i = 0; i < precision; ++i) power *= 10;
    return value_type(1 / power);
  }();
};

/// The limits of an integer type: iinfo<int>::max.
template <class T>
struct iinfo {
  static constexpr gnp::dtype dtype = dtype_of<T>;
  static_assert(is_integer(dtype), "gnp: iinfo is of integer types; of floating-point ones there is finfo");

  static constexpr int bits = static_cast<int>(sizeof(T)) * CHAR_BIT;
  static constexpr T min = (std::numeric_limits<T>::min)();
  static constexpr T max = (std::numeric_limits<T>::max)();
};

}}  // namespace gnp::GNP_ABI
