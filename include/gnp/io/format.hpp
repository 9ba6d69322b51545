// SPDX-License-Identifier: MIT
// One number as text, by NumPy's rules; layout.hpp puts the numbers in columns. Nothing here depends on the
// array's type: a value is passed as a double, which holds every real type exactly, together with its dtype.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <gnp/core/dtype.hpp>
#include <gnp/io/print_options.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

namespace detail::printing {

constexpr bool is_nan(double value) { return value != value; }
constexpr bool is_finite(double value) { return value - value == 0; }
constexpr bool sign_bit(double value) { return std::bit_cast<std::uint64_t>(value) >> 63 != 0; }

/// The floating type of a complex type's parts; any other dtype is its own.
constexpr dtype part_type(dtype d) {
  if (d == dtype::complex64) return dtype::float32;
  return d == dtype::complex128 ? dtype::float64 : d;
}

/// The nearest value of a floating type.
constexpr double rounded_to(dtype type, double value) {
  if (type == dtype::float64) return value;
  const auto single = static_cast<float>(value);
  if (type == dtype::float16) return static_cast<float>(half(single));
  return type == dtype::bfloat16 ? static_cast<float>(bfloat16(single)) : single;
}

/// The number of decimal digits that the type always preserves (finfo's "precision"), as a power of ten.
constexpr double exact_decimals(dtype type) {
  if (type == dtype::float16) return 1e3;
  if (type == dtype::bfloat16) return 1e2;
  return type == dtype::float32 ? 1e6 : 1e15;
}

// Longest text asked for: a subnormal double rounded to its last decimal but one.
inline constexpr int number_buffer = 400;

/// magnitude with `digits` decimals, the exact value rounded half to even.
GNP_INLINE std::string fixed_decimals(double magnitude, std::chars_format format, int digits) {
  char buffer[number_buffer];
  return {buffer, std::to_chars(buffer, buffer + number_buffer, magnitude, format, digits).ptr};
}

/// "1.25e+02" and "1e+05" taken apart.
struct decimal {
  std::string digits;
  int exponent;

