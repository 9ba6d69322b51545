// SPDX-License-Identifier: MIT
// ldexp, frexp and nextafter by the bits, without branches or calls, so that loops over them vectorise.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <gnp/core/config.hpp>
#include <limits>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The bits of a floating-point number: how it is made of sign, exponent and digits.
template <class R>
struct number_bits {
  using type = std::conditional_t<sizeof(R) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int digits = std::numeric_limits<R>::digits - 1;
  static constexpr int largest = std::numeric_limits<R>::max_exponent - 1;  // exponent of a number
  static constexpr type of_infinity = type(2 * largest + 1) << digits;
  static constexpr type of_sign = type(1) << (8 * sizeof(R) - 1);

  static constexpr type of(R x) { return std::bit_cast<type>(x); }
  /// All bits if the condition holds, otherwise none. (g++ would branch around what a condition chooses.)
  static constexpr type mask(bool condition) { return type(0) - static_cast<type>(condition); }
  static constexpr R power_of_two(std::make_signed_t<type> exponent) {
    return std::bit_cast<R>(static_cast<type>(exponent + largest) << digits);
  }
};

/// x times a power of two, rounded once: numbers that become too small for all of their digits keep them until
/// the last of the three steps. (The exponents are ints until they become powers: AVX2 has no extremes of
/// longer integers.)
template <class R>
constexpr R raised_by(R x, int exponent) {
  using bits = number_bits<R>;
  using wide = std::make_signed_t<typename bits::type>;
  constexpr int up = bits::largest, down = 1 - bits::largest + bits::digits + 1;
  int rest = (std::min)((std::max)(exponent, 3 * down), 3 * up);
  const auto step = [](int left) { return (-int(left > up) & up) | (-int(left < 1 - up) & down); };
  const int first = step(rest);
  rest -= first;
  const int second = step(rest);
  rest -= second;
  rest = (std::min)((std::max)(rest, 1 - up), up);
  return x * bits::power_of_two(wide(first)) * bits::power_of_two(wide(second)) *
         bits::power_of_two(wide(rest));
}

/// The exponent e of x = m 2^e with 0.5 <= |m| < 1, and m; 0 and x if x is 0 or no number.
template <class R>
constexpr R mantissa_and_exponent(R x, int* exponent) {
  using bits = number_bits<R>;
  using word = typename bits::type;
  const word magnitude = bits::of(x) & ~bits::of_sign;
  const word is_small = bits::mask(magnitude < (word(1) << bits::digits));  // and has fewer digits
  constexpr int raised = bits::digits + 1;
  const R factor =
      std::bit_cast<R>((bits::of(bits::power_of_two(raised)) & is_small) | (bits::of(R(1)) & ~is_small));
  const word whole = bits::of(x * factor);
  const word is_number = bits::mask(magnitude != 0) & bits::mask(magnitude < bits::of_infinity);
  const word found = (whole >> bits::digits & word(2 * bits::largest + 1)) - word(bits::largest - 1) -
                     (word(raised) & is_small);
  *exponent = static_cast<int>(static_cast<std::make_signed_t<word>>(found & is_number));
  const word digits = (whole & ~bits::of_infinity) | bits::of(R(0.5));
  return std::bit_cast<R>((digits & is_number) | (bits::of(x) & ~is_number));
}

/// The number after x in the direction of y.
template <class R>
constexpr R next_number(R x, R y) {
  using bits = number_bits<R>;
  using word = typename bits::type;
  const word away = bits::mask((y > x) == (x > R(0)));
  const word moved = bits::of(x) + ((away & word(1)) | ~away);
  const word is_zero = bits::mask(x == R(0));
  const word from_zero = (bits::of(y) & bits::of_sign) | word(1);
  const word is_same = bits::mask(x == y);
  const word there = (is_zero & from_zero) | (~is_zero & moved);
  const R next = std::bit_cast<R>((is_same & bits::of(y)) | (~is_same & there));
  const word ordered = bits::mask((x == x) & (y == y));
  return std::bit_cast<R>((ordered & bits::of(next)) | (~ordered & bits::of(x + y)));
}

}}}  // namespace gnp::GNP_ABI::detail
