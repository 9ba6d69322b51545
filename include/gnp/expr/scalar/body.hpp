// SPDX-License-Identifier: MIT
// Numbers and functions as the body of a GNP_UFUNC sees them. A float parameter is a body_float. In operations
// with it, and with anything computed from it, C++'s own numbers are weak, as in a formula: 0.5 * x is float.
#pragma once

#include <gnp/expr/scalar/compare.hpp>
#include <gnp/expr/scalar/complex.hpp>
#include <gnp/expr/scalar/special.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Every number converts to a body_float, but a body_float converts to a number only explicitly, so that both
// sides of a ?: agree.
GNP_SCALAR(body_float, body,
  struct body_float;
  template <> inline constexpr bool is_integer_v<body_float> = false;
  template <class T> concept plain_number = is_float_v<T> || is_integer_v<T>;
  struct body_float {
    float value;
    body_float() = default;
    template <plain_number T> constexpr body_float(T x) : value(static_cast<float>(x)) {}
    template <plain_number T> explicit constexpr operator T() const { return static_cast<T>(value); }
    friend constexpr body_float operator+(body_float x, body_float y) { return x.value + y.value; }
    friend constexpr body_float operator-(body_float x, body_float y) { return x.value - y.value; }
    friend constexpr body_float operator*(body_float x, body_float y) { return x.value * y.value; }
    friend constexpr body_float operator/(body_float x, body_float y) { return x.value / y.value; }
    friend constexpr body_float operator+(body_float x) { return x; }
    friend constexpr body_float operator-(body_float x) { return -x.value; }
    friend constexpr bool operator==(body_float x, body_float y) { return x.value == y.value; }
    friend constexpr bool operator!=(body_float x, body_float y) { return x.value != y.value; }
    friend constexpr bool operator<(body_float x, body_float y) { return x.value < y.value; }
    friend constexpr bool operator<=(body_float x, body_float y) { return x.value <= y.value; }
    friend constexpr bool operator>(body_float x, body_float y) { return x.value > y.value; }
    friend constexpr bool operator>=(body_float x, body_float y) { return x.value >= y.value; }
    constexpr body_float& operator+=(body_float x) { value += x.value; return *this; }
    constexpr body_float& operator-=(body_float x) { value -= x.value; return *this; }
    constexpr body_float& operator*=(body_float x) { value *= x.value; return *this; }
    constexpr body_float& operator/=(body_float x) { value /= x.value; return *this; }
    constexpr body_float& operator++() { value += 1; return *this; }
    constexpr body_float& operator--() { value -= 1; return *this; }
    constexpr body_float operator++(int) { const body_float before = *this; value += 1; return before; }
    constexpr body_float operator--(int) { const body_float before = *this; value -= 1; return before; }
    template <plain_number T> friend constexpr T& operator+=(T& x, body_float y) { return x = static_cast<T>(x + y.value); }
    template <plain_number T> friend constexpr T& operator-=(T& x, body_float y) { return x = static_cast<T>(x - y.value); }
    template <plain_number T> friend constexpr T& operator*=(T& x, body_float y) { return x = static_cast<T>(x * y.value); }
    template <plain_number T> friend constexpr T& operator/=(T& x, body_float y) { return x = static_cast<T>(x / y.value); }
  };)

// Conversions into a body and out of it.
GNP_SCALAR(into_body, body,
  template <class T> constexpr auto into_body(T x) {
    if constexpr (same_type<T, float>) { return body_float(x); } else { return x; }
  })
GNP_SCALAR(out_of_body, body,
  template <class T> constexpr auto out_of_body(T x) {
    if constexpr (same_type<T, body_float>) { return x.value; } else { return x; }
  })

// The type that a function's arguments are converted to before the call: the complex one if there is one, float if
// one of them is a body_float, otherwise the common type of C++ if their types differ. void means that they stay as
// they are.
GNP_SCALAR(widest_complex, body,
  template <class X, class... Y> constexpr auto widest_complex(X x, Y... y) {
    if constexpr (sizeof...(Y) == 0) { return x; }
    else {
      auto other = widest_complex(y...);
      if constexpr (is_complex_v<decltype(other)> && (!is_complex_v<X> || sizeof(X) < sizeof(other))) { return other; }
      else { return x; }
    }
  })
GNP_SCALAR(common_argument, body,
  template <class X, class... Y> constexpr auto common_argument(X x, Y... y) {
    if constexpr ((is_complex_v<X> || ... || is_complex_v<Y>)) {
      if constexpr ((same_type<X, Y> && ...)) { return; } else { return widest_complex(x, y...); }
    }
    else if constexpr ((same_type<X, body_float> || ... || same_type<Y, body_float>)) { return 0.0f; }
    else if constexpr ((same_type<X, Y> && ...)) { return; }
    else { return decltype((x + ... + y))(); }
  })
GNP_SCALAR(argument_as, body,
  template <class F, class T> constexpr auto argument_as(T x) {
    if constexpr (same_type<F, void> || same_type<T, F>) { return x; }
    else if constexpr (is_complex_v<F>) {
      using part = typename F::value_type;
      if constexpr (is_complex_v<T>) { return F(static_cast<part>(x.real()), static_cast<part>(x.imag())); }
      else { return F(static_cast<part>(x)); }
    }
    else if constexpr (same_type<T, body_float>) { return x.value; }
    else { return static_cast<F>(x); }
  })
