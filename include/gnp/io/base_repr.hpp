// SPDX-License-Identifier: MIT
// Whole numbers as text in other bases: base_repr, binary_repr.
#pragma once

#include <concepts>
#include <gnp/array/forward.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/error.hpp>
#include <gnp/core/number.hpp>
#include <string>
#ifdef GNP_READS_BODIES
#include <gnp/io/base_text.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {

/// base_repr: the base, and the number of leading zeros.
struct base_repr_options {
  by_name only = by_name();
  detail::any_integer base = 2;
  detail::any_integer padding = 0;
};
/// The same after a base by position.
struct padding_options {
  by_name only = by_name();
  detail::any_integer padding = 0;
};
/// binary_repr: how many bits are shown.
struct binary_repr_options {
  by_name only = by_name();
  detail::any_integer width = 0;
};

namespace detail {

/// An array with exactly one integer.
template <class X>
concept one_integer = array_like<X> && std::integral<typename X::value_type>;

template <std::integral T>
constexpr unsigned long long size_of_number(T number) {
  return number < T(0) ? 0ULL - static_cast<unsigned long long>(number)
                       : static_cast<unsigned long long>(number);
}

/// A number of this magnitude in a base, with `padding` zeros in front.
GNP_DECLARED std::string base_text(bool negative, unsigned long long size, int base, int padding);
/// The bits of a number of this magnitude; if a width is given, a negative number's two's complement.
GNP_DECLARED std::string binary_text(bool negative, unsigned long long size, int width);

}  // namespace detail

/// A number in a base of 2 to 36, with `padding` zeros in front; a negative one starts with a minus sign.
template <std::integral T>
std::string base_repr(T number, int base = 2, int padding = 0) {
  return detail::base_text(number < T(0), detail::size_of_number(number), base, padding);
}
template <detail::one_integer X>
std::string base_repr(const X& one, int base = 2, int padding = 0) {
  return base_repr(static_cast<typename X::value_type>(one), base, padding);
}
template <class X>
  requires(std::integral<X> || detail::one_integer<X>)
std::string base_repr(const X& number, const base_repr_options& options) {
  return base_repr(number, static_cast<int>(options.base), static_cast<int>(options.padding));
}
template <class X>
  requires(std::integral<X> || detail::one_integer<X>)
std::string base_repr(const X& number, int base, const padding_options& options) {
  return base_repr(number, base, static_cast<int>(options.padding));
}

/// A number's bits. A negative one starts with a minus sign or, if a width is given, is its two's complement.
template <std::integral T>
std::string binary_repr(T number, int width = 0) {
  return detail::binary_text(number < T(0), detail::size_of_number(number), width);
}
template <detail::one_integer X>
std::string binary_repr(const X& one, int width = 0) {
  return binary_repr(static_cast<typename X::value_type>(one), width);
}
template <class X>
  requires(std::integral<X> || detail::one_integer<X>)
std::string binary_repr(const X& number, const binary_repr_options& options) {
  return binary_repr(number, static_cast<int>(options.width));
}

}}  // namespace gnp::GNP_ABI
