// SPDX-License-Identifier: MIT
// The two 16-bit floating-point types. They are for storage; arithmetic is done in float and rounded back.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <gnp/core/config.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

// All cases are computed, and bit masks choose one of them, so that loops over halves vectorise: g++ would turn
// conditions into branches.
constexpr std::uint32_t chosen(bool condition, std::uint32_t yes, std::uint32_t no) {
  return no ^ ((yes ^ no) & (0U - static_cast<std::uint32_t>(condition)));
}

/// IEEE binary16 from binary32, round to nearest even, NaN payloads kept quiet.
constexpr std::uint16_t float_to_half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  // For subnormal results the float adder does the rounding.
  const bool is_subnormal = magnitude < 0x38800000U;
  const float shifted = std::bit_cast<float>(chosen(is_subnormal, magnitude, 0U)) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  const std::uint32_t normal = (magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  const std::uint32_t nan = 0x7e00U | ((magnitude & 0x7fffffU) >> 13);
  const std::uint32_t large = chosen(magnitude > 0x7f800000U, nan, 0x7c00U);
  const std::uint32_t finite = chosen(is_subnormal, subnormal, normal);
  return static_cast<std::uint16_t>(sign | chosen(magnitude >= 0x477ff000U, large, finite));  // above 65504
}

constexpr float half_bits_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t rest = static_cast<std::uint32_t>(bits & 0x7fffU) << 13;
  // 2^112 moves the exponent bias from 15 to 127 and normalises subnormals on the way.
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112F);
  return std::bit_cast<float>(sign | chosen((bits & 0x7c00U) == 0x7c00U, 0x7f800000U | rest, finite));
}

constexpr std::uint16_t float_to_bfloat16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

constexpr float bfloat16_bits_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// The float from which a number is rounded to 16 bits. A number that a float cannot hold exactly is truncated,
/// and its last bit is set (rounded to odd), so that the result is as if it were rounded once.
template <class T>
constexpr float on_the_way_to_16_bits(T value) {
  const auto nearest = static_cast<float>(value);
  if constexpr (sizeof(T) > sizeof(float) && std::is_floating_point_v<T>) {
    const auto back = static_cast<T>(nearest);
    if (back == value || value != value) return nearest;
    const bool is_farther = value < 0 ? back < value : back > value;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(nearest) - (is_farther ? 1U : 0U)) | 1U);
  } else {
    return nearest;
  }
}

}  // namespace detail

/// What changes a number of 16 bits in place: each result is computed as a float and rounded.
template <class Number>
struct changed_in_place {
  friend constexpr Number& operator+=(Number& x, float y) { return x = Number(float(x) + y); }
  friend constexpr Number& operator-=(Number& x, float y) { return x = Number(float(x) - y); }
  friend constexpr Number& operator*=(Number& x, float y) { return x = Number(float(x) * y); }
  friend constexpr Number& operator/=(Number& x, float y) { return x = Number(float(x) / y); }
  friend constexpr Number& operator++(Number& x) { return x += 1.0F; }
  friend constexpr Number& operator--(Number& x) { return x -= 1.0F; }
  friend constexpr Number operator++(Number& x, int) {
    const Number before = x;
    ++x;
    return before;
  }
  friend constexpr Number operator--(Number& x, int) {
    const Number before = x;
    --x;
    return before;
  }
};

/// IEEE 754 binary16, NumPy's float16.
struct half : changed_in_place<half> {
  std::uint16_t bits;

  half() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit(!std::same_as<T, float>) half(T value)
      : bits(detail::float_to_half_bits(detail::on_the_way_to_16_bits(value))) {}
  constexpr operator float() const { return detail::half_bits_to_float(bits); }
  static constexpr half from_bits(std::uint16_t bits) {
    half h;
    h.bits = bits;
    return h;
  }
};

/// The upper half of a float: 8 bits of exponent, 8 of precision.
struct bfloat16 : changed_in_place<bfloat16> {
  std::uint16_t bits;

  bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit(!std::same_as<T, float>) bfloat16(T value)
      : bits(detail::float_to_bfloat16_bits(detail::on_the_way_to_16_bits(value))) {}
  constexpr operator float() const { return detail::bfloat16_bits_to_float(bits); }
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 b;
    b.bits = bits;
    return b;
  }
};

namespace detail {

/// What the standard library says of floating-point numbers, for those of 16 bits, whose fraction has so many
/// of them.
template <class Number, int FractionBits>
struct limits_of_16_bits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr bool traps = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = FractionBits + 1;
  static constexpr int max_exponent = 1 << (14 - FractionBits), min_exponent = 3 - max_exponent;
  // (Times log10(2), rounded towards what still holds.)
  static constexpr int digits10 = FractionBits * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;

  static constexpr Number(min)() noexcept { return bits(1 << FractionBits); }
  static constexpr Number(max)() noexcept { return bits(infinite - 1); }
  static constexpr Number lowest() noexcept { return bits(0x8000 | (infinite - 1)); }
  static constexpr Number epsilon() noexcept { return Number(1.0F / static_cast<float>(1 << FractionBits)); }
  static constexpr Number round_error() noexcept { return Number(0.5F); }
  static constexpr Number infinity() noexcept { return bits(infinite); }
  static constexpr Number quiet_NaN() noexcept { return bits(infinite | 1 << (FractionBits - 1)); }
  static constexpr Number signaling_NaN() noexcept { return bits(infinite | 1); }
  static constexpr Number denorm_min() noexcept { return bits(1); }

 private:
  static constexpr int infinite = 0x7fff >> FractionBits << FractionBits;
  static constexpr Number bits(int all) { return Number::from_bits(static_cast<std::uint16_t>(all)); }
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI

template <>
class std::numeric_limits<gnp::half> : public gnp::detail::limits_of_16_bits<gnp::half, 10> {};
template <>
class std::numeric_limits<gnp::bfloat16> : public gnp::detail::limits_of_16_bits<gnp::bfloat16, 7> {};
