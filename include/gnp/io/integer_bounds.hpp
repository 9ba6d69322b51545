// SPDX-License-Identifier: MIT
// Which numbers an integer type can hold.
#pragma once

#include <cmath>
#include <gnp/core/dtype.hpp>
#include <type_traits>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does an integer type hold a real number without its fraction? (None holds NaN.)
GNP_INLINE bool holds_whole_part(dtype type, double value) {
  const double whole = std::trunc(value);
  const int bits = 8 * static_cast<int>(itemsize(type));
  const bool has_sign = is_signed_integer(type);
  return whole >= (has_sign ? -std::ldexp(1.0, bits - 1) : 0.0) &&
         whole < std::ldexp(1.0, has_sign ? bits - 1 : bits);
}

/// Can the elements' type hold the number? Only integer types may be too narrow.
template <element T, element From>
bool holds_number(From value) {
  if constexpr (!is_integer(dtype_of<T>)) {
    return true;
  } else if constexpr (is_integer(dtype_of<From>)) {
    return std::in_range<type_of<dtype_of<T>>>(value);
  } else if constexpr (is_complex(dtype_of<From>)) {
    return holds_whole_part(dtype_of<T>, static_cast<double>(value.real()));
  } else {
    return holds_whole_part(dtype_of<T>, static_cast<double>(value));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
