// SPDX-License-Identifier: MIT
// Printing as NumPy 2 prints: array2string is Python's str(a), array_repr is repr(a).
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/io/layout.hpp>
#include <iosfwd>

namespace gnp::inline GNP_ABI {

namespace detail::printing {

// Per thread, as NumPy's are per context: no lock, and no surprise from another thread.
inline print_options& current_print_options() {
  thread_local print_options options;
  return options;
}

}  // namespace detail::printing

/// The calling thread's print options, used where none are given.
inline print_options get_printoptions() { return detail::printing::current_print_options(); }

/// Changes the calling thread's print options.
inline void set_printoptions(const print_options& options) {
  detail::printing::check_print_options(options, "set_printoptions");
  detail::printing::current_print_options() = options;
}

/// What Python's print(a) shows: "[1. 2. 3.]". An array of rank 0 prints as the scalar, with all its digits.
template <element T>
std::string array2string(const host_array<T>& a, const print_options& options = get_printoptions()) {
  return detail::printing::array_printer(a.data(), dtype_of<T>, a.shape(), options).str();
}

template <element T>
std::string array_str(const host_array<T>& a, const print_options& options = get_printoptions()) {
  return array2string(a, options);
}

/// What Python's repr(a) shows: "array([1., 2., 3.], dtype=float32)".
template <element T>
std::string array_repr(const host_array<T>& a, const print_options& options = get_printoptions()) {
  return detail::printing::array_printer(a.data(), dtype_of<T>, a.shape(), options).repr();
}

template <element T>
std::ostream& operator<<(std::ostream& out, const host_array<T>& a) {
  return out << array2string(a);
}

/// "(3, 4)" and "float32".
template <std::same_as<shape_t> Shape>
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << to_string(shape);
}
template <std::same_as<dtype> Type>
std::ostream& operator<<(std::ostream& out, Type type) {
  return out << name(type);
}

/// Arrays and expressions print as what they hold: an expression is computed, an array brought to the host.
template <array_like X>
std::string array2string(const X& x, const print_options& options = get_printoptions()) {
  return array2string(asnumpy(x), options);
}
template <array_like X>
std::string array_str(const X& x, const print_options& options = get_printoptions()) {
  return array2string(asnumpy(x), options);
}
template <array_like X>
std::string array_repr(const X& x, const print_options& options = get_printoptions()) {
  return array_repr(asnumpy(x), options);
}
template <array_like X>
std::ostream& operator<<(std::ostream& out, const X& x) {
  return out << array2string(x);
}

}  // namespace gnp::inline GNP_ABI
