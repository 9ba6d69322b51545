// SPDX-License-Identifier: MIT
// roll, which copies, and rollaxis and rot90, which are views.
#pragma once

#include <gnp/routines/parts.hpp>

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

}  // namespace detail

/// Elements moved on along axes; those moved past the end come in again at the front. Without axes the
/// flattened array is rolled.
template <array_like X>
array<typename X::value_type> roll(const X& x, const shape_t& shift, const roll_options& options = {}) {
  using T = typename X::value_type;
  if (!options.axis.given()) {
    if (x.ndim() != 1) {
      const array<T> flat = ravel(x);
      return reshape(roll(flat, shift, roll_options{.axis = 0}), x.shape());
    }
    return roll(x, shift, roll_options{.axis = 0});
  }
  const shape_t& axes = options.axis.values();
  if (shift.rank() != axes.rank() && shift.rank() != 1 && axes.rank() != 1) {
    throw shape_error("roll: shifts " + to_string(shift) + " and axes " + to_string(axes) +
                      " must be as many, or one");
  }
  shape_t total(x.shape().size(), 0);
  for (int i = 0; i < (std::max)(shift.rank(), axes.rank()); ++i) {
    const int axis = detail::normalize_axis(axes[axes.rank() == 1 ? 0 : i], x.ndim(), "roll");
    const index_t length = x.shape()[axis];
    if (length == 0) continue;
    const index_t moved = shift[shift.rank() == 1 ? 0 : i] % length;
    total[axis] = (total[axis] + moved + length) % length;
  }
  const array<T> result(x.shape(), x.device(), "roll");
  detail::write_rolled(result, x, total, 0);
  return result;
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
