// SPDX-License-Identifier: MIT
// Arrays made from a function of each place, from the first elements of a range, and from values that are
// checked: fromfunction, fromiter, asarray_chkfinite.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/reductions.hpp>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// f(i, j, ...) of the coordinates of all places, passed as arrays that broadcast. A result of fewer dimensions
/// is repeated. fromfunction<int>(f, {3, 4}) passes coordinates of type int.
template <element T = double, class F, std::size_t Rank>
auto fromfunction(F&& f, const index_t (&shape)[Rank]) {
  const auto along = [&shape](std::size_t d) {
    shape_t place(Rank, 1);
    place[d] = shape[d];
    return arange<T>(shape[d]).reshape(place);
  };
  const auto made = [&]<std::size_t... D>(std::index_sequence<D...>) {
    return f(along(D)...);
  }(std::make_index_sequence<Rank>());
  shape_t whole(Rank, 0);
  for (std::size_t d = 0; d < Rank; ++d) whole[d] = shape[d];
  if constexpr (array_like<std::remove_cvref_t<decltype(made)>>) {
    return broadcast_to(made.eval(), whole).copy();
  } else {
    return full(whole, made);  // of a number, whatever the place
  }
}

/// The first `count` elements of a range, or all of them. The range is traversed once.
template <element T, std::ranges::input_range Range>
array<T> fromiter(Range&& range, index_t count = -1) {
  std::vector<T> values;
  auto at = std::ranges::begin(range);
  while (std::ssize(values) != count && at != std::ranges::end(range)) {
    values.push_back(static_cast<T>(*at));
    if (std::ssize(values) != count) ++at;  // which may read the next one
  }
  if (std::ssize(values) < count) {
    throw shape_error("fromiter: " + std::to_string(count) + " elements are wanted, and the range has " +
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
