// SPDX-License-Identifier: MIT
// apply_along_axis and apply_over_axes: a host function that is called for each line or axis of an array.
#pragma once

#include <gnp/routines/joining.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The result of a user's function as an array: a number becomes an array of rank 0.
template <class Result>
auto as_result(const Result& result) {
  if constexpr (scalar_like<Result>) {
    return array<Result>(result);
  } else {
    return result.eval();
  }
}

/// Moves the axes of `lines`, from number `outer` on, to the position of `axis`.
template <class T>
array<T> with_result_axes(const array<T>& lines, int outer, int axis) {
  shape_t order;
  for (int d = 0; d < axis; ++d) order.push_back(d);
  for (int d = outer; d < lines.ndim(); ++d) order.push_back(d);
  for (int d = axis; d < outer; ++d) order.push_back(d);
  return permuted(lines, order, "apply_along_axis");
}

}  // namespace detail

/// Applies f to each one-dimensional line along an axis. f(array) returns a number or an array, whose axes
/// replace the line's axis. The loop runs on the host, so use operations on whole arrays where they are
/// sufficient.
template <class F, array_like X>
auto apply_along_axis(const F& f, int axis, const X& x) {
  const auto a = x.eval();
  const int along = detail::normalize_axis(axis, a.ndim(), "apply_along_axis");
  const auto lines = moveaxis(a, along, a.ndim() - 1);
  shape_t outer = lines.shape();
  outer.pop_back();
  const index_t count = detail::element_count(outer, "apply_along_axis");
  using R = typename decltype(detail::as_result(f(a)))::value_type;
  if (count == 0) {
    throw shape_error(
        "apply_along_axis: cannot apply a function when any iteration dimensions are 0, got shape " +
        to_string(a.shape()));
  }
  const use_device guard(a.device());
  std::optional<array<R>> result;
  std::vector<index_arg> at(outer.size(), index_arg(0));
  for (index_t i = 0; i < count; ++i) {
    index_t rest = i;
    for (int d = outer.rank() - 1; d >= 0; --d) {
      at[static_cast<std::size_t>(d)] = index_arg(rest % outer[d]);
      rest /= outer[d];
    }
    const array<R> part = detail::as_result(f(lines.index(at)));
    if (!result) {
      shape_t shape = outer;
      for (const index_t size : part.shape()) shape.push_back(size);
      result.emplace(shape, a.device(), "apply_along_axis");
    }
    result->index(at).assign(part);
  }
  return detail::with_result_axes(*result, outer.rank(), along);
}

/// Applies f(x, axis) for one axis after the other. Axes that f removes are restored with size 1.
template <class F, array_like X>
auto apply_over_axes(const F& f, const X& x, const shape_t& axes) {
  using R = typename decltype(detail::as_result(f(x.eval(), 0)))::value_type;
  const int rank = x.ndim();
  array<R> result = x.template astype<R>().eval();
  bool first = true;
  for (const index_t axis : axes) {
    const int along = detail::normalize_axis(axis, rank, "apply_over_axes");
    const array<R> next =
        first ? array<R>(detail::as_result(f(x.eval(), along))) : array<R>(detail::as_result(f(result, along)));
    first = false;
    result = next.ndim() == rank ? next : array<R>(expand_dims(next, along));
    if (result.ndim() != rank) {
      throw shape_error("apply_over_axes: function is not returning an array of the correct shape");
    }
  }
  return result;
}

}}  // namespace gnp::GNP_ABI