GNP_SCALAR(result_for, body,
  template <class... X, class T> constexpr auto result_for(T x) {
    if constexpr (same_type<T, float> && (same_type<X, body_float> || ...)) { return body_float(x); } else { return x; }
  })

// The functions of C++, or beside them, that a body may call; numpy_in_bodies.hpp has others.
#define GNP_FOR_EACH_BODY_FUNCTION(do) GNP_FOR_EACH_FUNCTION_OF_ONE_TYPE(do) do(where)
#define GNP_FOR_EACH_FUNCTION_OF_ONE_TYPE(do)                                                                     \
  do(abs) do(acos) do(acosh) do(asin) do(asinh) do(atan) do(atan2) do(atanh) do(cbrt) do(ceil) do(clip)          \
  do(conj) do(copysign) do(cos) do(cosh) do(erf) do(erfc) do(exp) do(exp2) do(expm1) do(fabs) do(floor)          \
  do(fmax) do(fmin) do(fmod) do(gcd) do(hypot) do(imag) do(isfinite) do(isinf) do(isnan) do(lcm) do(lgamma)      \
  do(log) do(log10) do(log1p) do(log2) do(max) do(maximum) do(min) do(minimum)                                    \
  do(pow) do(real) do(rint) do(sign) do(signbit) do(sin) do(sinh) do(sqrt) do(square) do(tan) do(tanh)           \
  do(tgamma) do(trunc)
// NumPy's other names: do(name, the function it means).
#define GNP_FOR_EACH_BODY_ALIAS(do)                                                                               \
  do(absolute, abs) do(arccos, acos) do(arccosh, acosh) do(arcsin, asin) do(arcsinh, asinh) do(arctan, atan)      \
  do(arctan2, atan2) do(arctanh, atanh) do(conjugate, conj) do(power, to_the_power)

// Objects, so that argument-dependent look-up does not find others, such as std's for complex numbers.
#define GNP_BODY_FUNCTION(name) GNP_BODY_ALIAS(name, name)
#define GNP_BODY_ALIAS(name, function)                                                                          \
  GNP_SCALAR(name, body, namespace body {                                                                       \
    struct name##_function {                                                                                    \
      template <class... X> constexpr auto operator()(X... x) const {                                           \
        return result_for<X...>((scalar::function)(argument_as<decltype(common_argument(x...))>(x)...));        \
      }                                                                                                         \
    };                                                                                                          \
    [[maybe_unused]] inline constexpr name##_function name{};                                                                  \
  })
GNP_FOR_EACH_FUNCTION_OF_ONE_TYPE(GNP_BODY_FUNCTION)
GNP_FOR_EACH_BODY_ALIAS(GNP_BODY_ALIAS)
#undef GNP_BODY_ALIAS
#undef GNP_BODY_FUNCTION

// The condition of where has no say in the type of its result.
GNP_SCALAR(where, body, namespace body {
    struct where_function {
      template <class C, class X, class Y> constexpr auto operator()(C condition, X x, Y y) const {
        using common = decltype(common_argument(x, y));
        return result_for<X, Y>(
            (scalar::where)(static_cast<bool>(condition), argument_as<common>(x), argument_as<common>(y)));
      }
    };
    [[maybe_unused]] inline constexpr where_function where{};
  })

// results(x, y): what a body with several results returns.
GNP_SCALAR(results_of, body,
  template <class... T> struct results_of {};
  template <class T, class... Rest> struct results_of<T, Rest...> { T first; results_of<Rest...> rest; };
  constexpr results_of<> make_results() { return {}; }
  template <class T, class... Rest> constexpr results_of<T, Rest...> make_results(T x, Rest... rest) {
    return {x, make_results(rest...)};
  }
  template <int Index, class T, class... Rest> constexpr auto part_of_results(const results_of<T, Rest...>& from) {
    if constexpr (Index == 0) { return from.first; } else { return part_of_results<Index - 1>(from.rest); }
  })
GNP_SCALAR(results, body, namespace body {
    struct results_function {
      template <class... X> constexpr auto operator()(X... x) const { return make_results(x...); }
    };
    [[maybe_unused]] inline constexpr results_function results{};
  })

// Operators for a complex number and a number of another type, which is also weak. (On the device, complex
// numbers behave like this anyway.)
namespace body {
#define GNP_BODY_OPERATOR(op)                                                                                  \
  template <real_floating T, plain_number U> requires(!same_type<T, U>)                                        \
  constexpr std::complex<T> operator op(const std::complex<T>& x, U y) { return x op static_cast<T>(y); }      \
  template <real_floating T, plain_number U> requires(!same_type<T, U>)                                        \
  constexpr std::complex<T> operator op(U x, const std::complex<T>& y) { return static_cast<T>(x) op y; }
GNP_BODY_OPERATOR(+)
GNP_BODY_OPERATOR(-)
GNP_BODY_OPERATOR(*)
GNP_BODY_OPERATOR(/)
#undef GNP_BODY_OPERATOR
template <real_floating T, plain_number U> requires(!same_type<T, U>)
constexpr bool operator==(const std::complex<T>& x, U y) { return x == static_cast<T>(y); }
}  // namespace body

// What `std` means in a body: the standard library, but with these functions in place of its own.
namespace body_std {
using namespace ::std;
#define GNP_BODY_FUNCTION(name) using body::name;
GNP_FOR_EACH_BODY_FUNCTION(GNP_BODY_FUNCTION)
#undef GNP_BODY_FUNCTION
}  // namespace body_std

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
