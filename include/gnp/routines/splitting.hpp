// SPDX-License-Identifier: MIT
// split and similar functions: one array as several views of it.
#pragma once

#include <cstddef>
#include <gnp/array/array_list.hpp>
#include <gnp/core/integers.hpp>
#include <gnp/routines/named_arrays.hpp>
#include <gnp/routines/stretches.hpp>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

struct split_options {
  by_name only = by_name();
  int axis = 0;
};

namespace detail {

/// Parts may be empty, and elements of broadcast views take no memory, so a count of parts that is a mistake
/// can be any number. Each part is a handle of a few hundred bytes on the host: this many take some gigabytes.
inline constexpr index_t most_parts_of_split = index_t{1} << 24;

GNP_INLINE void require_few_parts(index_t parts, const char* function) {
  if (parts <= most_parts_of_split) return;
  throw error(std::string(function) + ": " + std::to_string(parts) + " parts are more than the " +
              std::to_string(most_parts_of_split) + " that a list of arrays may have");
}

template <class T>
array_list<T> split_along(const array<T>& a, const integers_t& at, index_t axis, bool evenly,
                          const char* function) {
  const int d = normalize_axis(axis, a.ndim(), function);
  const index_t length = a.shape()[d];
  array_list<T> result;
  if (at.one()) {
    const index_t parts = *at.one();
    if (parts <= 0)
      throw error(std::string(function) + ": number sections must be larger than 0, got " +
                  std::to_string(parts));
    if (evenly && length % parts != 0) {
      throw shape_error(std::string(function) + ": array split does not result in an equal division: " +
                        std::to_string(length) + " elements along axis " + std::to_string(axis) + " into " +
                        std::to_string(parts) + " parts");
    }
    require_few_parts(parts, function);
    index_t start = 0;
    for (index_t i = 0; i < parts; ++i) {
      const index_t part = length / parts + (i < length % parts ? 1 : 0);
      result.push_back(stretch_of(a, d, start, part));
      start += part;
    }
    return result;
  }
  // Like Python's slices from each position to the next: positions may be negative, too large, or in any order.
  const auto& positions = at.values();
  for (std::size_t i = 0; i <= positions.size(); ++i) {
    const slice between(i == 0 ? slice_bound(0) : slice_bound(positions[i - 1]),
                        i == positions.size() ? slice_bound(length) : slice_bound(positions[i]));
    const slice_range range = resolve(between, length);
    result.push_back(stretch_of(a, d, range.start, range.count));
  }
  return result;
}

template <class T>
array_list<T> split_of_rank(const array<T>& a, const integers_t& at, int least_rank, int axis,
                            const char* function) {
  if (a.ndim() < least_rank) {
    throw shape_error(std::string(function) + ": only works on arrays of " + std::to_string(least_rank) +
                      " or more dimensions, got shape " + to_string(a.shape()));
  }
  return split_along(a, at, axis, true, function);
}

}  // namespace detail

/// Views of equal parts along an axis, split(a, 3), or of the parts between positions, split(a, {2, 5}).
template <array_like X>
auto split(const X& x, const integers_t& at, const split_options& options = {}) {
  return detail::split_along(x.eval(), at, options.axis, true, "split");
}
template <array_like X>
auto split(const X& x, const integers_t& at, int axis) {
  return detail::split_along(x.eval(), at, axis, true, "split");
}
/// Splits into parts that need not be equal: the first ones may be longer by one element.
template <array_like X>
auto array_split(const X& x, const integers_t& at, const split_options& options = {}) {
  return detail::split_along(x.eval(), at, options.axis, false, "array_split");
}
template <array_like X>
auto array_split(const X& x, const integers_t& at, int axis) {
  return detail::split_along(x.eval(), at, axis, false, "array_split");
}
/// split along the first axis.
template <array_like X>
auto vsplit(const X& x, const integers_t& at) {
  return detail::split_of_rank(x.eval(), at, 2, 0, "vsplit");
}
/// split along the second axis, or the only one.
template <array_like X>
auto hsplit(const X& x, const integers_t& at) {
  return detail::split_of_rank(x.eval(), at, 1, x.ndim() == 1 ? 0 : 1, "hsplit");
}
/// split along the third axis.
template <array_like X>
auto dsplit(const X& x, const integers_t& at) {
  return detail::split_of_rank(x.eval(), at, 3, 2, "dsplit");
}
/// The sub-arrays along an axis, as views without that axis: the inverse of stack.
template <array_like X>
auto unstack(const X& x, const split_options& options = {}) {
  const auto a = x.eval();
  if (a.ndim() == 0) throw shape_error("unstack: input array must be at least 1-d, got shape ()");
  const int axis = detail::normalize_axis(options.axis, a.ndim(), "unstack");
  detail::require_few_parts(a.shape()[axis], "unstack");
  array_list<typename X::value_type> result;
  for (index_t i = 0; i < a.shape()[axis]; ++i) {
    result.push_back(detail::without_axes(detail::stretch_of(a, axis, i, 1), shape_t{axis}));
  }
  return result;
}
template <array_like X>
auto unstack(const X& x, int axis) {
  return unstack(x, split_options{.axis = axis});
}
/// The same with the number of sub-arrays as a template argument, so that each gets a name: auto [low, high] =
/// unstack<2>(x);
template <std::size_t Count, array_like X>
auto unstack(const X& x, const split_options& options = {}) {
  const auto parts = unstack(x, options);
  if (parts.size() != Count) {
    throw shape_error("unstack: " + std::to_string(Count) + " arrays were asked for, but the axis has " +
                      std::to_string(parts.size()));
  }
  return detail::named_arrays<Count>(parts);
}
template <std::size_t Count, array_like X>
auto unstack(const X& x, int axis) {
  return unstack<Count>(x, split_options{.axis = axis});
}

}}  // namespace gnp::GNP_ABI
