// SPDX-License-Identifier: MIT
// The order of elements as unsigned keys: x comes before y if the key of x is less. NaNs come last, in
// ascending and in descending order. -0.0 and 0.0 have the same key, and so do all NaNs. Elements are passed as
// their bits.
//
// Complex numbers are ordered as in NumPy: by their real parts, then by the imaginary ones. After them come
// those with one NaN, ordered by the part that is a number: first those whose imaginary part is NaN, then those
// whose real part is. Those with two NaNs come last.
#pragma once

#include <gnp/expr/scalar/text.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace scalar {

// clang-format off

GNP_SCALAR(unsigned_order, base,
  template <class U> struct unsigned_order {
    using bits = U;
    using key = U;
    using part = U;
    static constexpr key of(bits x, part flip) { return static_cast<U>(x ^ flip); }
  };)

GNP_SCALAR(signed_order, base,
  template <class U> struct signed_order {
    using bits = U;
    using key = U;
    using part = U;
    static constexpr U top_bit = static_cast<U>(U(1) << (sizeof(U) * 8 - 1));
    static constexpr key of(bits x, part flip) { return static_cast<U>(x ^ top_bit ^ flip); }
  };)

GNP_SCALAR(floating_order, base,
  template <class U, U infinite> struct floating_order {
    using bits = U;
    using key = U;
    using part = U;
    static constexpr U top_bit = static_cast<U>(U(1) << (sizeof(U) * 8 - 1));
    static constexpr U none_later = static_cast<U>(~U(0));
    static constexpr key of(bits x, part flip) {
      const U magnitude = static_cast<U>(x & static_cast<U>(~top_bit));
      const U below_zero = static_cast<U>(U(0) - static_cast<U>(x >> (sizeof(U) * 8 - 1)));  // all ones or none
      const U upwards = static_cast<U>(x ^ (below_zero | top_bit));
      const U number = static_cast<U>((magnitude == 0 ? top_bit : upwards) ^ flip);
      return magnitude > infinite ? none_later : number;
    }
  };)

GNP_SCALAR(wide_key, base,
  struct wide_key {
    unsigned long long high;
    unsigned long long low;
    friend constexpr bool operator<(const wide_key& a, const wide_key& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }
    friend constexpr bool operator==(const wide_key& a, const wide_key& b) { return a.high == b.high && a.low == b.low; }
  };
  struct alignas(16) wide_bits { unsigned long long re; unsigned long long im; };)

GNP_SCALAR(complex64_order, base,
  struct complex64_order {
    using bits = unsigned long long;
    using key = unsigned long long;
    using part = unsigned;
    using floats = floating_order<unsigned, 0x7f800000u>;
    static constexpr key of(bits x, part flip) {
      const unsigned re = floats::of(static_cast<unsigned>(x), flip);
      const unsigned im = floats::of(static_cast<unsigned>(x >> 32), flip);
      const unsigned high = re != floats::none_later ? (im != floats::none_later ? re : floats::none_later - 2) : (im != floats::none_later ? floats::none_later - 1 : floats::none_later);
      const unsigned low = im != floats::none_later ? im : re;
      return static_cast<key>(high) << 32 | low;
    }
  };)

GNP_SCALAR(complex128_order, base,
  struct complex128_order {
    using bits = wide_bits;
    using key = wide_key;
    using part = unsigned long long;
    using floats = floating_order<unsigned long long, 0x7ff0000000000000ull>;
    static constexpr key of(const bits& x, part flip) {
      const part re = floats::of(x.re, flip);
      const part im = floats::of(x.im, flip);
      const part high = re != floats::none_later ? (im != floats::none_later ? re : floats::none_later - 2) : (im != floats::none_later ? floats::none_later - 1 : floats::none_later);
      return key{high, im != floats::none_later ? im : re};
    }
  };)

// Byte number `byte` of a key, counted from the lowest.
GNP_SCALAR(key_byte, base,
  template <class Key> constexpr unsigned key_byte(Key key, int byte) { return static_cast<unsigned>(key >> (8 * byte)) & 255u; }
  constexpr unsigned key_byte(const wide_key& key, int byte) { return key_byte(byte < 8 ? key.low : key.high, byte & 7); })

// clang-format on

}  // namespace scalar

namespace detail {

/// The order's name in kernels.
constexpr const char* order_name(dtype d) {
  constexpr const char* names[dtype_count] = {"unsigned_order<unsigned char>",
                                              "signed_order<unsigned char>",
                                              "signed_order<unsigned short>",
                                              "signed_order<unsigned>",
                                              "signed_order<unsigned long long>",
                                              "unsigned_order<unsigned char>",
                                              "unsigned_order<unsigned short>",
                                              "unsigned_order<unsigned>",
                                              "unsigned_order<unsigned long long>",
                                              "floating_order<unsigned short, 0x7c00>",
                                              "floating_order<unsigned short, 0x7f80>",
                                              "floating_order<unsigned, 0x7f800000u>",
                                              "floating_order<unsigned long long, 0x7ff0000000000000ull>",
                                              "complex64_order",
                                              "complex128_order"};
  return names[static_cast<int>(d)];
}

template <std::size_t Size>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> {
  using type = unsigned char;
};
template <>
struct unsigned_of_size<2> {
  using type = unsigned short;
};
template <>
struct unsigned_of_size<4> {
  using type = unsigned;
};
template <>
struct unsigned_of_size<8> {
  using type = unsigned long long;
};

template <dtype D>
constexpr auto make_order() {
  if constexpr (D == dtype::complex64) {
    return scalar::complex64_order{};
  } else if constexpr (D == dtype::complex128) {
    return scalar::complex128_order{};
  } else {
    using U = typename unsigned_of_size<itemsize(D)>::type;
    if constexpr (is_floating(D)) {
      constexpr unsigned long long infinity = D == dtype::float16    ? 0x7c00
                                              : D == dtype::bfloat16 ? 0x7f80
                                              : D == dtype::float32  ? 0x7f800000
                                                                     : 0x7ff0000000000000;
      return scalar::floating_order<U, static_cast<U>(infinity)>{};
    } else if constexpr (is_signed_integer(D)) {
      return scalar::signed_order<U>{};
    } else {
      return scalar::unsigned_order<U>{};
    }
  }
}

/// The order of elements of type T: the one that order_name(dtype_of<T>) names.
template <class T>
using sort_order = decltype(make_order<dtype_of<T>>());

/// The key of an element; `flip` is 0 for ascending and all ones for descending order.
template <class T>
constexpr auto sort_key(const T& x, typename sort_order<T>::part flip = 0) {
  return sort_order<T>::of(std::bit_cast<typename sort_order<T>::bits>(x), flip);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
