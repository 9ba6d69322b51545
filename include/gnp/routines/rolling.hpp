// SPDX-License-Identifier: MIT
// roll, which is computed where it is stored, and rollaxis and rot90, which are views.
#pragma once

#include <algorithm>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/rolled_reductions.hpp>

namespace gnp { inline namespace GNP_ABI {

struct roll_options {
  by_name only = by_name();
  axes_t axis = none;
};

namespace detail {

/// Can a formula be rolled by rolling its arrays? It may have no other inputs, such as positions, and only a
/// few, because each roll of it reads all of them.
template <class X>
constexpr bool rolls_by_arrays() {
  if constexpr (is_array_v<X>) {
    return true;
  } else if constexpr (is_expression_v<X>) {
    constexpr int most = 6;
    constexpr auto last = copies_for<X>.begin() + input_count<X>;
    return input_count<X> > 0 && input_count<X> <= most &&
           std::find(copies_for<X>.begin(), last, nullptr) == last;
  } else {
    return false;
  }
}

/// What is rolled: a formula whose arrays are rolled, or the array that x becomes.
template <class X>
using rolled_formula = std::conditional_t<rolls_by_arrays<X>(), X, array<typename X::value_type>>;

/// Appends, for each array of a formula, the shifts along those of its axes that are not broadcast.
template <class X>
void append_shifts_of_arrays(const X& x, const shape_t& shift, leaf_shifts& shifts) {
  if constexpr (is_array_v<X>) {
    const shape_t& shape = x.shape();
    shape_t own(shape.size(), 0);
    for (int d = 0; d < own.rank(); ++d) {
      const index_t by = shift[shift.rank() - own.rank() + d];
      if (shape[d] != 1) own[d] = by;
    }
    shifts.push_back(own);
  } else if constexpr (!is_constant_v<X>) {
    const auto append = [&](const auto& operand) { append_shifts_of_arrays(operand, shift, shifts); };
    x.for_each_operand(append);
  }
}

/// x rolled by less than the length of each axis.
template <array_like X>
rolled<rolled_formula<X>> rolled_by(const X& x, const shape_t& shift) {
  if constexpr (rolls_by_arrays<X>()) {
    leaf_shifts shifts;
    append_shifts_of_arrays(x, shift, shifts);
    return {x, std::move(shifts)};
  } else {
    return {evaluate(x), {shift}};
  }
}
template <element T>
rolled<array<T>> rolled_by(const rolled<array<T>>& x, const shape_t& shift) {
  if (x.is_flattened()) return {x.compute(), {shift}};
  shape_t both = x.shifts()[0];
  for (int d = 0; d < both.rank(); ++d)
    if (shift[d] != 0) both[d] = (both[d] + shift[d]) % x.shape()[d];
  return {x.formula(), {both}};
}

// The operands of a formula of this shape, each as if it were broadcast to that shape, rolled as if they were
// flattened.

template <class T>
array<T> operands_rolled_flat(const array<T>& a, const shape_t& shape, index_t by) {
  return rolled<array<T>>(broadcast_to(a, shape), {shape_t{by}}).compute();
}
template <class T, dtype Original>
constant<T, Original> operands_rolled_flat(const constant<T, Original>& c, const shape_t&, index_t) {
  return c;
}
template <class Op, class... Operands>
expression<Op, Operands...> operands_rolled_flat(const expression<Op, Operands...>& x, const shape_t& shape,
                                                 index_t by) {
  return x.operands().apply([&](const Operands&... operand) {
    return expression<Op, Operands...>(std::in_place, operands_rolled_flat(operand, shape, by)...);
  });
}

/// x rolled as if it were flattened.
template <array_like X>
rolled<rolled_formula<X>> rolled_flat(const X& x, index_t by) {
  if constexpr (is_array_v<X> || !rolls_by_arrays<X>()) {
    return {evaluate(x), {shape_t{by}}};
  } else {
    return {operands_rolled_flat(x, x.shape(), by), leaf_shifts(static_cast<std::size_t>(input_count<X>))};
  }
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
/// pass over u. Without axes the flattened array is rolled. A formula of a few arrays is rolled with them;
/// another x that is not an array is computed first.
template <array_like X>
rolled<detail::rolled_formula<X>> roll(const X& x, const shape_t& shift, const roll_options& options = {}) {
  if (!options.axis.given()) {
    if (x.ndim() != 1) {
      const index_t size = x.size();
      index_t by = 0;
      for (const index_t moved : shift) by = size == 0 ? 0 : (by + moved % size + size) % size;
      return detail::rolled_flat(x, by);
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

GNP_TAKES_VALUES(roll)

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
GNP_TAKES_VALUES_BESIDE(rot90, (int k = 1, const shape_t& axes = {0, 1}), (k, axes))
GNP_TAKES_VALUES_BESIDE(rot90, (const rot90_options& options), (options))
GNP_REFUSES_MIXED_NUMBERS(rot90, class Nothing = void, int = 1, const shape_t& = {0, 1})

}}  // namespace gnp::GNP_ABI
