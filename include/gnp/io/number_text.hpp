// SPDX-License-Identifier: MIT
// Reads a number in a text file, as loadtxt does: the whole of a field or nothing, independent of the locale.
#pragma once

#include <locale.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gnp/expr/scalar/cast.hpp>
#include <gnp/io/integer_bounds.hpp>
#include <limits>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes a real number off the beginning of a text. One that is too large is inf, one that is too small is 0.
GNP_INLINE bool take_real(std::string_view& text, double& value) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  if (begin != end && *begin == '+') {
    ++begin;
    if (begin != end && *begin == '-') return false;
  }
  const auto [last, status] = std::from_chars(begin, end, value);
  if (status == std::errc::result_out_of_range) {
    static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
    value = ::strtod_l(std::string(begin, last).c_str(), nullptr, plain);
  } else if (status != std::errc()) {
    return false;
  }
  if (last[-1] == ')') return false;  // nan(12)
  text.remove_prefix(static_cast<std::size_t>(last - text.data()));
  return true;
}

/// Which complex numbers are read: loadtxt's, such as 1+-2j, or those of Python and genfromtxt, such as 1+j and
/// 2J.
enum class complex_spelling { loadtxt, python };

/// Takes one part of a complex number off the beginning of a text. Python's j is 1j.
GNP_INLINE bool take_part(std::string_view& text, complex_spelling spelling, double& value) {
  const std::size_t sign = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  if (spelling == complex_spelling::python && text.substr(sign) == "j") {
    value = text[0] == '-' ? -1 : 1;
    text.remove_prefix(sign);
    return true;
  }
  return take_real(text, value);
}

GNP_INLINE bool parse_complex(std::string_view text, complex_spelling spelling, complex128& value) {
  if (text.starts_with('(') && text.ends_with(')')) text = trimmed(text.substr(1, text.size() - 2));
  const bool is_python = spelling == complex_spelling::python;
  std::string lower;
  if (is_python && text.ends_with('J')) {
    lower.assign(text.substr(0, text.size() - 1)).append("j");
    text = lower;
  }
  double real = 0;
  double imaginary = 0;
  if (!take_part(text, spelling, real)) return false;
  if (text == "j") {
    std::swap(real, imaginary);
  } else if (!text.empty()) {
    if (text[0] != '+' && text[0] != '-') return false;
    if (!is_python && (text.starts_with("+-") || text.starts_with("++"))) text.remove_prefix(1);
    if (!take_part(text, spelling, imaginary) || text != "j") return false;
  }
  value = complex128(real, imaginary);
  return true;
}

/// Parses an integer of `bytes` bytes.
template <class Widest>
bool parse_integer(std::string_view text, std::size_t bytes, void* to) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  Widest value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || last != end) return false;
  const std::size_t unused = 8 * (sizeof value - bytes);
  if (static_cast<Widest>(static_cast<std::uint64_t>(value) << unused) >> unused != value) return false;
  std::memcpy(to, &value, bytes);  // its lower bytes
  return true;
}

template <class T, class Value>
bool store_number(Value value, void* to) {
  const T converted = scalar::cast<T>(value);
  std::memcpy(to, &converted, sizeof converted);
  return true;
}

/// Parses a text as a number and writes it to `to`; false if it is not a number, or not one of this type.
GNP_INLINE bool parse_number(std::string_view text, dtype type, void* to,
                             complex_spelling spelling = complex_spelling::loadtxt) {
  text = trimmed(text);
  if (is_signed_integer(type)) return parse_integer<std::int64_t>(text, itemsize(type), to);
  if (is_unsigned_integer(type)) return parse_integer<std::uint64_t>(text, itemsize(type), to);
  if (type == dtype::bool_) {
    std::int64_t value = 0;
    return parse_integer<std::int64_t>(text, sizeof value, &value) && store_number<bool>(value, to);
  }
  if (is_complex(type)) {
    complex128 value;
    if (!parse_complex(text, spelling, value)) return false;
    return type == dtype::complex64 ? store_number<complex64>(value, to) : store_number<complex128>(value, to);
  }
  // By way of a double, as in NumPy: the value nearest to that double is stored.
  double value = 0;
  if (!take_real(text, value) || !text.empty()) return false;
  if (type == dtype::float32) return store_number<float>(value, to);
  if (type == dtype::float16) return store_number<half>(value, to);
  if (type == dtype::bfloat16) return store_number<bfloat16>(value, to);
  return store_number<double>(value, to);
}

/// What genfromtxt finds in a field. A number may be one that its integer type does not hold.
enum class field_content { number, none, out_of_bounds };

GNP_INLINE bool is_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char c, char wanted) { return (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == wanted; });
}

/// The text without the underscores between digits, which Python reads.
GNP_INLINE std::string without_underscores(std::string_view text) {
  const auto is_digit = [text](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_' || i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) result += text[i];
  }
  return result;
}

/// Parses a field as genfromtxt does: truth values are words, and an integer may be written as a real number,
/// whose fraction is dropped.
GNP_INLINE field_content parse_field(std::string_view text, dtype type, void* to) {
  text = trimmed(text);
  if (type == dtype::bool_) {
    const bool is_true = is_word(text, "true");
    if (!is_true && !is_word(text, "false")) return field_content::none;
    std::memcpy(to, &is_true, sizeof is_true);
    return field_content::number;
  }
  std::string joined;
  if (text.find('_') != std::string_view::npos) text = joined = without_underscores(text);
  if (parse_number(text, type, to, complex_spelling::python)) return field_content::number;
  double value = 0;
  if (!is_integer(type) || !take_real(text, value) || !text.empty() || std::isnan(value))
    return field_content::none;
  if (!holds_whole_part(type, value)) return field_content::out_of_bounds;
  const std::uint64_t whole = is_signed_integer(type)
                                  ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                  : static_cast<std::uint64_t>(value);
  std::memcpy(to, &whole, itemsize(type));  // its lower bytes
  return field_content::number;
}

}}}  // namespace gnp::GNP_ABI::detail
