// SPDX-License-Identifier: MIT
// Calls with too few or too many arguments, and options by position: one sentence as the compiler's message, in
// place of a list of all forms that the function has. Each of these overloads takes a number of arguments that
// no other form takes, or a number where the others take options. So it is never the better one in a call that
// is right, and the compiler puts it aside at once, before it looks at any type.
#pragma once

#include <gnp/core/axes.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What C++ takes by position in NumPy's calls: a number, a flag, or a word.
template <class X>
inline constexpr bool is_flag_v = std::is_arithmetic_v<X> || std::is_convertible_v<const X&, const char*>;

GNP_REFUSED_OPTION(no_out_of_product,
                   "a result goes into an array by assignment: write y(gnp::ellipsis) = gnp::matmul(a, b)")
struct product_call_options {
  by_name only = by_name();
  no_out_of_product out = {};
};

GNP_MISNAMED_OPTION(axis_is_singular, "the option is named .axis, also for several: write {.axis = {0, 1}}")
struct options_of_axes {
  by_name only = by_name();
  axis_is_singular axes;
  bool keepdims = false;
};
GNP_MISNAMED_OPTION(no_ddof, "only var, std and their like take .ddof")
struct options_of_ddof {
  by_name only = by_name();
  axes_t axis = none;
  no_ddof ddof;
  bool keepdims = false;
};

}}}  // namespace gnp::GNP_ABI::detail

/// function(x) alone is not enough; the example says what is ...
#define GNP_NEEDS_TWO(function, example)                                                \
  template <array_like X>                                                               \
  array<typename X::value_type>(function)(const X&) {                                   \
    static_assert(!array_like<X>, "gnp: " #function " takes more arguments: " example); \
    return {};                                                                          \
  }

/// ... and function(x, y) is not enough, either.
#define GNP_NEEDS_THREE(function, example)                                              \
  template <array_like X, class Y>                                                      \
  array<typename X::value_type>(function)(const X&, const Y&) {                         \
    static_assert(!array_like<X>, "gnp: " #function " takes more arguments: " example); \
    return {};                                                                          \
  }

/// A function of two arrays: one is not enough, three are too many, and no option names where the result goes.
#define GNP_TAKES_TWO_ARRAYS(function)                                                                \
  template <array_like A, array_like B>                                                               \
  auto(function)(const A& a, const B& b, const detail::product_call_options&) {                       \
    return (function)(a, b);                                                                          \
  }                                                                                                   \
  GNP_NEEDS_TWO(function, "gnp::" #function "(a, b)")                                                 \
  template <array_like A, class B, class C, class... More>                                            \
  array<typename A::value_type>(function)(const A&, const B&, const C&, const More&...) {             \
    static_assert(!array_like<A>,                                                                     \
                  "gnp: " #function                                                                   \
                  " takes two arrays: a result goes into an array by assignment, y(gnp::ellipsis) = " \
                  "gnp::" #function "(a, b)");                                                        \
    return {};                                                                                        \
  }

/// A flag after the axis, or in its place where `axis` is empty.
#define GNP_REFUSES_FLAGS(function, axis, example)                                            \
  template <class... Type, array_like X, class Flag, class... More>                           \
    requires(detail::is_flag_v<Flag>)                                                         \
  array<typename X::value_type>(function)(const X&, GNP_WITHOUT_PARENTHESES axis const Flag&, \
                                          const More&...) {                                   \
    static_assert(!array_like<X>, "gnp: options have names, as in " example);                 \
    return {};                                                                                \
  }

/// A method by position, where NumPy has the axis.
#define GNP_REFUSES_METHODS(function)                                                             \
  template <array_like X, class Q = double, std::convertible_to<std::string_view> Method>         \
  array<double>(function)(const X&, const Q&, const Method&) {                                    \
    static_assert(!array_like<X>,                                                                 \
                  "gnp: the method has a name: gnp::" #function "(x, q, {.method = \"hazen\"})"); \
    return {};                                                                                    \
  }

/// Names that are wrong, and options in two pairs of braces.
#define GNP_REFUSES_WRONG_OPTIONS(function, options_type)                                          \
  template <class... Type, array_like X>                                                           \
  array<typename X::value_type>(function)(const X&, const detail::options_of_axes&) {              \
    return {};                                                                                     \
  }                                                                                                \
  template <class... Type, array_like X>                                                           \
  array<typename X::value_type>(function)(const X&, const options_type&, const options_type&) {    \
    static_assert(!array_like<X>,                                                                  \
                  "gnp: all options are in the same braces: gnp::std(x, {.axis = 0, .ddof = 1})"); \
    return {};                                                                                     \
  }
#define GNP_REFUSES_DDOF(function)                                                    \
  template <class... Type, array_like X>                                              \
  array<typename X::value_type>(function)(const X&, const detail::options_of_ddof&) { \
    return {};                                                                        \
  }

/// The same of a member: x.sum(0, true), x.sum({.axes = 0}).
#define GNP_MEMBER_REFUSES_FLAGS(function)                                        \
  template <class Flag, class... More>                                            \
    requires(::gnp::detail::is_flag_v<Flag>)                                      \
  double(function)(const axes_t&, const Flag&, const More&...) const {            \
    static_assert(!::gnp::detail::is_flag_v<Flag>,                                \
                  "gnp: options have names, as in x.sum(0, {.keepdims = true})"); \
    return {};                                                                    \
  }                                                                               \
  double(function)(const ::gnp::detail::options_of_axes&) const { return {}; }

#define GNP_MEMBER_REFUSES_DDOF(function) \
  double(function)(const ::gnp::detail::options_of_ddof&) const { return {}; }

/// NumPy's order of elements, as text after the other arguments of a function, or of a member, which is const.
#define GNP_REFUSES_ORDER(function, parameters, ...)                                                       \
  template <class Order>                                                                                   \
    requires(std::is_convertible_v<const Order&, const char*>)                                             \
  double(function)(GNP_WITHOUT_PARENTHESES parameters const Order&) __VA_ARGS__ {                          \
    static_assert(!std::is_convertible_v<const Order&, const char*>,                                       \
                  "gnp: there is no order argument: Fortran's order is row-major order of the transposed " \
                  "array, x.T().ravel() and x.T().reshape({3, 2}).T()");                                   \
    return {};                                                                                             \
  }

/// Several numbers in place of a shape or of axes.
#define GNP_REFUSES_LOOSE_NUMBERS(function, example)                                      \
  template <array_like X, scalar_like A, scalar_like B, scalar_like... More>              \
  array<typename X::value_type>(function)(const X&, const A&, const B&, const More&...) { \
    static_assert(!array_like<X>, "gnp: shapes and axes go in braces: " example);         \
    return {};                                                                            \
  }
