// SPDX-License-Identifier: MIT
// A number of any kind, as an option: {.initial = 5}. 64-bit integers keep all their bits.
#pragma once

#include <cmath>
#include <gnp/core/none.hpp>
#include <gnp/core/shape.hpp>
#include <limits>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

class number;

namespace detail {

/// Throws if an integer does not fit the elements' type (NumPy 2's rule).
template <element To, element From>
constexpr void require_fit(From value, const char* function) {
  if constexpr (is_integer(dtype_of<To>) && is_integer(dtype_of<From>)) {
    if (!std::in_range<type_of<dtype_of<To>>>(static_cast<type_of<dtype_of<From>>>(value))) {
      throw dtype_error(std::string(function) + ": the integer " + std::to_string(value) +
                        " is out of bounds for " + name(dtype_of<To>));
    }
  }
}

/// The same for a conversion that drops the fraction: the whole part of a floating-point number must fit.
template <element To, element From>
void require_whole_part_fits(From value, const char* function) {
  if constexpr (is_floating(dtype_of<From>)) {
    constexpr int bits = std::numeric_limits<type_of<dtype_of<To>>>::digits;
    const double whole = std::trunc(static_cast<double>(value));
    const double end = std::ldexp(1.0, bits);
    const bool fits = whole < end && whole >= (is_signed_integer(dtype_of<To>) ? -end : 0.0);
    if (!fits) {  // NaN does not
      throw dtype_error(std::string(function) + ": the number " + shown(static_cast<double>(value)) +
                        " is out of bounds for " + name(dtype_of<To>));
    }
  } else {
    require_fit<To>(value, function);
  }
}

/// The same for an option and elements of an integer type.
GNP_DECLARED void require_whole_part_fits(const gnp::number& value, dtype type, const char* function);

/// A real number as an option, of any type, or an array that holds one. (A member of type double would not
/// accept an integer variable in braces, because that is a narrowing conversion.)
class any_real {
 public:
  template <plain_number Number>
  constexpr any_real(Number value) : value_(static_cast<double>(value)) {}
  template <array_of_numbers X>
  any_real(const X& one) : value_(static_cast<double>(static_cast<typename X::value_type>(one))) {}
  constexpr operator double() const { return value_; }

 private:
  double value_;
};

}  // namespace detail

/// A number, or none if the option is left out.
class number {
 public:
  constexpr number() = default;
  constexpr number(none_t) {}
  template <element T>
  constexpr number(T value) : kind_(kind_of<T>()) {
    if constexpr (kind_of<T>() == kind::complex) {
      real_ = static_cast<double>(value.real());
      imag_ = static_cast<double>(value.imag());
    } else if constexpr (kind_of<T>() == kind::real) {
      real_ = static_cast<double>(value);
    } else {
      integer_ = static_cast<std::uint64_t>(value);
    }
  }
  /// The only element of an array.
  template <detail::array_of_numbers X>
  number(const X& one) : number(static_cast<typename X::value_type>(one)) {}

  constexpr bool given() const { return kind_ != kind::absent; }

  /// Calls f with the number in the widest type of its kind.
  template <class F>
  auto visit(const F& f) const {
    if (kind_ == kind::complex) return f(complex128(real_, imag_));
    if (kind_ == kind::real) return f(real_);
    if (kind_ == kind::natural) return f(integer_);
    return f(static_cast<std::int64_t>(integer_));
  }

 private:
  enum class kind : std::uint8_t { absent, integer, natural, real, complex };
  template <class T>
  static constexpr kind kind_of() {
    if (is_complex(dtype_of<T>)) return kind::complex;
    if (is_floating(dtype_of<T>)) return kind::real;
    return is_unsigned_integer(dtype_of<T>) ? kind::natural : kind::integer;
  }

  kind kind_ = kind::absent;
  std::uint64_t integer_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void require_whole_part_fits(const gnp::number& value, dtype type, const char* function) {
  const int bits = 8 * static_cast<int>(itemsize(type)) - (is_signed_integer(type) ? 1 : 0);
  const double end = std::ldexp(1.0, bits);
  const double begin = is_signed_integer(type) ? -end : 0.0;
  value.visit([&](auto given) {
    using T = decltype(given);
    if constexpr (is_floating(dtype_of<T>)) {
      const double whole = std::trunc(given);
      if (whole < end && whole >= begin) return;  // NaN does not
      throw dtype_error(std::string(function) + ": the number " + shown(given) + " is out of bounds for " +
                        name(type));
    } else if constexpr (is_integer(dtype_of<T>)) {
      const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
      const auto least = is_signed_integer(type) ? -static_cast<std::int64_t>(most) - 1 : std::int64_t{0};
      if (std::cmp_less_equal(given, most) && std::cmp_greater_equal(given, least)) return;
      throw dtype_error(std::string(function) + ": the integer " + std::to_string(given) +
                        " is out of bounds for " + name(type));
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
