// SPDX-License-Identifier: MIT
// Arrays made from a function of each place, from the first elements of a range, and from values that are
// checked: fromfunction, fromiter, asarray_chkfinite.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/reductions.hpp>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Does a function, or the call operator of an object if it is not a template, have a parameter that is a
/// number?
template <class F>
inline constexpr bool takes_numbers = false;
template <class R, class... Parameter>
inline constexpr bool takes_numbers<R (*)(Parameter...)> = (scalar_like<std::remove_cvref_t<Parameter>> || ...);
template <class R, class C, class... Parameter>
inline constexpr bool takes_numbers<R (C::*)(Parameter...)> = takes_numbers<R (*)(Parameter...)>;
template <class R, class C, class... Parameter>
inline constexpr bool takes_numbers<R (C::*)(Parameter...) const> = takes_numbers<R (*)(Parameter...)>;
template <class F>
  requires requires { &F::operator(); }
inline constexpr bool takes_numbers<F> = takes_numbers<decltype(&F::operator())>;

/// fromfunction for a function that takes arrays.
template <class T, class F, std::size_t Rank>
auto array_of_places(F& f, const index_t (&shape)[Rank]) {
  shape_t whole(Rank, 0);
  for (std::size_t d = 0; d < Rank; ++d) whole[d] = shape[d];
  element_count(whole, "fromfunction");
  const auto along = [&shape](std::size_t d) {
    shape_t place(Rank, 1);
    place[d] = shape[d];
    return arange<T>(shape[d]).reshape(place);
  };
  const auto made = [&]<std::size_t... D>(std::index_sequence<D...>) {
    return f(along(D)...);
  }(std::make_index_sequence<Rank>());
  if constexpr (array_like<std::remove_cvref_t<decltype(made)>>) {
    return broadcast_to(made.eval(), whole).copy();
  } else {
    return full(whole, made);  // the function returns a number that does not depend on the place
  }
}

}  // namespace detail

/// f(i, j, ...) for the coordinates of all places, which are passed as arrays that broadcast. A result with
/// fewer dimensions is repeated. fromfunction<int>(f, {3, 4}) passes coordinates of type int.
template <element T = double, class F, std::size_t Rank>
auto fromfunction(F&& f, const index_t (&shape)[Rank]) {
  constexpr bool takes_arrays = !detail::takes_numbers<std::decay_t<F>>;
  static_assert(
      takes_arrays,
      "gnp: fromfunction gives its function arrays of coordinates: take them as auto, [](auto i, auto j) "
      "{ ... }");
  if constexpr (takes_arrays) {
    return detail::array_of_places<T>(f, shape);
  } else {
    return array<T>();
  }
}

/// The first `count` elements of a range, or all of them. The range is traversed once.
template <element T, std::ranges::input_range Range>
array<T> fromiter(Range&& range, index_t count = -1) {
  std::vector<T> values;
  auto at = std::ranges::begin(range);
  while (std::ssize(values) != count && at != std::ranges::end(range)) {
    values.push_back(static_cast<T>(*at));
    if (std::ssize(values) != count) ++at;  // because this may read the next element
  }
  if (std::ssize(values) < count) {
    throw shape_error("fromiter: " + std::to_string(count) + " elements were asked for, but the range has " +
                      std::to_string(values.size()));
  }
  return asarray(values);
}

/// asarray for values that must not be infinite or NaN.
template <class X>
auto asarray_chkfinite(const X& values) {
  const auto made = [&values] {
    if constexpr (array_like<X>) {
      return values.eval();
    } else {
      return asarray(values);
    }
  }();
  if (!bool(all(isfinite(made))))
    throw error("asarray_chkfinite: the array must not have infinite values or NaN");
  return made;
}

}}  // namespace gnp::GNP_ABI
