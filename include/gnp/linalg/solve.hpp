// SPDX-License-Identifier: MIT
// solve and inv, by LU with partial pivoting.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <initializer_list>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/solve.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

/// x with a x = b. b is one vector if it has one dimension, otherwise a stack of matrices.
template <array_like X, array_like Y>
auto solve(const X& a, const Y& b) {
  constexpr dtype d =
      promote(detail::factor_dtype<typename X::value_type>(), detail::factor_dtype<typename Y::value_type>());
  detail::require_same_device("solve", a.device(), b.device());
  const use_device guard(a.device());
  return detail::solve_stack(detail::operand_as<type_of<d>>(a), detail::operand_as<type_of<d>>(b), "solve");
}
template <array_like X, scalar_like Number>
auto solve(const X& a, std::initializer_list<Number> b) {
  return solve(a, gnp::detail::list_beside(a, b));
}
template <array_like X>
auto solve(const X& a, std::initializer_list<double> b) {
  return solve(a, gnp::detail::list_beside(a, b));
}
// {{1}, {2}} is a matrix of one column; without this form, it would be the list of double {1, 2}.
template <array_like X, scalar_like Number>
auto solve(const X& a, std::initializer_list<std::initializer_list<Number>> b) {
  return solve(a, gnp::detail::list_beside(a, b));
}
GNP_TAKES_MATRIX_AND_LIST(solve)
template <array_like X, class Y>
  requires(detail::is_host_vector_v<Y>)
auto solve(const X& a, const Y& b) {
  return solve(a, gnp::detail::list_beside(a, b));
}
GNP_NEEDS_TWO(solve, "gnp::linalg::solve(a, b)")
GNP_REFUSES_VECTORS_OF(solve, "gnp::linalg::solve")

/// The inverse of each matrix.
template <array_like X>
auto inv(const X& x) {
  return detail::inverse_of(detail::operand_as<detail::factor_t<X>>(x), "inv");
}
/// For a matrix in braces.
template <scalar_like Number>
auto inv(std::initializer_list<std::initializer_list<Number>> x) {
  return inv(asarray(x));
}
GNP_REFUSES_VECTORS_OF(inv, "gnp::linalg::inv")

}}}  // namespace gnp::GNP_ABI::linalg
