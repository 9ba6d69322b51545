// SPDX-License-Identifier: MIT
// The digits of whole numbers in bases of 2 to 36.
#pragma once

#include <algorithm>
#include <gnp/core/config.hpp>
#include <gnp/core/error.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The digits of a number, the last one first; no digits for zero.
inline std::string digits_backwards(unsigned long long number, unsigned base) {
  std::string digits;
  for (; number > 0; number /= base) digits += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % base];
  return digits;
}

GNP_INLINE std::string base_text(bool negative, unsigned long long size, int base, int padding) {
  if (base < 2 || base > 36)
    throw error(std::string("base_repr: the base is 2 to 36, got ") + std::to_string(base));
  std::string text = digits_backwards(size, static_cast<unsigned>(base));
  text.append(static_cast<std::size_t>((std::max)(padding, 0)), '0');
  if (negative) text += '-';
  if (text.empty()) text = "0";
  std::reverse(text.begin(), text.end());
  return text;
}

GNP_INLINE std::string binary_text(bool negative, unsigned long long size, int width) {
  const bool complement = negative && width > 0;
  // The bits below the sign are the complement of those of size - 1. (-1 has no bit below its sign.)
  std::string text = digits_backwards(complement ? size - 1 : size, 2);
  if (complement) {
    for (char& digit : text) digit = digit == '0' ? '1' : '0';
    text += '1';
  }
  if (text.empty()) text = "0";
  const auto wanted = static_cast<std::size_t>((std::max)(width, 0));
  if (width > 0 && text.size() > wanted) {
    throw error(std::string("binary_repr: ") + (negative ? "-" : "") + std::to_string(size) + " takes " +
                std::to_string(text.size()) + " bits, and the width is " + std::to_string(width));
  }
  if (text.size() < wanted) text.append(wanted - text.size(), complement ? '1' : '0');
  if (negative && !complement) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

}}}  // namespace gnp::GNP_ABI::detail
