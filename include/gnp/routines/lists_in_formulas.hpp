// SPDX-License-Identifier: MIT
// Numbers in braces in formulas: maximum(x, {1, 2, 3}), where(c, {1, 2}, x). They become an array beside the
// others.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/routines/comparisons.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_TAKES_BRACES(maximum)
GNP_TAKES_BRACES(minimum)
GNP_TAKES_BRACES(fmax)
GNP_TAKES_BRACES(fmin)
GNP_TAKES_BRACES(isclose)

#define GNP_WHERE_OF_BRACES(parameter, list_type)                  \
  template <array_like C, parameter, class Y>                      \
    requires(array_like<Y> || scalar_like<Y>)                      \
  auto where(const C& condition, list_type x, const Y& y) {        \
    return where(condition, detail::list_beside(condition, x), y); \
  }                                                                \
  template <array_like C, class X, parameter>                      \
    requires(array_like<X> || scalar_like<X>)                      \
  auto where(const C& condition, const X& x, list_type y) {        \
    return where(condition, x, detail::list_beside(condition, y)); \
  }
GNP_WHERE_OF_BRACES(scalar_like Number, std::initializer_list<Number>)
GNP_WHERE_OF_BRACES(class Nothing = void, std::initializer_list<double>)
#undef GNP_WHERE_OF_BRACES
/// Both in braces, of one type.
template <array_like C, scalar_like Number>
auto where(const C& condition, std::initializer_list<Number> x, std::initializer_list<Number> y) {
  return where(condition, detail::list_beside(condition, x), detail::list_beside(condition, y));
}
/// The condition in braces: where({true, false}, x, 0).
template <std::same_as<bool> Bool, class X, class Y>
  requires(array_like<X> || array_like<Y>)
auto where(std::initializer_list<Bool> condition, const X& x, const Y& y) {
  if constexpr (array_like<X>) {
    return where(detail::list_beside(x, condition), x, y);
  } else {
    return where(detail::list_beside(y, condition), x, y);
  }
}

}}  // namespace gnp::GNP_ABI
