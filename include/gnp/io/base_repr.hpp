// SPDX-License-Identifier: MIT
// Whole numbers as texts of other bases: base_repr, binary_repr.
#pragma once

#include <algorithm>
#include <concepts>
#include <gnp/core/config.hpp>
#include <gnp/core/error.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// The digits of a number, the last one first; none of zero.
inline std::string digits_backwards(unsigned long long number, unsigned base) {
  std::string digits;
  for (; number > 0; number /= base) digits += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % base];
  return digits;
}

template <std::integral T>
constexpr unsigned long long size_of_number(T number) {
  return number < T(0) ? 0ULL - static_cast<unsigned long long>(number)
                       : static_cast<unsigned long long>(number);
}

}  // namespace detail

/// A number in a base of 2 to 36, behind so many zeros; a negative one behind a minus sign.
template <std::integral T>
std::string base_repr(T number, int base = 2, int padding = 0) {
  if (base < 2 || base > 36)
    throw error(std::string("base_repr: the base is 2 to 36, got ") + std::to_string(base));
  std::string text = detail::digits_backwards(detail::size_of_number(number), static_cast<unsigned>(base));
  text.append(static_cast<std::size_t>((std::max)(padding, 0)), '0');
  if (number < T(0)) text += '-';
  if (text.empty()) text = "0";
  return std::string(text.rbegin(), text.rend());
}

/// A number's bits. Of a negative one, behind a minus sign or, where a width is given, its two's complement.
template <std::integral T>
std::string binary_repr(T number, int width = 0) {
  const bool complement = number < T(0) && width > 0;
  // -1 has no bit but its sign: what is below is the complement of number + 1's size.
  std::string text = complement ? detail::digits_backwards(detail::size_of_number(number + T(1)), 2)
                                : detail::digits_backwards(detail::size_of_number(number), 2);
  if (complement) {
    for (char& digit : text) digit = digit == '0' ? '1' : '0';
    text += '1';
  }
  if (text.empty()) text = "0";
  const auto wanted = static_cast<std::size_t>((std::max)(width, 0));
  if (width > 0 && text.size() > wanted) {
    throw error("binary_repr: " + std::to_string(number) + " takes " + std::to_string(text.size()) +
                " bits, and the width is " + std::to_string(width));
  }
  if (text.size() < wanted) text.append(wanted - text.size(), complement ? '1' : '0');
  if (number < T(0) && !complement) text += '-';
  return std::string(text.rbegin(), text.rend());
}

}}  // namespace gnp::GNP_ABI
