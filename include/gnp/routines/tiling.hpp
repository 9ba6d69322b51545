// SPDX-License-Identifier: MIT
// tile, repeat and resize: the elements of an array, repeated.
#pragma once

#include <algorithm>
#include <gnp/array/asarray.hpp>
#include <gnp/exec/gather/cpu_repeat.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/routines/stretches.hpp>

namespace gnp { inline namespace GNP_ABI {

struct repeat_options {
  by_name only = by_name();
  axes_t axis = none;
};

namespace detail {

GNP_INLINE void require_not_negative(index_t count, const char* function) {
  if (count < 0) {
    throw error(std::string(function) + ": repeats may not contain negative values, got " +
                std::to_string(count));
  }
}

/// The count for an axis of this length. Where there is nothing to repeat, a negative one is 0, as in NumPy.
GNP_INLINE index_t checked_repeats(index_t count, index_t length, const char* function) {
  if (length > 0) require_not_negative(count, function);
  return (std::max)(count, index_t{0});
}

/// Copies of the array along one axis, whatever its rank: all axes after this one count as one row.
template <class T>
array<T> tiled_along(const array<T>& a, int axis, index_t times) {
  index_t before = 1;
  for (int d = 0; d < axis; ++d) before *= a.shape()[d];
  shape_t shape = a.shape();
  shape[axis] = product_of_sizes(shape[axis], times, "tile");
  const array<T> result(shape, a.device(), "tile");
  if (result.size() > 0) {
    const index_t row = a.size() / before;
    result.view({0, {before, times, row}, {times * row, row, 1}}).assign(a.reshape({before, 1, row}));
  }
  return result;
}

/// tile's result as an array with more axes, along some of which x is broadcast, so that one kernel writes it.
struct tile_plan {
  shape_t result;                  // the shape asked for
  shape_t apart;                   // the same with separate axes for the copies
  std::vector<index_arg> indices;  // indexes x so that it has axes of size 1 in place of these
  int too_many = 0;                // the number of axes beyond the maximum
};

GNP_DECLARED tile_plan plan_tiles(const shape_t& shape, const shape_t& times);

}  // namespace detail

/// Repeats the array the given number of times along each axis: tile(a, 2), tile(a, {2, 3}).
template <array_like X>
array<typename X::value_type> tile(const X& x, const shape_t& times) {
  using T = typename X::value_type;
  const detail::tile_plan plan = detail::plan_tiles(x.shape(), times);
  if (plan.too_many > 0) {  // one axis after the other
    array<T> tiled = x.eval();
    while (tiled.ndim() < times.rank()) tiled = expand_dims(tiled, 0);
    for (int d = 1; d <= times.rank(); ++d) {
      const index_t count = times[times.rank() - d];
      if (count != 1) tiled = detail::tiled_along(tiled, tiled.ndim() - d, count);
    }
    return tiled;
  }
  const array<T> result(plan.result, x.device(), "tile");
  if (result.size() > 0) {
    result.view({0, plan.apart, detail::contiguous_strides(plan.apart)}).assign(x.index(plan.indices));
  }
  return result;
}
GNP_TAKES_LIST_FIRST(tile, (const shape_t& times), (times))

/// Repeats each element the given number of times, with its copies next to each other, along an axis or in the
/// flattened array.
template <array_like X>
array<typename X::value_type> repeat(const X& x, detail::any_integer count,
                                     const repeat_options& options = {}) {
  using T = typename X::value_type;
  if (x.ndim() == 0 && options.axis.given()) return repeat(ravel(x), count, options);  // a number has one axis
  const detail::axis_set chosen(options.axis, x.ndim(), "repeat");
  if (options.axis.given() && chosen.count != 1) {
    throw shape_error("repeat: takes one axis or none, got " + to_string(options.axis.values()));
  }
  // Flattened, the copies follow the last axis.
  int axis = x.ndim() - 1;
  for (int d = 0; options.axis.given() && d < x.ndim(); ++d) axis = chosen.chosen[d] ? d : axis;
  shape_t shape = x.shape();
  const index_t times = detail::checked_repeats(count, options.axis.given() ? shape[axis] : x.size(), "repeat");
  if (options.axis.given()) {
    shape[axis] = detail::product_of_sizes(shape[axis], times, "repeat");
  } else {
    shape = shape_t{detail::product_of_sizes(x.size(), times, "repeat")};
  }
  if (x.ndim() == max_rank) {  // there is no room for another axis, of copies
    if (!options.axis.given()) return repeat(ravel(x), times);
    if (detail::element_count(shape, "repeat") == 0) return array<T>(shape, x.device(), "repeat");
    index_t before = 1;
    for (int d = 0; d < axis; ++d) before *= x.shape()[d];
    const shape_t three{before, x.shape()[axis], x.size() / (before * x.shape()[axis])};
    return repeat(reshape(x, three), times, {.axis = 1}).reshape(shape);
  }
  if constexpr (detail::is_array_v<X>) {
    // Single elements, and rows with gaps, are gathered once rather than once for each copy.
    if (x.device().is_cpu() && times > 1 && !x.is_contiguous()) {
      const bool in_pieces = axis + 1 == x.ndim() || x.element_strides()[x.ndim() - 1] != 1;
      if (in_pieces) return repeat(x.copy(), times, options);
    }
  }
  const array<T> result(shape, x.device(), "repeat");
  if (result.size() == 0) return result;
  if constexpr (detail::is_array_v<X>) {
    if (x.device().is_cpu() && x.is_contiguous()) {
      const detail::watched_work watched(x.device(), [&] {
        return detail::facts_of("repeat", dtype_of<T>, static_cast<std::size_t>(x.nbytes() + result.nbytes()));
      });
      index_t chunks = 1;
      for (int d = 0; d <= axis; ++d) chunks *= x.shape()[d];
      detail::repeat_evenly_on_cpu(x.data(), result.data(), chunks, x.nbytes() / chunks, times);
      return result;
    }
  }
  std::vector<index_arg> indices(static_cast<std::size_t>(axis + 1), index_arg(all));
  indices.emplace_back(newaxis);
  shape_t apart = x.shape();
  apart.insert(axis + 1, times);
  result.view({0, apart, detail::contiguous_strides(apart)}).assign(x.index(indices));
  return result;
}
template <array_like X>
auto repeat(const X& x, detail::any_integer count, const axes_t& axis) {
  return repeat(x, count, repeat_options{.axis = axis});
}

/// A new array of this shape, filled with the elements in row-major order, repeated as often as needed.
template <array_like X>
auto resize(const X& x, const shape_t& shape) {
  using T = typename X::value_type;
  const array<T> flat = ravel(x);
  const array<T> result(shape, flat.device(), "resize");
  if (flat.size() == 0) {
    result.fill(T());
    return result;
  }
  const index_t whole = result.size() / flat.size();
  const index_t rest = result.size() % flat.size();
  if (whole > 0) result.view({0, {whole, flat.size()}, {flat.size(), 1}}).assign(flat);
  if (rest > 0) result.view({whole * flat.size(), {rest}, {1}}).assign(detail::stretch_of(flat, 0, 0, rest));
  return result;
}
// The values in braces: resize({1, 2}, {2, 3}).
GNP_TAKES_VALUES_BESIDE(broadcast_to, (const shape_t& shape), (shape))
GNP_REFUSES_MIXED_NUMBERS(broadcast_to, class Nothing = void, const shape_t&)
GNP_TAKES_VALUES_BESIDE(resize, (const shape_t& shape), (shape))
GNP_REFUSES_MIXED_NUMBERS(resize, class Nothing = void, const shape_t&)

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE tile_plan plan_tiles(const shape_t& shape, const shape_t& times) {
  tile_plan plan;
  const int rank = (std::max)(shape.rank(), times.rank());
  std::vector<index_t> apart;
  for (int d = 0; d < rank; ++d) {
    const int own = d - (rank - shape.rank());
    const int repeated = d - (rank - times.rank());
    const index_t length = own < 0 ? 1 : shape[own];
    const index_t count = repeated < 0 ? 1 : checked_repeats(times[repeated], length, "tile");
    if (own < 0 || (count != 1 && length != 1)) {
      plan.indices.emplace_back(newaxis);
      apart.push_back(count);
      if (own >= 0) {
        plan.indices.emplace_back(all);
        apart.push_back(length);
      }
    } else {
      plan.indices.emplace_back(all);
      apart.push_back(length == 1 ? count : length);
    }
    plan.result.push_back(product_of_sizes(count, length, "tile"));
  }
  plan.too_many = (std::max)(static_cast<int>(apart.size()) - max_rank, 0);
  if (plan.too_many == 0) plan.apart = shape_t(apart);
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
