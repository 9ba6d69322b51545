// SPDX-License-Identifier: MIT
// repeat with a separate count for each element.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/exec/gather/cpu_repeat.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/scans.hpp>
#include <gnp/routines/searching.hpp>
#include <gnp/routines/several.hpp>
#include <gnp/routines/tiling.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// For each element of the result of `repeat`, the position of its source.
GNP_DECLARED_ON_USE array<index_t> sources_of_repeats(const array<index_t>& counts);

/// The same elements, repeated along an axis that is not empty, by counts on the CPU.
template <class T>
array<T> repeated_on_cpu(const array<T>& a, const array<index_t>& counts, int axis) {
  const repeat_counts r{counts.data(), counts.element_strides()[0], counts.size()};
  const survey_of_counts counted = survey_of(r);
  require_not_negative(counted.least, "repeat");
  product_of_sizes(counted.most, r.length, "repeat");
  index_t outer = 1;
  for (int d = 0; d < axis; ++d) outer *= a.shape()[d];
  shape_t shape = a.shape();
  shape[axis] = counted.total;
  const array<T> result(shape, a.device(), "repeat");
  if (result.size() == 0) return result;
  const array<T> from = ascontiguousarray(a);
  const watched_work watched(a.device(), [&] {
    return facts_of("repeat", dtype_of<T>, static_cast<std::size_t>(from.nbytes() + result.nbytes()));
  });
  repeat_on_cpu(r, from.data(), result.data(), outer, from.nbytes() / (outer * r.length), counted.total);
  return result;
}

/// Counts as index_t. Those of 2^63 and more would become negative: they are 2^63 - 1, which is too many as
/// well.
template <array_like Counts>
auto repeat_counts_of(const Counts& counts) {
  if constexpr (std::is_same_v<typename Counts::value_type, std::uint64_t>) {
    constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<index_t>::max)());
    return minimum(counts, most).template astype<index_t>();
  } else {
    return counts.template astype<index_t>();
  }
}

}  // namespace detail

/// Repeats each element according to its count, along an axis or in the flattened array. Waits for the sum of
/// the counts, which is the length of the result.
template <array_like X, array_like Counts>
array<typename X::value_type> repeat(const X& x, const Counts& counts, const repeat_options& options = {}) {
  const detail::asks_for_elements asking("repeat");
  static_assert(is_integer(dtype_of<typename Counts::value_type>), "gnp: the counts of repeat are integers");
  using T = typename X::value_type;
  const array<T> a = options.axis.given() && x.ndim() > 0 ? array<T>(x.eval()) : array<T>(ravel(x));
  const axes_t axes = options.axis.given() ? options.axis : axes_t(0);
  detail::require_one_axis_or_none(axes, "repeat");
  const int axis = detail::normalize_axis(axes.values()[0], a.ndim(), "repeat");
  const index_t length = a.shape()[axis];
  if (counts.ndim() > 1 || (counts.size() != length && counts.size() != 1)) {
    const std::string elements = options.axis.given()
                                     ? std::to_string(length) + " elements along axis " + std::to_string(axis)
                                     : "the " + std::to_string(length) + " elements of the flattened array";
    throw shape_error("repeat: counts of shape " + to_string(counts.shape()) + " do not fit " + elements);
  }
  const use_device guard(a.device());
  const array<index_t> each = broadcast_to(detail::repeat_counts_of(counts), {length});
  if (length == 0) return copy(a);
  if (a.device().is_cpu() && each.device().is_cpu()) return detail::repeated_on_cpu(a, each, axis);
  return take(a, detail::sources_of_repeats(each), axis, {.mode = "clip"});
}
template <array_like X, array_like Counts>
auto repeat(const X& x, const Counts& counts, const axes_t& axis) {
  return repeat(x, counts, repeat_options{.axis = axis});
}
template <array_like X, detail::list_of_integers Counts>
auto repeat(const X& x, const Counts& counts, const repeat_options& options = {}) {
  const detail::asks_for_elements asking("repeat");
  const use_device guard(x.device());
  const std::vector<index_t> list(std::begin(counts), std::end(counts));
  return repeat(x, asarray(list.data(), shape_t{static_cast<index_t>(list.size())}), options);
}
template <array_like X, detail::list_of_integers Counts>
auto repeat(const X& x, const Counts& counts, const axes_t& axis) {
  return repeat(x, counts, repeat_options{.axis = axis});
}
template <array_like X>
auto repeat(const X& x, std::initializer_list<index_t> counts, const repeat_options& options = {}) {
  return repeat(x, std::vector<index_t>(counts), options);
}
template <array_like X>
auto repeat(const X& x, std::initializer_list<index_t> counts, const axes_t& axis) {
  return repeat(x, std::vector<index_t>(counts), repeat_options{.axis = axis});
}
#define GNP_REPEATS_LISTS(parameters)                                                               \
  GNP_TAKES_LIST_FIRST(repeat, (parameters, const repeat_options& options = {}), (counts, options)) \
  GNP_TAKES_LIST_FIRST(repeat, (parameters, const axes_t& axis), (counts, axis))
GNP_REPEATS_LISTS(const auto& counts)
GNP_REPEATS_LISTS(std::initializer_list<index_t> counts)
#undef GNP_REPEATS_LISTS

namespace detail {

template <class Derived>
template <class Counts>
auto array_members<Derived>::repeat(const Counts& counts, const axes_t& axis) const {
  return gnp::repeat(derived(), counts, axis);
}
template <class Derived>
auto array_members<Derived>::repeat(std::initializer_list<index_t> counts, const axes_t& axis) const {
  return gnp::repeat(derived(), counts, axis);
}
template <class Derived>
template <class Counts>
auto array_members<Derived>::repeat(const Counts& counts, const repeat_options& options) const {
  return gnp::repeat(derived(), counts, options);
}
template <class Derived>
auto array_members<Derived>::repeat(std::initializer_list<index_t> counts,
                                    const repeat_options& options) const {
  return gnp::repeat(derived(), counts, options);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE array<index_t> sources_of_repeats(const array<index_t>& counts) {
  const auto [least, most] = eval((min)(counts), (max)(counts));
  require_not_negative(least.item(), "repeat");
  product_of_sizes(most.item(), counts.size(), "repeat");
  const array<index_t> ends = cumsum(counts);
  return searchsorted(ends, arange(ends(-1).item()), {.side = "right"});
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
