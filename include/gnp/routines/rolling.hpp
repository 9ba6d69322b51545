// SPDX-License-Identifier: MIT
// roll, which is computed where it is stored, and rollaxis and rot90, which are views.
#pragma once

#include <gnp/routines/reductions.hpp>
#include <gnp/routines/rolled_reductions.hpp>

namespace gnp { inline namespace GNP_ABI {

struct roll_options {
  by_name only = by_name();
  axes_t axis = none;
};

namespace detail {

/// x rolled by less than the length of each axis. An x that is not an array is computed first.
template <array_like X>
rolled<array<typename X::value_type>> rolled_by(const X& x, const shape_t& shift) {
  return {evaluate(x), {shift}};
}
template <element T>
rolled<array<T>> rolled_by(const rolled<array<T>>& x, const shape_t& shift) {
  if (x.is_flattened()) return {x.compute(), {shift}};
  shape_t both = x.shifts()[0];
  for (int d = 0; d < both.rank(); ++d)
    if (shift[d] != 0) both[d] = (both[d] + shift[d]) % x.shape()[d];
  return {x.formula(), {both}};
}

template <array_like X>
shape_t shifts_from(const X& shift) {
  static_assert(is_integer(dtype_of<typename X::value_type>), "gnp: elements are rolled by integers");
  if (shift.ndim() > 1) throw shape_error("roll: shifts have one axis, got shape " + to_string(shift.shape()));
  shape_t result;
  for (const index_t by : to_vector(in_type<index_t>(shift))) result.push_back(by);
  return result;
}

}  // namespace detail

/// Moves elements along axes; those that are moved past the end reappear at the front. The result is computed
/// when it is stored, as part of the expression that contains it: roll(u, 1, 0) + roll(u, -1, 0) - 2 * u is one
/// pass over u. Without axes the flattened array is rolled. An x that is not an array is computed first.
template <array_like X>
rolled<array<typename X::value_type>> roll(const X& x, const shape_t& shift, const roll_options& options = {}) {
  if (!options.axis.given()) {
    if (x.ndim() != 1) {
      const index_t size = x.size();
      index_t by = 0;
      for (const index_t moved : shift) by = size == 0 ? 0 : (by + moved % size + size) % size;
      return {detail::evaluate(x), {shape_t{by}}};
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
/// Rolls by shifts in an array: the result of a reduction, roll(x, argmax(x)), or one shift for each axis.
template <array_like X, array_like Shift>
auto roll(const X& x, const Shift& shift, const roll_options& options = {}) {
  return roll(x, detail::shifts_from(shift), options);
}
template <array_like X, array_like Shift>
auto roll(const X& x, const Shift& shift, const axes_t& axis) {
  return roll(x, detail::shifts_from(shift), roll_options{.axis = axis});
}

/// Moves an axis back until it lies before the one at `start`. (moveaxis is the clearer function.)
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

/// rot90's arguments by name: rot90(x, {.k = 2}).
struct rot90_options {
  by_name only = by_name();
  int k = 1;
  shape_t axes = {0, 1};
};

/// A view that is rotated by k quarter turns in the plane of two axes, from the first towards the second.
template <array_like X>
auto rot90(const X& x, int k = 1, const shape_t& axes = {0, 1}) {
  const auto a = x.eval();
  if (axes.rank() != 2) throw shape_error("rot90: needs two axes, got " + to_string(axes));
  const int first = detail::normalize_axis(axes[0], a.ndim(), "rot90");
  const int second = detail::normalize_axis(axes[1], a.ndim(), "rot90");
  if (first == second) throw shape_error("rot90: axes must be different, got " + to_string(axes));
  switch ((k % 4 + 4) % 4) {
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
template <array_like X>
auto rot90(const X& x, const rot90_options& options) {
  return rot90(x, options.k, options.axes);
}

}}  // namespace gnp::GNP_ABI
