// SPDX-License-Identifier: MIT
// Golden values: reads what tests/golden/*.py wrote, and says how far a result is from NumPy's.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <gnp/gnp.hpp>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "catch.hpp"

namespace golden {

template <class... T>
struct types {};

using float_types = types<gnp::half, gnp::bfloat16, float, double>;
using signed_types = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using unsigned_types = types<bool, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using complex_types = types<gnp::complex64, gnp::complex128>;
using all_types = types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                        std::uint16_t, std::uint32_t, std::uint64_t, gnp::half, gnp::bfloat16, float, double,
                        gnp::complex64, gnp::complex128>;

// ------------------------------------------------------------------------------------------ reading

inline std::string read_file(const std::string& file) {
  std::ifstream in(test_data(file), std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + test_data(file));
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos;
       begin = end + separator.size()) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// "3,4" as {3, 4}; "" as {}.
inline gnp::shape_t parse_shape(const std::string& text) {
  gnp::shape_t shape;
  if (text.empty()) return shape;
  for (const std::string& part : split(text, ",")) shape.push_back(std::stoll(part));
  return shape;
}

/// Values of one dtype, as bytes.
struct block {
  std::string dtype;
  std::string bytes;

  template <class T>
  gnp::host_array<T> values() const {
    if (dtype != gnp::name(gnp::dtype_of<T>))
      throw std::logic_error("golden: asked for another type than " + dtype);
    gnp::host_array<T> result(gnp::shape_t{static_cast<gnp::index_t>(bytes.size() / sizeof(T))});
    if (!bytes.empty()) std::memcpy(static_cast<void*>(result.data()), bytes.data(), bytes.size());
    return result;
  }
};

struct record {
  std::string name;
  std::vector<int> operands;  // positions in file::data
  block result;
};

inline std::size_t itemsize(const std::string& dtype) {
  for (int d = 0; d < gnp::dtype_count; ++d) {
    if (dtype == gnp::name(static_cast<gnp::dtype>(d))) return gnp::itemsize(static_cast<gnp::dtype>(d));
  }
  throw std::runtime_error("golden: unknown dtype " + dtype);
}

/// A file of records as make_ufuncs.py describes it.
struct file {
  std::vector<block> data;
  std::vector<record> records;

  explicit file(const std::string& path) {
    const std::string text = read_file(path);
    std::size_t position = 0;
    const auto take = [&](std::size_t size) {
      if (position + size + 1 > text.size() || text[position + size] != '\n') {
        throw std::runtime_error(path + ": broken at byte " + std::to_string(position));
      }
      position += size + 1;
      return text.substr(position - size - 1, size);
    };
    while (position < text.size()) {
      const auto words = split(take(text.find('\n', position) - position), " ");
      if (words.at(0) == "data") {
        if (words.at(1) != std::to_string(data.size())) throw std::runtime_error(path + ": data out of order");
        data.push_back({words.at(2), take(std::stoul(words.at(3)) * itemsize(words.at(2)))});
        continue;
      }
      record r{words.at(1), {}, {words.at(3), {}}};
      for (const std::string& id : split(words.at(2), ",")) r.operands.push_back(std::stoi(id));
      const block& first = data.at(static_cast<std::size_t>(r.operands.at(0)));
      r.result.bytes = take(first.bytes.size() / itemsize(first.dtype) * itemsize(r.result.dtype));
      records.push_back(r);
    }
  }

  const block& operand(const record& r, std::size_t i) const {
    return data.at(static_cast<std::size_t>(r.operands.at(i)));
  }

