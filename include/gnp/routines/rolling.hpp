// SPDX-License-Identifier: MIT
// roll, which runs where it is stored, and rollaxis and rot90, which are views.
#pragma once

#include <gnp/routines/parts.hpp>
#include <gnp/routines/periodic.hpp>

namespace gnp { inline namespace GNP_ABI {

struct roll_options {
  by_name only = by_name();
  axes_t axis = none;
};

namespace detail {

/// Writes x into `result` moved on along the axes from `axis` on, each stretch of x to its place.
template <class T, class X>
void write_rolled(const array<T>& result, const X& x, const shape_t& shift, int axis) {
  while (axis < shift.rank() && shift[axis] == 0) ++axis;
  if (axis == shift.rank()) return assign(result, x, "roll");
  const index_t length = result.shape()[axis];
  const index_t moved = shift[axis];
  write_rolled(stretch_of(result, axis, moved, length - moved), stretch_of(x, axis, 0, length - moved), shift,
               axis + 1);
  write_rolled(stretch_of(result, axis, 0, moved), stretch_of(x, axis, length - moved, moved), shift, axis + 1);
}

/// Rolled by less than the length of each axis. A formula goes to memory in any case, and to its place at once.
template <array_like X>
periodic<array<typename X::value_type>> rolled_by(const X& x, const shape_t& shift) {
  using T = typename X::value_type;
  if constexpr (runs_first_v<X>) {
    return rolled_by(evaluate(x), shift);
  } else if constexpr (is_array_v<X>) {
    return {x, {shift}};
  } else {
    const array<T> result(x.shape(), x.device(), "roll");
    write_rolled(result, x, shift, 0);
    return periodic<array<T>>(result);
  }
}
template <element T>
periodic<array<T>> rolled_by(const periodic<array<T>>& x, const shape_t& shift) {
  if (x.is_computed()) return rolled_by(x.formula(), shift);
  shape_t both = x.shifts()[0];
  for (int d = 0; d < both.rank(); ++d)
    if (shift[d] != 0) both[d] = (both[d] + shift[d]) % x.shape()[d];
  return {x.formula(), {both}};
}

}  // namespace detail

/// Elements moved on along axes; those moved past the end come in again at the front. It is computed where it
/// is stored, as part of the expression that it is in: roll(u, 1, 0) + roll(u, -1, 0) - 2 * u is one pass over
/// u. Without axes the flattened array is rolled, at once where it has several dimensions; so is what is no
/// array yet.
template <array_like X>
periodic<array<typename X::value_type>> roll(const X& x, const shape_t& shift,
                                             const roll_options& options = {}) {
  using T = typename X::value_type;
  if (!options.axis.given()) {
    if (x.ndim() != 1) {
      const array<T> flat = ravel(x);
      const array<T> rolled = roll(flat, shift, roll_options{.axis = 0});
      return periodic<array<T>>(reshape(rolled, x.shape()));
    }
    return roll(x, shift, roll_options{.axis = 0});
  }
  const shape_t& axes = options.axis.values();
  if (shift.rank() != axes.rank() && shift.rank() != 1 && axes.rank() != 1) {
    throw shape_error("roll: shifts " + to_string(shift) + " and axes " + to_string(axes) +
                      " must be as many, or one");
  }
  shape_t by(x.shape().size(), 0);
  const int count = shift.rank() == 0 || axes.rank() == 0 ? 0 : (std::max)(shift.rank(), axes.rank());
  for (int i = 0; i < count; ++i) {
    const int axis = detail::normalize_axis(axes[axes.rank() == 1 ? 0 : i], x.ndim(), "roll");
    const index_t length = x.shape()[axis];
    if (length == 0) continue;
    const index_t moved = shift[shift.rank() == 1 ? 0 : i] % length;
    by[axis] = (by[axis] + moved + length) % length;
  }
  return detail::rolled_by(x, by);
}
template <array_like X>
auto roll(const X& x, const shape_t& shift, const axes_t& axis) {
  return roll(x, shift, roll_options{.axis = axis});
}

/// Moves an axis back until it lies before the one at `start`. (moveaxis says the same more plainly.)
template <array_like X>
auto rollaxis(const X& x, int axis, int start = 0) {
  const int rank = x.ndim();
  const int from = detail::normalize_axis(axis, rank, "rollaxis");
  int to = start < 0 ? start + rank : start;
  if (to < 0 || to > rank) {
    throw index_error("rollaxis: 'start' arg requires " + std::to_string(-rank) + " <= start < " +
                      std::to_string(rank + 1) + ", but " + std::to_string(start) + " was passed in");
  }
  if (from < to) --to;
  return moveaxis(x, from, to);
}

/// Turned by `times` quarters in the plane of two axes, from the first towards the second: a view.
template <array_like X>
auto rot90(const X& x, int times = 1, const shape_t& axes = {0, 1}) {
  const auto a = x.eval();
  if (axes.rank() != 2) throw shape_error("rot90: needs two axes, got " + to_string(axes));
  const int first = detail::normalize_axis(axes[0], a.ndim(), "rot90");
  const int second = detail::normalize_axis(axes[1], a.ndim(), "rot90");
  if (first == second) throw shape_error("rot90: axes must be different, got " + to_string(axes));
  switch ((times % 4 + 4) % 4) {
    case 0:
      return a;
    case 1:
      return swapaxes(flip(a, second), first, second);
    case 2:
      return flip(a, {first, second});
    default:
      return flip(swapaxes(a, first, second), second);
  }
}

}}  // namespace gnp::GNP_ABI
