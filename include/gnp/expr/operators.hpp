// SPDX-License-Identifier: MIT
// C++'s operators on arrays and expressions. Each calls the ufunc with the same meaning.
#pragma once

#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/compound_operators.hpp>
#include <gnp/expr/logic.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Operands that gnp's operators accept: at least one of them is an array, and none is an unrelated type (such
/// as a stream on the left of <<). A host_array and a std::vector are accepted only to give an error message
/// that explains why they cannot be used.
template <class X>
concept operator_operand = elementwise_like<X> || scalar_like<X> || is_host_array_v<X> || is_host_vector_v<X>;
template <class A, class B>
concept operator_operands =
    operator_operand<A> && operator_operand<B> && (elementwise_like<A> || elementwise_like<B>);

/// Not of a C++ bool on the left: there, && and || are C++'s own, which skip the right side where the left one
/// decides, as Python's `and` and `or` do: if (p != nullptr && p->max() > 1).
template <class A, class B>
concept logical_operands = operator_operands<A, B> && !std::is_same_v<A, bool>;

/// a op= x writes to a's elements, if they can hold the kind of the result.
template <class T, class X>
void update(const array<T>& a, const X& result, const char* function) {
  check_same_kind<typename X::value_type, T>();
  assign(a, result, function);
}

template <class X>
inline constexpr bool is_order_v = false;
template <class Op, class... Operands>
inline constexpr bool is_order_v<expression<Op, Operands...>> =
    std::is_same_v<Op, operations::less_ufunc> || std::is_same_v<Op, operations::less_equal_ufunc> ||
    std::is_same_v<Op, operations::greater_ufunc> || std::is_same_v<Op, operations::greater_equal_ufunc>;

/// 1 < x < 5 is (1 < x) < 5 in C++.
template <class A, class B>
constexpr void refuse_chain() {
  static_assert(!(is_order_v<A> && scalar_like<B>),
                "gnp: a chain of comparisons compares truth values: write (1 < x) & (x < 5)");
}

}  // namespace detail

// clang-format off
#define GNP_OPERATOR_OF(operands, symbol, function, ...)                              \
  template <class A, class B>                                                         \
    requires detail::operands<std::remove_cvref_t<A>, std::remove_cvref_t<B>>         \
  detail::application_t<operations::function##_ufunc, A, B> operator symbol(A&& a, B&& b) { \
    __VA_ARGS__                                                                       \
    return detail::apply<operations::function##_ufunc>(std::forward<A>(a), std::forward<B>(b)); \
  }
#define GNP_BINARY_OPERATOR(symbol, function) GNP_OPERATOR_OF(operator_operands, symbol, function)
#define GNP_LOGICAL_OPERATOR(symbol, function) GNP_OPERATOR_OF(logical_operands, symbol, function)
#define GNP_ORDER_OPERATOR(symbol, function)            \
  GNP_OPERATOR_OF(operator_operands, symbol, function,  \
                  detail::refuse_chain<std::remove_cvref_t<A>, std::remove_cvref_t<B>>();)
// clang-format on
GNP_BINARY_OPERATOR(+, add)
GNP_BINARY_OPERATOR(-, subtract)
GNP_BINARY_OPERATOR(*, multiply)
GNP_BINARY_OPERATOR(/, divide)
GNP_BINARY_OPERATOR(%, remainder)
GNP_BINARY_OPERATOR(==, equal)
GNP_BINARY_OPERATOR(!=, not_equal)
GNP_ORDER_OPERATOR(<, less)
GNP_ORDER_OPERATOR(<=, less_equal)
GNP_ORDER_OPERATOR(>, greater)
GNP_ORDER_OPERATOR(>=, greater_equal)
GNP_LOGICAL_OPERATOR(&&, logical_and)
GNP_LOGICAL_OPERATOR(||, logical_or)
GNP_BINARY_OPERATOR(&, bitwise_and)
GNP_BINARY_OPERATOR(|, bitwise_or)
GNP_BINARY_OPERATOR(^, bitwise_xor)
GNP_BINARY_OPERATOR(<<, left_shift)
GNP_BINARY_OPERATOR(>>, right_shift)
#undef GNP_ORDER_OPERATOR
#undef GNP_LOGICAL_OPERATOR
#undef GNP_BINARY_OPERATOR
#undef GNP_OPERATOR_OF

// clang-format off
#define GNP_UNARY_OPERATOR(symbol, function)     \
  template <class A>                             \
    requires elementwise_like<std::remove_cvref_t<A>> \
  detail::application_t<operations::function##_ufunc, A> operator symbol(A&& a) { \
    return detail::apply<operations::function##_ufunc>(std::forward<A>(a));    \
  }
// clang-format on
GNP_UNARY_OPERATOR(+, positive)
GNP_UNARY_OPERATOR(-, negative)
GNP_UNARY_OPERATOR(!, logical_not)
GNP_UNARY_OPERATOR(~, invert)
#undef GNP_UNARY_OPERATOR

// In place: these write to the elements, so that every view of the array sees the change. They also take an
// unnamed view, a(0) += 1, and numbers in braces.
// clang-format off
#define GNP_COMPOUND_OPERATOR(symbol, function)          \
  template <element T, class X>                          \
    requires detail::operator_operand<X>                 \
  array<T>& operator symbol(array<T>& a, const X& x) {   \
    detail::update(a, function(a, x), #function);        \
    return a;                                            \
  }                                                      \
  template <element T, class X>                          \
    requires detail::operator_operand<X>                 \
  array<T> operator symbol(array<T>&& a, const X& x) {   \
    detail::update(a, function(a, x), #function);        \
    return a;                                            \
  }                                                      \
  template <element T, element Number>                   \
  const array<T>& operator symbol(const array<T>& a, std::initializer_list<Number> numbers) {    \
    detail::update(a, function(a, detail::list_on(a.device(), numbers)), #function);             \
    return a;                                            \
  }
// clang-format on
GNP_FOR_EACH_COMPOUND_OPERATOR(GNP_COMPOUND_OPERATOR)
#undef GNP_COMPOUND_OPERATOR

// ++a(2) and a(2)++, of which the latter gives the values from before.
// clang-format off
#define GNP_STEP_OPERATOR(symbol, step)                             \
  template <element T>                                              \
    requires(!std::is_same_v<T, bool>)                              \
  array<T>& operator symbol(array<T>& a) { return a step 1; }       \
  template <element T>                                              \
    requires(!std::is_same_v<T, bool>)                              \
  array<T> operator symbol(array<T>&& a) { return a step 1; }       \
  template <element T>                                              \
    requires(!std::is_same_v<T, bool>)                              \
  array<T> operator symbol(array<T>& a, int) {                      \
    array<T> before = a.copy();                                     \
    a step 1;                                                       \
    return before;                                                  \
  }                                                                 \
  template <element T>                                              \
    requires(!std::is_same_v<T, bool>)                              \
  array<T> operator symbol(array<T>&& a, int number) { return operator symbol(a, number); }
// clang-format on
GNP_STEP_OPERATOR(++, +=)
GNP_STEP_OPERATOR(--, -=)
#undef GNP_STEP_OPERATOR

}}  // namespace gnp::GNP_ABI
