// SPDX-License-Identifier: MIT
// NumPy 2's type promotion: of arrays, and of arrays with weak scalars.
#pragma once

#include <gnp/core/dtype.hpp>

namespace gnp { inline namespace GNP_ABI {

/// The result type of an operation on arrays of these two types (numpy.promote_types).
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (a > b) return promote(b, a);  // from here on a comes before b in the enumeration
  if (a == dtype::bool_) return b;

  if (is_complex(b)) {
    const bool wide =
        b == dtype::complex128 || (is_integer(a) ? itemsize(a) > 2 : itemsize(a) > 4 && !is_complex(a));
    return wide ? dtype::complex128 : dtype::complex64;
  }
  if (is_floating(b)) {
    if (is_floating(a)) return b == dtype::bfloat16 ? dtype::float32 : b;  // float16 with bfloat16
    // An integer needs a float with more digits than it has bits, up to float64.
    if (itemsize(a) == 1) return b;
    if (itemsize(a) == 2) return itemsize(b) > 4 ? b : dtype::float32;
    return dtype::float64;
  }
  // Both are integers; the unsigned ones come last.
  if (is_signed_integer(a) == is_signed_integer(b)) return b;
  if (itemsize(a) > itemsize(b)) return a;
  if (itemsize(b) == 8) return dtype::float64;
  return itemsize(b) == 1 ? dtype::int16 : itemsize(b) == 2 ? dtype::int32 : dtype::int64;
}

namespace detail {

/// bool < integer < float < complex: what a weak scalar has instead of a size.
constexpr int kind_of(dtype d) { return d == dtype::bool_ ? 0 : is_integer(d) ? 1 : is_floating(d) ? 2 : 3; }

/// The dtype of an array of `array_type` with a weak scalar of `scalar_type`'s kind (NEP 50).
constexpr dtype promote_weak(dtype array_type, dtype scalar_type) {
  const int scalar_kind = kind_of(scalar_type);
  if (scalar_kind <= kind_of(array_type)) return array_type;
  if (scalar_kind == 1) return dtype::int64;
  if (scalar_kind == 2) return dtype::float64;
  const bool single = is_floating(array_type) && array_type != dtype::float64;
  return single ? dtype::complex64 : dtype::complex128;
}

/// May a value be stored without losing its kind? (numpy.can_cast(from, to, "same_kind"))
constexpr bool same_kind_cast(dtype from, dtype to) {
  if (is_unsigned_integer(to)) return from == dtype::bool_ || is_unsigned_integer(from);
  return kind_of(from) <= kind_of(to);
}

/// The type of a complex type's real part; other types are returned as they are.
constexpr dtype real_part_of(dtype d) {
  return d == dtype::complex64 ? dtype::float32 : d == dtype::complex128 ? dtype::float64 : d;
}

/// The floating type in which NumPy's float ufuncs take a type: for integers the smallest one that holds 8
/// bits, 16 bits or more.
constexpr dtype float_holding(dtype d) {
  if (is_floating(d) || is_complex(d)) return d;
  return itemsize(d) == 1 ? dtype::float16 : itemsize(d) == 2 ? dtype::float32 : dtype::float64;
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