  explicit decimal(const std::string& scientific) : digits(scientific, 0, scientific.find('e')), exponent(0) {
    if (digits.size() > 1) digits.erase(1, 1);
    for (std::size_t i = scientific.find('e') + 2; i < scientific.size(); ++i) {
      exponent = exponent * 10 + (scientific[i] - '0');
    }
    if (scientific[scientific.find('e') + 1] == '-') exponent = -exponent;
  }
  /// The number, with its last digit made larger by `more`.
  GNP_INLINE double value(int more) const {
    double mantissa = 0;
    for (const char digit : digits) mantissa = mantissa * 10 + (digit - '0');
    const int power = exponent - static_cast<int>(digits.size()) + 1;
    mantissa += more;
    double scale = 1;
    for (int i = 0; i < (power < 0 ? -power : power); ++i) scale *= 10;
    return power < 0 ? mantissa / scale : mantissa * scale;
  }
};

/// to_chars does not know the 16-bit types: take digits until the decimal is nearer to this value than to
/// its neighbours.
GNP_INLINE std::string shortest_16bit(dtype type, double magnitude) {
  const auto single = static_cast<float>(magnitude);
  const bool is_half = type == dtype::float16;
  const std::uint16_t bits = is_half ? float_to_half_bits(single) : float_to_bfloat16_bits(single);
  if (bits == 0) return "0e+00";
  const auto before = static_cast<std::uint16_t>(bits - 1);
  const double gap = magnitude - (is_half ? half_bits_to_float(before) : bfloat16_bits_to_float(before));
  // Below a power of two, values are twice as dense as above it.
  const int mantissa = is_half ? 10 : 7;
  const bool power_of_two = (bits & ((1U << mantissa) - 1U)) == 0 && (bits >> mantissa) > 1;
  const double low = magnitude - gap / 2;
  const double high = magnitude + (power_of_two ? gap : gap / 2);
  for (int digits = 0;; ++digits) {
    const decimal nearest(fixed_decimals(magnitude, std::chars_format::scientific, digits));
    for (const int more : {0, 1}) {  // at a power of two, one up may be in reach when the nearest is not
      const double value = nearest.value(more);
      const bool even = bits % 2 == 0;  // a tie is read as the even neighbour
      if ((low < value && value < high) || (even && (value == low || value == high))) {
        return fixed_decimals(value, std::chars_format::scientific, digits);
      }
    }
  }
}

/// The fewest digits that read back as the same value of the type, in scientific notation.
GNP_INLINE std::string shortest(dtype type, double magnitude) {
  if (type == dtype::float16 || type == dtype::bfloat16) return shortest_16bit(type, magnitude);
  char buffer[number_buffer];
  char* const last = buffer + number_buffer;
  constexpr auto format = std::chars_format::scientific;
  return {buffer, type == dtype::float32
                      ? std::to_chars(buffer, last, static_cast<float>(magnitude), format).ptr
                      : std::to_chars(buffer, last, magnitude, format).ptr};
}

inline std::string sign_text(double value, bool plus) { return sign_bit(value) ? "-" : plus ? "+" : ""; }

/// "nan", "-inf"; and "+nan", "+inf" where the sign is always shown.
GNP_INLINE std::string non_finite(double value, bool plus, const std::string& nan = "nan",
                                  const std::string& infinity = "inf") {
  if (is_nan(value)) return (plus ? "+" : "") + nan;
  return sign_text(value, plus) + infinity;
}

/// "-12.5", "3.": shortest digits, at most `precision` of them after the point (any number if negative).
GNP_INLINE std::string positional(dtype type, double value, int precision, bool plus) {
  const double magnitude = sign_bit(value) ? -value : value;
  decimal number(shortest(type, magnitude));
  std::string& digits = number.digits;
  const int decimals = static_cast<int>(digits.size()) - 1 - number.exponent;
  if (precision >= 0 && decimals > precision) {
    digits = fixed_decimals(magnitude, std::chars_format::fixed, precision);
    if (precision == 0) digits += '.';
  } else if (number.exponent < 0) {
    digits.insert(0, static_cast<std::size_t>(-number.exponent), '0');
    digits.insert(1, 1, '.');
  } else {
    const auto whole = static_cast<std::size_t>(number.exponent) + 1;
    if (digits.size() < whole) digits.resize(whole, '0');
    digits.insert(whole, 1, '.');
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return sign_text(value, plus) + digits;
}

/// "1.25e+02", "1.e+05": shortest digits, but at least `at_least` and at most `precision` after the point.
inline std::string scientific(dtype type, double value, int precision, int at_least, bool plus) {
  const double magnitude = sign_bit(value) ? -value : value;
  std::string text = shortest(type, magnitude);
  const auto decimals = [&] { return (std::max)(static_cast<int>(text.find('e')) - 2, 0); };
  const int wanted = (std::min)(precision, (std::max)(decimals(), at_least));
  // Digits past the shortest are the value's own, not zeros; digits cut off are rounded from the exact value.
  if (wanted != decimals()) text = fixed_decimals(magnitude, std::chars_format::scientific, wanted);
  std::size_t end = text.find('e');
  if (end == 1) text.insert(end++, 1, '.');
  if (at_least < 0) {
    const std::size_t kept = text.find_last_not_of('0', end - 1) + 1;
    text.erase(kept, end - kept);
  }
  return sign_text(value, plus) + text;
}

/// A number on its own, as str() of a NumPy scalar: all its digits, "1.0", "1e+16"; "1" as a part of a complex.
GNP_INLINE std::string scalar_text(dtype type, double value, bool is_part, bool plus) {
  if (!is_finite(value)) return non_finite(value, plus);
  const double magnitude = sign_bit(value) ? -value : value;
  const double limit = type == dtype::float64 ? 1e16 : exact_decimals(type);
  if (magnitude != 0 && (magnitude >= limit || magnitude < 1e-4)) {
    return sign_text(value, plus) + shortest(type, magnitude);
  }
  std::string text = positional(type, value, -1, plus);
  if (text.back() != '.') return text;
  if (!is_part) return text + '0';
  text.pop_back();
  return text;
}

GNP_INLINE std::string complex_scalar_text(dtype type, double real, double imaginary) {
  if (real == 0 && !sign_bit(real)) return scalar_text(type, imaginary, true, false) + 'j';
  return '(' + scalar_text(type, real, true, false) + scalar_text(type, imaginary, true, true) + "j)";
}

/// What one column format needs to know about the numbers that it will print. Used in order: measure() each
/// number, choose(), fit() each number, finish(), and then text() as often as wanted.
class float_format {
 public:
  float_format(dtype type, const print_options& options, char sign)
      : type_(type),
        precision_(options.floatmode == "unique" ? most_digits : (std::min)(options.precision, most_digits)),
        suppress_(options.suppress),
        scientific_(options.scientific),
        sign_(sign),
        exact_(options.floatmode == "fixed"),
        equal_(exact_ || options.floatmode == "maxprec_equal"),
        nan_(options.nanstr),
        infinity_(options.infstr) {}

  GNP_INLINE void measure(double value) {
    const double magnitude = sign_bit(value) ? -value : value;
    if (!is_finite(value)) {
      non_finite_ = true;
      negative_infinity_ = negative_infinity_ || value < 0;
      return;
    }
    negative_ = negative_ || sign_bit(value);
    if (magnitude == 0) return;
    largest_ = (std::max)(largest_, magnitude);
    smallest_ = smallest_ == 0 ? magnitude : (std::min)(smallest_, magnitude);
  }

  GNP_INLINE void choose() {
    if (scientific_ || largest_ == 0) return;
    const double limit = (std::min)(1e8, exact_decimals(type_));
    // NumPy compares, and divides, in the array's own type.
    const bool wide = smallest_ < rounded_to(type_, 1e-4) || rounded_to(type_, largest_ / smallest_) > 1000;
    scientific_ = largest_ >= limit || (!suppress_ && wide);
  }

  GNP_INLINE void fit(double value) {
    if (!is_finite(value)) return;
    const std::string text = scientific_
                                 ? scientific(type_, value, precision_, exact_ ? precision_ : -1, plus())
                             : exact_ ? decimals_of(value, precision_)
                                      : positional(type_, value, precision_, plus());
    const std::size_t point = text.find('.');
    const std::size_t end = (std::min)(text.find('e'), text.size());
    left_ = (std::max)(left_, point);
    decimals_ = (std::max)(decimals_, end - point - 1);
    exponent_ = (std::max)(exponent_, text.size() - end);
  }

  GNP_INLINE void finish() {
    if (sign_ == ' ' && !negative_) ++left_;  // where a minus would be
    if (!non_finite_) return;
    const std::size_t offset = decimals_ + exponent_ + 1;
    const std::size_t signed_infinity = infinity_.size() + (sign_ != '-' || negative_infinity_ ? 1U : 0U);
    const std::size_t longest = (std::max)(nan_.size(), signed_infinity);
    if (longest > offset) left_ = (std::max)(left_, longest - offset);
  }

  GNP_INLINE std::string text(double value) const {
    std::string text;
    if (!is_finite(value)) {
      text = non_finite(value, plus(), nan_, infinity_);
      const std::size_t width = left_ + 1 + decimals_ + exponent_;
      return text.insert(0, width > text.size() ? width - text.size() : 0, ' ');
    }
    const int decimals = static_cast<int>(decimals_);
    if (scientific_) {
      text = scientific(type_, value, decimals, decimals, plus());
      const std::size_t sign = text.find('e') + 1;
      text.insert(sign + 1, exponent_ - (text.size() - sign + 1), '0');
    } else if (equal_) {
      text = decimals_of(value, decimals);
    } else {
      text = positional(type_, value, precision_, plus());
      text.append(decimals_ - (text.size() - text.find('.') - 1), ' ');
    }
    return text.insert(0, left_ - text.find('.'), ' ');
  }

 private:
  static constexpr int most_digits = number_buffer - 20;  // not counting those before the point

  bool plus() const { return sign_ == '+'; }

  /// "-12.50": the value's own digits, trailing zeros with them.
  GNP_INLINE std::string decimals_of(double value, int decimals) const {
    std::string digits = fixed_decimals(sign_bit(value) ? -value : value, std::chars_format::fixed, decimals);
    if (decimals == 0) digits += '.';
    return sign_text(value, plus()) + digits;
  }

  dtype type_;
  int precision_;
  bool suppress_;
  bool scientific_;
  char sign_;
  bool exact_;  // always `precision_` decimals
  bool equal_;  // all numbers get as many decimals as the longest needs
  std::string nan_;
  std::string infinity_;
  bool negative_ = false;
  bool non_finite_ = false;
  bool negative_infinity_ = false;
  double largest_ = 0;
  double smallest_ = 0;
  std::size_t left_ = 0;      // characters before the point
  std::size_t decimals_ = 0;  // after it
  std::size_t exponent_ = 0;  // "e+05"
};

}  // namespace detail::printing
}}  // namespace gnp::GNP_ABI
