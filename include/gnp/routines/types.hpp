// SPDX-License-Identifier: MIT
// NumPy's queries about element types: promote_types, result_type, common_type, can_cast, min_scalar_type,
// isdtype, issubdtype.
#pragma once

#include <complex>
#include <gnp/array/forward.hpp>
#include <gnp/core/error.hpp>
#include <gnp/expr/expression.hpp>
#include <string>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

/// What a conversion may lose: nothing, not even the type (no, equiv); nothing of a value (safe); size, but not
/// the kind (same_kind); or anything (unsafe).
enum class casting { no, equiv, safe, same_kind, unsafe };

namespace detail {

constexpr operand_type type_operand(dtype type) { return {type, false}; }
template <class X>
  requires(array_like<X> || scalar_like<X>)
constexpr operand_type type_operand(const X&) {
  return operand_type_of<X>();
}

/// A plain number has NumPy's default type for its kind.
constexpr dtype type_of_kind(int kind) {
  return kind == 0 ? dtype::bool_ : kind == 1 ? dtype::int64 : kind == 2 ? dtype::float64 : dtype::complex128;
}

template <std::size_t Count>
constexpr dtype type_of_result(const operand_types<Count>& operands) {
  int kind = 0;
  for (const operand_type& o : operands) {
    if (!o.weak) return common_type(operands);
    kind = kind_of(o.type) > kind ? kind_of(o.type) : kind;
  }
  return type_of_kind(kind);
}

}  // namespace detail

/// The result type of an operation on arrays of these two types.
constexpr dtype promote_types(dtype a, dtype b) { return promote(a, b); }

/// The type in which a ufunc would compute with these arrays, types and numbers; numbers are weak.
template <class... X>
  requires(sizeof...(X) > 0)
constexpr dtype result_type(const X&... x) {
  return detail::type_of_result(detail::operand_types<sizeof...(X)>{detail::type_operand(x)...});
}

/// The floating or complex type that holds the elements of all arrays; integers count as float64.
template <array_like... X>
  requires(sizeof...(X) > 0)
constexpr dtype common_type(const X&...) {
  constexpr bool numbers = (!std::is_same_v<typename X::value_type, bool> && ...);
  static_assert(numbers, "gnp: common_type takes arrays of numbers, and bool is none");
  dtype common = dtype::float16;
  bool first = true;
  const auto take = [&](dtype type) {
    const dtype held = is_integer(type) ? dtype::float64 : type;
    common = first ? held : promote(common, held);
    first = false;
  };
  (take(dtype_of<typename X::value_type>), ...);
  return common;
}

/// May values of one type be converted to another under this rule?
constexpr bool can_cast(dtype from, dtype to, casting rule = casting::safe) {
  const bool safe = promote(from, to) == to;
  switch (rule) {
    case casting::no:
    case casting::equiv:
      return from == to;
    case casting::safe:
      return safe;
    case casting::same_kind:
      return safe || detail::same_kind_cast(from, to);
    case casting::unsafe:
      break;
  }
  return true;
}

/// The smallest type that can hold this number. For a floating-point number only its range counts, not its
/// digits.
template <scalar_like T>
constexpr dtype min_scalar_type(T value) {
  constexpr double most_half = 65000, most_float = 3.4e38;  // NumPy's
  const auto is_within = [](double x, double most) { return x > -most && x < most; };
  if constexpr (std::is_same_v<T, bool>) {
    return dtype::bool_;
  } else if constexpr (std::is_integral_v<T>) {
    const bool negative = value < T(0);
    const auto bits = static_cast<unsigned long long>(negative ? static_cast<T>(-(value + T(1))) : value);
    const int wide = bits >> 32 != 0 ? 3 : bits >> 16 != 0 ? 2 : bits >> 8 != 0 ? 1 : 0;
    if (!negative)
      return wide == 0 ? dtype::uint8 : wide == 1 ? dtype::uint16 : wide == 2 ? dtype::uint32 : dtype::uint64;
    return bits >> 31 != 0   ? dtype::int64
           : bits >> 15 != 0 ? dtype::int32
           : bits >> 7 != 0  ? dtype::int16
                             : dtype::int8;
  } else if constexpr (detail::is_complex_v<T>) {
    const bool fits = is_within(static_cast<double>(value.real()), most_float) &&
                      is_within(static_cast<double>(value.imag()), most_float);
    return fits ? dtype::complex64 : dtype::complex128;
  } else {
    const auto x = static_cast<double>(value);
    if (x - x != 0 || is_within(x, most_half)) return dtype::float16;  // including infinities and NaN
    return is_within(x, most_float) ? dtype::float32 : dtype::float64;
  }
}

/// Does a type belong to this kind, named as in the Array API standard: "bool", "signed integer", "unsigned
/// integer", "integral", "real floating", "complex floating", "numeric"? Or is it exactly this type?
constexpr bool isdtype(dtype type, std::string_view kind) {
  if (kind == "bool") return type == dtype::bool_;
  if (kind == "signed integer") return is_signed_integer(type);
  if (kind == "unsigned integer") return is_unsigned_integer(type);
  if (kind == "integral") return is_integer(type);
  if (kind == "real floating") return is_floating(type);
  if (kind == "complex floating") return is_complex(type);
  if (kind == "numeric") return type != dtype::bool_;
  throw error("isdtype: there is no kind of types named '" + std::string(kind) +
              "': they are 'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', 'complex "
              "floating' and 'numeric'");
}
constexpr bool isdtype(dtype type, dtype other) { return type == other; }

/// Does a type belong to this class of NumPy's: "generic", "number", "integer", "signedinteger",
/// "unsignedinteger", "inexact", "floating", "complexfloating"? Or is it exactly this type?
constexpr bool issubdtype(dtype type, std::string_view above) {
  if (above == "generic") return true;
  if (above == "number") return type != dtype::bool_;
  if (above == "integer") return is_integer(type);
  if (above == "signedinteger") return is_signed_integer(type);
  if (above == "unsignedinteger") return is_unsigned_integer(type);
  if (above == "inexact") return is_floating(type) || is_complex(type);
  if (above == "floating") return is_floating(type);
  if (above == "complexfloating") return is_complex(type);
  throw error("issubdtype: there is no class of types named " + std::string(above));
}
constexpr bool issubdtype(dtype type, dtype other) { return type == other; }

}}  // namespace gnp::GNP_ABI
