// SPDX-License-Identifier: MIT
// Versions of some operations for the CPU: they have the same results but no branches, so that loops over them
// vectorise.
#pragma once

#include <gnp/exec/elementwise/float_quotients.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/math.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An operation as the CPU's loops call it.
template <class Op>
struct on_cpu : Op {};

/// Integer types whose quotients floating-point division gives exactly, and the floating-point type for that: a
/// quotient is farther from the next whole number than rounding can move it.
template <class T>
inline constexpr bool divides_as_float = scalar::is_integer_v<T> && sizeof(T) <= 4 && !std::is_same_v<T, bool>;
template <class T>
using dividing_type = std::conditional_t<sizeof(T) <= 2, float, double>;

/// All bits if the condition holds, otherwise none.
template <class T>
constexpr T mask_of(bool condition) {
  return static_cast<T>(T(0) - static_cast<T>(condition));
}

/// floor(x / y) of integers; 0 if y is 0, and x if the quotient does not fit (the lowest number divided by -1).
/// It uses only arithmetic, because g++ would turn conditions into branches.
template <class T>
inline T whole_quotient(T x, T y) {
  using F = dividing_type<T>;
  auto divisor = static_cast<T>(y + static_cast<T>(y == T(0)));
  if constexpr (scalar::is_signed_integer<T>()) {
    divisor =
        static_cast<T>(divisor + (mask_of<T>((y == T(-1)) & (x == (std::numeric_limits<T>::min)())) & T(2)));
  }
  const auto quotient = static_cast<T>(scalar::floor(static_cast<F>(x) / static_cast<F>(divisor)));
  return static_cast<T>(quotient & mask_of<T>(y != T(0)));
}

/// For truth values, the sum is an `or` on whole vectors of bytes.
template <>
struct on_cpu<operations::add_ufunc> {
  template <class T>
  static constexpr T apply(T x, T y) {
    if constexpr (std::is_same_v<T, bool>) {
      return x | y;
    } else {
      return scalar::plus(x, y);
    }
  }
};

template <>
struct on_cpu<operations::isinf_ufunc> {
  template <class T>
  static constexpr bool apply(T x) {
    if constexpr (scalar::is_float_v<T>) {
      return scalar::abs(x) == std::numeric_limits<T>::infinity();
    } else if constexpr (scalar::is_complex_v<T>) {
      const bool real = apply(x.real());
      const bool imag = apply(x.imag());
      return real | imag;
    } else {
      return scalar::isinf(x);
    }
  }
};

template <>
struct on_cpu<operations::floor_divide_ufunc> {
  template <class T>
  static constexpr T apply(T x, T y) {
    if constexpr (divides_as_float<T>) {
      return whole_quotient(x, y);
    } else if constexpr (scalar::is_float_v<T>) {
      return floor_quotient(x, y);
    } else {
      return scalar::floor_divide(x, y);
    }
  }
};

template <>
struct on_cpu<operations::remainder_ufunc> {
  template <class T>
  static constexpr T apply(T x, T y) {
    if constexpr (divides_as_float<T>) {
      const T rest = scalar::minus(x, scalar::times(whole_quotient(x, y), y));
      return static_cast<T>(rest & mask_of<T>(y != T(0)));
    } else if constexpr (scalar::is_float_v<T>) {
      return floor_rest(x, y);
    } else {
      return scalar::remainder(x, y);
    }
  }
};

template <>
struct on_cpu<operations::fmod_ufunc> {
  template <class T>
  static constexpr T apply(T x, T y) {
    if constexpr (scalar::is_float_v<T>) {
      return truncated_rest(x, y);
    } else {
      return scalar::truncated_remainder(x, y);
    }
  }
};

/// To whole numbers, which is what round does unless told, nothing is divided. (The scales are numbers, so that
/// the compiler makes a loop for each case.)
template <>
struct on_cpu<operations::round_decimals_ufunc> {
  template <class T>
  static constexpr T apply(T x, T scale, T inverse_scale) {
    if constexpr (scalar::is_float_v<T>) {
      if (scale == T(1)) return scalar::rint(x);
    }
    return scalar::round_decimals(x, scale, inverse_scale);
  }
};

template <>
struct on_cpu<operations::power_ufunc> {
  template <class T>
  static constexpr T apply(T x, T y) {
    if constexpr (scalar::is_float_v<T>) {
      const T power = scalar::pow(x, y);  // computed even if it is not needed, because vectors do not branch
      const T square = x * x;
      return y == T(2) ? square : power;
    } else {
      return scalar::to_the_power(x, y);
    }
  }
};

/// An exponent of 32 bits is in range, whatever it is.
template <>
struct on_cpu<operations::ldexp_ufunc> {
  template <class T, class Count>
  static constexpr T apply(T x, Count n) {
    if constexpr (scalar::is_float_v<T> && std::is_same_v<Count, int>) {
      return raised_by(x, n);
    } else {
      return scalar::scale_by_power_of_two(x, n);
    }
  }
};

/// For operations that only keep some bits of a half and flip others: the bits that they keep, and the bits
/// that they flip.
struct bits_of_half {
  std::uint16_t kept = 0;
  std::uint16_t flipped = 0;
};
template <class Op>
inline constexpr bits_of_half on_half_bits{};
template <>
inline constexpr bits_of_half on_half_bits<operations::absolute_ufunc>{0x7fff, 0};
template <>
inline constexpr bits_of_half on_half_bits<operations::fabs_ufunc>{0x7fff, 0};
template <>
inline constexpr bits_of_half on_half_bits<operations::negative_ufunc>{0xffff, 0x8000};
template <>
inline constexpr bits_of_half on_half_bits<operations::positive_ufunc>{0xffff, 0};
template <>
inline constexpr bits_of_half on_half_bits<operations::conj_ufunc>{0xffff, 0};

/// Does the operation convert an X to a Result only by changing bits?
template <class Op, class Result, class X>
inline constexpr bool only_changes_bits =
    scalar::is_half_v<X> && std::is_same_v<Result, X> && on_half_bits<Op>.kept != 0;

}}}  // namespace gnp::GNP_ABI::detail