  /// Are these the types of the record's operands?
  template <class... T>
  bool takes(const record& r, types<T...>) const {
    std::size_t i = 0;
    return r.operands.size() == sizeof...(T) && ((operand(r, i++).dtype == gnp::name(gnp::dtype_of<T>)) && ...);
  }
};

// ------------------------------------------------------------------------------------------ comparing

/// How far a result may be from NumPy's. What NumPy's result is (NaN, infinite, zero) it must be too.
struct tolerance {
  int ulp = 0;            // float and double: units in the last place; complex: of the larger component
  bool zero_sign = true;  // does the sign of a zero count?
  bool loose_sign =
      false;  // complex: where an operand is NaN or all infinite, C leaves signs of zeros and infinities
  double least_scale = 0;  // complex: the error is relative to at least this
};
inline constexpr tolerance exact{};
/// maximum(0.0, -0.0) is either zero, in NumPy too.
inline constexpr tolerance any_zero{0, false};
/// One ulp for the 16-bit types.
constexpr tolerance ulps(int count) { return {count}; }
constexpr tolerance complex_ulps(int count, double least_scale = 0) { return {count, true, true, least_scale}; }

template <class T>
inline constexpr bool is_float_v = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                   std::is_same_v<T, gnp::half> || std::is_same_v<T, gnp::bfloat16>;
template <class T>
inline constexpr bool is_complex_v = std::is_same_v<T, gnp::complex64> || std::is_same_v<T, gnp::complex128>;

/// The bits without the sign, as a number: neighbours differ by 1.
template <class T>
std::uint64_t magnitude_bits(T value) {
  if constexpr (sizeof(T) == 2) {
    return std::bit_cast<std::uint16_t>(value) & 0x7fffU;
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(value) & 0x7fffffffU;
  } else {
    return std::bit_cast<std::uint64_t>(value) & 0x7fffffffffffffffU;
  }
}

template <class T>
bool sign_bit(T value) {
  return std::signbit(static_cast<double>(value));
}

/// How many representable values apart; 0 for the same value, +0 and -0 included. Not for NaN.
template <class T>
std::uint64_t ulp_distance(T a, T b) {
  const std::uint64_t x = magnitude_bits(a);
  const std::uint64_t y = magnitude_bits(b);
  if (sign_bit(a) != sign_bit(b)) return x + y;
  return x > y ? x - y : y - x;
}

template <class T>
bool close_float(T got, T expected, const tolerance& allowed) {
  const auto g = static_cast<double>(got);
  const auto e = static_cast<double>(expected);
  if (std::isnan(e) || std::isnan(g)) return std::isnan(e) && std::isnan(g);
  if (std::isinf(e) || std::isinf(g)) return e == g;
  if (allowed.zero_sign && (e == 0 || g == 0) && std::signbit(e) != std::signbit(g)) return false;
  const int ulp = sizeof(T) == 2 ? std::min(allowed.ulp, 1) : allowed.ulp;
  return ulp_distance(got, expected) <= static_cast<std::uint64_t>(ulp);
}

template <class R>
bool close_complex(std::complex<R> got, std::complex<R> expected, const tolerance& allowed, bool loose) {
  if (allowed.ulp == 0) {
    return close_float(got.real(), expected.real(), allowed) &&
           close_float(got.imag(), expected.imag(), allowed);
  }
  const auto finite_size = [](R part) { return std::isfinite(part) ? std::abs(part) : R(0); };
  const R scale = std::max(
      {finite_size(expected.real()), finite_size(expected.imag()), static_cast<R>(allowed.least_scale)});
  const R error = static_cast<R>(allowed.ulp) *
                  std::max(scale * std::numeric_limits<R>::epsilon(), std::numeric_limits<R>::denorm_min());
  const auto close = [&](R g, R e) {
    if (std::isnan(e) || std::isnan(g)) return std::isnan(e) && std::isnan(g);
    if (std::isinf(e) || std::isinf(g)) return g == e || (loose && g == -e);
    if (g == 0 && e == 0) return loose || std::signbit(g) == std::signbit(e);
    return std::abs(g - e) <= error;
  };
  return close(got.real(), expected.real()) && close(got.imag(), expected.imag());
}

/// Is this result NumPy's? `loose`: an operand was such that C leaves signs open.
template <class T>
bool close(T got, T expected, const tolerance& allowed, bool loose = false) {
  if constexpr (is_complex_v<T>) {
    return close_complex(got, expected, allowed, loose && allowed.loose_sign);
  } else if constexpr (is_float_v<T>) {
    return close_float(got, expected, allowed);
  } else {
    return got == expected;
  }
}

template <class T>
std::string describe(T value) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (is_complex_v<T>) {
    out << '(' << value.real() << ", " << value.imag() << ')';
  } else if constexpr (is_float_v<T>) {
    out << static_cast<double>(value);
  } else {
    out << +value;
  }
  return out.str();
}

/// The element of a block, to be read by people; calls f(value) with its type.
template <class F, class... T>
void visit(const block& b, std::size_t i, const F& f, types<T...>) {
  const auto try_type = [&]<class U>(U*) {
    if (b.dtype != gnp::name(gnp::dtype_of<U>)) return;
    U value;
    std::memcpy(static_cast<void*>(&value), b.bytes.data() + i * sizeof(U), sizeof(U));
    f(value);
  };
  (try_type(static_cast<T*>(nullptr)), ...);
}

inline std::string describe(const block& b, std::size_t i) {
  std::string text;
  visit(b, i, [&](auto value) { text = describe(value); }, all_types{});
  return text;
}

/// A complex operand with a NaN, or with both parts infinite.
inline bool leaves_signs_open(const block& b, std::size_t i) {
  bool open = false;
  visit(
      b, i,
      [&](auto z) {
        open = std::isnan(z.real()) || std::isnan(z.imag()) || (std::isinf(z.real()) && std::isinf(z.imag()));
      },
      complex_types{});
  return open;
}

/// Fails the test, with the first few differences, unless all values are NumPy's.
template <class T>
void check_values(const file& golden, const record& r, const gnp::host_array<T>& got,
                  const tolerance& allowed) {
  std::string title = r.name + "(";
  for (std::size_t i = 0; i < r.operands.size(); ++i) title += (i > 0 ? ", " : "") + golden.operand(r, i).dtype;
  title += ")";
  INFO(title);
  if (r.result.dtype != gnp::name(gnp::dtype_of<T>)) {
    FAIL_CHECK("the result is " << gnp::name(gnp::dtype_of<T>) << ", NumPy's is " << r.result.dtype);
    return;
  }
  const gnp::host_array<T> expected = r.result.values<T>();
  REQUIRE(got.shape() == expected.shape());
  std::string differences;
  int count = 0;
  for (gnp::index_t i = 0; i < got.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    bool loose = false;
    for (std::size_t k = 0; k < r.operands.size(); ++k)
      loose = loose || leaves_signs_open(golden.operand(r, k), at);
    if (close(got[i], expected[i], allowed, loose)) continue;
    if (++count > 6) continue;
    differences += "\n  " + r.name + "(";
    for (std::size_t k = 0; k < r.operands.size(); ++k) {
      differences += (k > 0 ? ", " : "") + describe(golden.operand(r, k), at);
    }
    differences += ") = " + describe(got[i]) + ", NumPy: " + describe(expected[i]);
    if constexpr (is_float_v<T>) {
      differences += " (" + std::to_string(ulp_distance(got[i], expected[i])) + " ulp)";
    }
  }
  if (count > 0)
    FAIL_CHECK(count << " of " << got.size() << " values differ:" << differences);
  else
    SUCCEED();
}

}  // namespace golden
