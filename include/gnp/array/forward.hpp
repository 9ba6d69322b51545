// SPDX-License-Identifier: MIT
// Declarations that arrays and expressions need from each other before either is defined.
#pragma once

#include <gnp/core/slice.hpp>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

template <element T>
class array;
template <element T>
class host_array;
template <class Op, class... Operands>
class expression;

namespace detail {

template <class X>
inline constexpr bool is_array_v = false;
template <class T>
inline constexpr bool is_array_v<array<T>> = true;

template <class X>
inline constexpr bool is_expression_v = false;
template <class Op, class... Operands>
inline constexpr bool is_expression_v<expression<Op, Operands...>> = true;

template <class X>
inline constexpr bool is_host_array_v = false;
template <class T>
inline constexpr bool is_host_array_v<host_array<T>> = true;
template <class X>
inline constexpr bool is_host_vector_v = false;
template <element T, class Allocator>
inline constexpr bool is_host_vector_v<std::vector<T, Allocator>> = true;
template <class X>
concept host_vector = is_host_vector_v<X>;

/// A computation that is not elementwise and has not run yet, such as matmul. An assignment runs it directly
/// into its destination (compute_into). All other functions use the array that compute() returns.
template <class X>
inline constexpr bool is_deferred_v = false;
/// A reduction is different: it stays a reduction when it becomes an operand, so that it can run together with
/// the expression around it.
template <class X>
inline constexpr bool stays_in_expressions_v = false;
/// Is this a reduction, or an expression that has one among its operands, at any depth?
template <class X>
inline constexpr bool has_reductions_v = stays_in_expressions_v<X>;
template <class Op, class... Operands>
inline constexpr bool has_reductions_v<expression<Op, Operands...>> = (has_reductions_v<Operands> || ...);
/// Must something run before single elements can be computed?
template <class X>
inline constexpr bool runs_first_v = is_deferred_v<X> || has_reductions_v<X>;

/// Are its elements distributed over several processes (distributed/array.hpp)?
template <class X>
inline constexpr bool is_spread_v = false;
/// Is it rolled, or computed from something that is (routines/rolled.hpp)?
template <class X>
inline constexpr bool is_rolled_v = false;
/// Does a ufunc turn it into something other than an expression<...>?
template <class X>
inline constexpr bool has_own_application_v = is_spread_v<X> || is_rolled_v<X>;

}  // namespace detail

/// An array or an expression of arrays: what every function of gnp takes.
template <class X>
concept array_like = detail::is_array_v<X> || detail::is_expression_v<X> || detail::is_deferred_v<X>;

/// What ufuncs and operators take, besides numbers: arrays and expressions of one process or distributed over
/// several.
template <class X>
concept elementwise_like = array_like<X> || detail::is_spread_v<X>;

/// A plain C++ number that can be an operand next to arrays.
template <class X>
concept scalar_like = element<X>;

namespace detail {

/// Accepts any numbers in braces, to say that their type is not clear. It is not a std::initializer_list
/// itself, so that overloads with one come first: they take numbers of one type.
struct any_numbers {
  struct any_number {
    template <scalar_like Number>
    any_number(const Number&) {}
  };
  any_numbers(std::initializer_list<any_number>) {}
};

// Defined in exec/assign.hpp, where arrays and expressions are both complete.

/// Runs an expression into a new array.
template <array_like X>
array<typename X::value_type> evaluate(const X& source);

/// Runs a statement with reductions in it into an array.
template <class X, class T>
void run_statement(const X& source, const array<T>& destination, const char* function);
template <class X>
array<typename X::value_type> evaluate_statement(const X& x);
template <class X>
array<typename X::value_type> computed_reduction(const X& x);

/// The value of an array or expression of one element.
template <array_like X>
typename X::value_type only_value(const X& x);

/// The result of x(...): an array gives a view, an expression gives an expression of views, a reduction gives
/// one of a part of its operand, any other deferred computation gives a view of its result.
template <array_like X>
decltype(auto) indexed(const X& x, const index_arg* indices, std::size_t count);
/// Indexes an expression of this shape, or a reduction inside one. Each operand is indexed as if it were
/// broadcast to that shape.
template <class Op, class... Operands>
expression<Op, Operands...> indexed_operands(const expression<Op, Operands...>& x, const shape_t& shape,
                                             const index_arg* indices, std::size_t count);
template <class X>
  requires stays_in_expressions_v<X>
X indexed_operands(const X& x, const shape_t& shape, const index_arg* indices, std::size_t count);

/// Writes an array, expression or scalar through a view, broadcasting it to the view's shape.
template <class T, class X>
void assign(const array<T>& destination, const X& source, const char* function);

/// The result of x(...) if some of the indices are arrays.
template <array_like X, class... Index>
auto indexed_by_arrays(const X& x, const Index&... indices);

/// Writes through x(index).
template <class Op, class... Operands, class X>
void write_selected(const expression<Op, Operands...>& destination, const X& source, const char* function);

/// The error message for an assignment that would be lost: (a + b)(0) = c, matmul(a, b)(0) = c.
template <class X>
constexpr void refuse_assignment_to_computed() {
  static_assert(
      sizeof(X) == 0,
      "gnp: this is a temporary result, so that an assignment to it would have no effect: name the array "
      "first, gnp::array y = a + b; y(0) = 3");
}

/// The error message for a(i)(mask) = c, where `i` is an array: a(i) is a copy, as in NumPy.
template <class... X>
constexpr void refuse_assignment_to_picked() {
  static_assert(sizeof...(X) == 0,
                "gnp: indexing with an array makes a copy, so that an assignment to a part of it would have no "
                "effect: make the index a number, a(int(i))(mask) = 0");
}

/// The error message for an operation on an array and data on the host.
template <class... X>
constexpr void refuse_vector() {
  static_assert(
      sizeof...(X) == 0,
      "gnp: a std::vector and an array do not mix: bring it to the device with gnp::asarray(...) first");
}

template <class... X>
constexpr void refuse_host_array() {
  static_assert(
      sizeof...(X) == 0,
      "gnp: a host_array and an array do not mix: bring it to the device with gnp::asarray(...) first");
}

/// The error message for a text in place of a number.
template <class... X>
constexpr void refuse_text() {
  static_assert(sizeof...(X) == 0, "gnp: elements are numbers: a text cannot be assigned to an array");
}

/// The error message for a conversion that NumPy's same_kind rule forbids.
template <class From, class To>
constexpr void check_same_kind();

}  // namespace detail
}}  // namespace gnp::GNP_ABI
