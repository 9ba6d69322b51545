// SPDX-License-Identifier: MIT
// frexp, modf and divmod, each of which returns two expressions; spacing and bitwise_count; and queries about
// the kind of numbers that an array holds.
#pragma once

#include <cstdint>
#include <gnp/cpu/exponents.hpp>
#include <gnp/exec/elementwise/cpu_operations.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/expr/scalar/parts.hpp>
#include <gnp/routines/manipulation.hpp>
#include <limits>
#include <tuple>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

GNP_NUMPY_OPERATION(frexp_mantissa, (x), real_floating, mantissa_of(x))
GNP_NUMPY_OPERATION(frexp_exponent, (x), binary_exponent, exponent_of(x))
GNP_NUMPY_OPERATION(modf_fraction, (x), real_floating, fraction_of(x))
GNP_NUMPY_OPERATION(modf_integer, (x), real_floating, trunc(x))
GNP_NUMPY_UFUNC(spacing, (x), neighbour, distance_to_next(x));
GNP_NUMPY_UFUNC(bitwise_count, (x), bit_count, count_bits(x));
GNP_NUMPY_UFUNC(i0, (x), bessel, bessel_i0(x));

namespace detail {

// On the CPU without branches, so that loops vectorise: what is no number, and zero, need no case of their own.
template <>
struct on_cpu<operations::frexp_mantissa_ufunc> {
  template <class T>
  static constexpr T apply(T x) {
    int exponent = 0;
    return mantissa_and_exponent(x, &exponent);
  }
};
template <>
struct on_cpu<operations::frexp_exponent_ufunc> {
  template <class T>
  static constexpr int apply(T x) {
    int exponent = 0;
    mantissa_and_exponent(x, &exponent);
    return exponent;
  }
};
template <>
struct on_cpu<operations::spacing_ufunc> {
  template <class T>
  static constexpr T apply(T x) {
    if constexpr (scalar::is_float_v<T>) {
      constexpr T infinity = std::numeric_limits<T>::infinity();
      return next_number(x, x < T(0) ? -infinity : infinity) - x;
    } else {
      return scalar::distance_to_next(x);
    }
  }
};
template <>
struct on_cpu<operations::bitwise_count_ufunc> {
  template <class T>
  static constexpr unsigned char apply(T x) {
    if constexpr (sizeof(T) <= 2) {
      // The same sums, in numbers as wide as T.
      using U = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
      auto n = static_cast<U>(scalar::magnitude(x));
      n = static_cast<U>(n - ((n >> 1) & 0x5555));
      n = static_cast<U>((n & 0x3333) + ((n >> 2) & 0x3333));
      n = static_cast<U>((n + (n >> 4)) & 0x0f0f);
      return static_cast<unsigned char>(sizeof(T) == 1 ? n : (n + (n >> 8)) & 0x1f);
    } else {
      return scalar::count_bits(x);
    }
  }
};

/// The operand of two expressions: a product among the operands is computed only once for both.
template <class X>
decltype(auto) computed_once(const X& x) {
  if constexpr (runs_first_v<X>) {
    return x.eval();
  } else {
    return (x);
  }
}

}  // namespace detail

// Each result is a std::tuple of two expressions, which also have names: std::tie(q, r) = divmod(x, 3) stores
// both.

/// auto [mantissa, exponent] = frexp(x);
template <class Mantissa, class Exponent>
struct frexp_result : std::tuple<Mantissa, Exponent> {
  frexp_result(const Mantissa& first, const Exponent& second)
      : std::tuple<Mantissa, Exponent>(first, second), mantissa(first), exponent(second) {}

  Mantissa mantissa;
  Exponent exponent;
};
/// auto [fractional, integral] = modf(x);
template <class Fractional, class Integral>
struct modf_result : std::tuple<Fractional, Integral> {
  modf_result(const Fractional& first, const Integral& second)
      : std::tuple<Fractional, Integral>(first, second), fractional(first), integral(second) {}

  Fractional fractional;
  Integral integral;
};
/// auto [quotient, remainder] = divmod(x, y);
template <class Quotient, class Remainder>
struct divmod_result : std::tuple<Quotient, Remainder> {
  divmod_result(const Quotient& first, const Remainder& second)
      : std::tuple<Quotient, Remainder>(first, second), quotient(first), remainder(second) {}

  Quotient quotient;
  Remainder remainder;
};

/// x = mantissa * 2^exponent with 0.5 <= |mantissa| < 1, as two expressions.
template <array_like X>
auto frexp(const X& x) {
  const auto& operand = detail::computed_once(x);
  return frexp_result{ufunc<operations::frexp_mantissa_ufunc>()(operand),
                      ufunc<operations::frexp_exponent_ufunc>()(operand)};
}
/// The fractional and the integral part, both with the sign of x, as two expressions.
template <array_like X>
auto modf(const X& x) {
  const auto& operand = detail::computed_once(x);
  return modf_result{ufunc<operations::modf_fraction_ufunc>()(operand),
                     ufunc<operations::modf_integer_ufunc>()(operand)};
}
/// floor_divide(x, y) and remainder(x, y), as two expressions.
template <class X, class Y>
  requires(array_like<X> || array_like<Y>)
auto divmod(const X& x, const Y& y) {
  if constexpr (array_like<X> && array_like<Y>) detail::broadcast("divmod", x.shape(), y.shape());
  const auto& a = detail::computed_once(x);
  const auto& b = detail::computed_once(y);
  return divmod_result{floor_divide(a, b), remainder(a, b)};
}

/// Whether each element's imaginary part is zero, as an expression, which is true everywhere for real numbers.
template <array_like X>
auto isreal(const X& x) {
  return equal(imag(x), scalar::cast<typename decltype(imag(x))::value_type>(0));
}
template <array_like X>
auto iscomplex(const X& x) {
  return not_equal(imag(x), scalar::cast<typename decltype(imag(x))::value_type>(0));
}
/// Does the type of the elements have an imaginary part?
template <array_like X>
constexpr bool iscomplexobj(const X&) {
  return is_complex(dtype_of<typename X::value_type>);
}
template <array_like X>
constexpr bool isrealobj(const X&) {
  return !is_complex(dtype_of<typename X::value_type>);
}
/// Is it a C++ number, and not an array with one element?
template <class X>
constexpr bool isscalar(const X&) {
  return scalar_like<X>;
}
/// Is the array in column-major order, and not in row-major order as well?
template <element T>
bool isfortran(const array<T>& a) {
  return !a.is_contiguous() && a.T().is_contiguous();
}

}}  // namespace gnp::GNP_ABI

// Structured bindings of these results take the tuple's parts.
#define GNP_RESULT_IS_A_PAIR(result)                                                                  \
  template <class First, class Second>                                                                \
  struct std::tuple_size<gnp::result<First, Second>> : std::tuple_size<std::tuple<First, Second>> {}; \
  template <std::size_t Index, class First, class Second>                                             \
  struct std::tuple_element<Index, gnp::result<First, Second>>                                        \
      : std::tuple_element<Index, std::tuple<First, Second>> {};
GNP_RESULT_IS_A_PAIR(frexp_result)
GNP_RESULT_IS_A_PAIR(modf_result)
GNP_RESULT_IS_A_PAIR(divmod_result)
#undef GNP_RESULT_IS_A_PAIR
