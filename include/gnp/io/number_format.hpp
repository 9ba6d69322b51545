// SPDX-License-Identifier: MIT
// Writes one number by a format such as "%.18e", as Python's % does: independent of the locale, and with all
// digits of 64-bit integers.
#pragma once

#include <charconv>
#include <cmath>
#include <cstring>
#include <gnp/core/error.hpp>
#include <gnp/io/format.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An element, or a part of a complex one, with the dtype it has.
struct text_value {
  dtype type = dtype::float64;  // real
  double real = 0;
  std::uint64_t bits = 0;  // of an integer, extended to 64

  bool is_integral() const { return type == dtype::bool_ || is_integer(type); }
  GNP_INLINE bool is_negative() const {
    return is_integral() ? is_signed_integer(type) && static_cast<std::int64_t>(bits) < 0
                         : printing::sign_bit(real) && !printing::is_nan(real);
  }
  GNP_INLINE double as_double() const {
    if (!is_integral()) return real;
    return is_signed_integer(type) ? static_cast<double>(static_cast<std::int64_t>(bits))
                                   : static_cast<double>(bits);
  }
};

template <class T>
T element_from(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

/// The real number, of this type, that is stored at `data`.
GNP_INLINE text_value text_value_of(dtype type, const char* data) {
  const auto integer = [&](auto value) {
    return text_value{type, 0, static_cast<std::uint64_t>(static_cast<std::int64_t>(value))};
  };
  switch (type) {
    case dtype::int8:
      return integer(element_from<std::int8_t>(data));
    case dtype::int16:
      return integer(element_from<std::int16_t>(data));
    case dtype::int32:
      return integer(element_from<std::int32_t>(data));
    case dtype::int64:
    case dtype::uint64:
      return integer(element_from<std::int64_t>(data));
    case dtype::uint16:
      return integer(element_from<std::uint16_t>(data));
    case dtype::uint32:
      return integer(element_from<std::uint32_t>(data));
    case dtype::float16:
      return {type, element_from<half>(data), 0};
    case dtype::bfloat16:
      return {type, element_from<bfloat16>(data), 0};
    case dtype::float32:
      return {type, element_from<float>(data), 0};
    case dtype::float64:
      return {type, element_from<double>(data), 0};
    default:
      return integer(element_from<std::uint8_t>(data));  // bool, too
  }
}

/// Where the next conversion of a format begins: at a % that is not one of "%%", which stands for the
/// character.
GNP_INLINE std::size_t next_conversion(std::string_view text) {
  std::size_t at = text.find('%');
  while (at != std::string_view::npos && text.substr(at + 1).starts_with('%')) at = text.find('%', at + 2);
  return at;
}
/// What a format says without conversions.
GNP_INLINE std::string plain_text(std::string_view text) {
  std::string plain(text);
  for (std::size_t at = plain.find("%%"); at != std::string::npos; at = plain.find("%%", at + 1))
    plain.erase(at, 1);
  return plain;
}

/// "%10.3f", taken apart once, with the text around it.
class number_format {
 public:
  /// Takes the text up to the end of its first conversion off `text`.
  number_format(std::string_view& text, const std::string& where) : where_(where), written_(text) {
    const std::size_t percent = next_conversion(text);
    before_ = plain_text(text.substr(0, percent));
    text.remove_prefix(percent + 1);
    for (; !text.empty() && std::string_view("-+ 0").find(text[0]) != std::string_view::npos;
         text.remove_prefix(1)) {
      is_left_ = is_left_ || text[0] == '-';
      is_zero_padded_ = is_zero_padded_ || text[0] == '0';
      if (text[0] == '+') sign_ = '+';
      if (text[0] == ' ' && sign_ == '\0') sign_ = ' ';
    }
    width_ = take_count(text);
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      precision_ = take_count(text);
    }
    while (text.starts_with('l') || text.starts_with('h')) text.remove_prefix(1);
    conversion_ = text.empty() ? '\0' : text[0] == 'i' || text[0] == 'u' ? 'd' : text[0];
    if (std::string_view("doxXeEfFgGsr").find(conversion_) == std::string_view::npos || text.empty()) {
      throw error(where_ + ": '" + std::string(written_) +
                  "' is not a number format: use one such as %d, %x, %.18e, %10.3f, %g or %s");
    }
    text.remove_prefix(1);
  }

  GNP_INLINE void write(std::string& out, const text_value& value) const {
    out += before_;
    if (!has_width() && (conversion_ == 'e' || conversion_ == 'f' || conversion_ == 'g') && sign_ == '\0') {
      write_real(out, value.as_double());
      return;
    }
    std::string digits;
    bool is_signed = value.is_negative();
    if (conversion_ == 's' || conversion_ == 'r') {
      digits = value.type == dtype::bool_ ? (value.bits != 0 ? "True" : "False")
               : value.is_integral()      ? integer_text(value)
                                          : printing::scalar_text(value.type, value.real, false, false);
      if (precision_ >= 0) digits.resize((std::min)(digits.size(), static_cast<std::size_t>(precision_)));
      pad(out, digits, 0, false);
      return;
    }
    if (conversion_ == 'd' || conversion_ == 'o' || conversion_ == 'x' || conversion_ == 'X') {
      digits = integer_text(value);
      if (is_signed && digits == "0") is_signed = false;  // -0.5 as an integer
      const std::size_t sign = digits.starts_with('-') ? 1 : 0;
      const auto wanted = static_cast<std::size_t>((std::max)(precision_, 0)) + sign;
      if (digits.size() < wanted) digits.insert(sign, wanted - digits.size(), '0');
    } else {
      write_real(digits, value.as_double());
    }
    if (conversion_ < 'a') {
      for (char& c : digits) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    if (!is_signed && sign_ != '\0') digits.insert(0, 1, sign_);
    pad(out, digits, !digits.empty() && (digits[0] == '-' || digits[0] == sign_) ? 1 : 0, is_zero_padded_);
  }

 private:
  static constexpr int most = 1000;

  GNP_INLINE int take_count(std::string_view& text) const {
    int count = 0;
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1)) {
      count = count * 10 + (text[0] - '0');
      if (count > most) {
        throw error(where_ + ": '" + std::string(written_) + "': more than " + std::to_string(most) +
                    " characters for a number");
      }
    }
    return count;
  }

  bool has_width() const { return width_ > 0; }

  GNP_INLINE void write_real(std::string& out, double value) const {
    if (!printing::is_finite(value)) {
      out += printing::non_finite(value, false);
      return;
    }
    char buffer[most + 400];
    const int precision = precision_ < 0 ? 6 : precision_;
    const char kind = conversion_ < 'a' ? static_cast<char>(conversion_ - 'A' + 'a') : conversion_;
    const auto format = kind == 'e'   ? std::chars_format::scientific
                        : kind == 'f' ? std::chars_format::fixed
                                      : std::chars_format::general;
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format, precision).ptr);
  }

  GNP_INLINE std::string integer_text(const text_value& value) const {
    const int base = conversion_ == 'o' ? 8 : conversion_ == 'x' || conversion_ == 'X' ? 16 : 10;
    char buffer[400];
    if (value.is_integral()) {
      if (!value.is_negative())
        return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value.bits, base).ptr};
      return {buffer,
              std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value.bits), base).ptr};
    }
    if (base != 10 || !printing::is_finite(value.real)) {
      throw dtype_error(where_ + ": " + printing::scalar_text(value.type, value.real, false, false) + " (" +
                        name(value.type) + ") by the format '" + std::string(written_) +
                        "', which is for integers");
    }
    const double whole = std::trunc(value.real) + 0.0;  // and no -0
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, whole, std::chars_format::fixed, 0).ptr};
  }

  GNP_INLINE void pad(std::string& out, const std::string& digits, std::size_t sign, bool with_zeros) const {
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t missing = digits.size() < width ? width - digits.size() : 0;
    if (is_left_) {
      out.append(digits).append(missing, ' ');
    } else if (with_zeros) {
      out.append(digits, 0, sign).append(missing, '0').append(digits, sign, std::string::npos);
    } else {
      out.append(missing, ' ').append(digits);
    }
  }

  std::string where_;  // the function and the file, for error messages
  std::string written_;
  std::string before_;
  bool is_left_ = false;
  bool is_zero_padded_ = false;
  char sign_ = '\0';  // shown before what is not negative
  int width_ = 0;
  int precision_ = -1;
  char conversion_ = '\0';
};

/// A text with several number formats: "%d and %.1f".
struct row_format {
  std::vector<number_format> numbers;
  std::string after;

  row_format(std::string_view text, const std::string& where) {
    while (next_conversion(text) != std::string_view::npos) numbers.emplace_back(text, where);
    after = plain_text(text);
  }
};

}}}  // namespace gnp::GNP_ABI::detail
