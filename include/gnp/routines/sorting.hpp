// SPDX-License-Identifier: MIT
// sort, argsort and sort_complex: they are stable, put NaN last, and order complex numbers by their real parts,
// then by their imaginary parts.
#pragma once

#include <algorithm>
#include <gnp/core/sort_options.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/sort/sort_rows.hpp>
#include <gnp/routines/stretches.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The axis given to a function that works along a single axis.
GNP_INLINE int only_axis(const axes_t& axis, int rank, const char* function) {
  if (axis.values().rank() != 1) {
    throw shape_error(std::string(function) + ": takes one axis or none, got " + to_string(axis.values()));
  }
  return normalize_axis(axis.values()[0], rank, function);
}

/// How many of `count` parts of an array are copied, sorted and copied back together: on the CPU as many as
/// stay in the second-level caches of the threads meanwhile.
GNP_INLINE index_t sorted_together(index_t bytes, index_t count, device where) {
  constexpr index_t of_thread = 1 << 18;
  if (where.is_cuda() || bytes == 0) return count;
  const index_t most = of_thread * thread_count().load(std::memory_order_relaxed);
  return std::clamp(most / (bytes / count + 1), index_t{1}, count);
}

/// Calls along_rows(rows), with the given axis of x as the last axis of a contiguous array, and moves that axis
/// of the result back to its place. Without an axis, x is flattened. The result is contiguous. If the axis is
/// not the last one, this is done for one part of x after the other.
template <array_like X, class F>
auto along_one_axis(const X& x, const axes_t& axis, const char* function, const F& along_rows) {
  const auto a = x.eval();
  if (!axis.given()) return along_rows(ravel(a));
  const int along = only_axis(axis, a.ndim(), function);
  if (along == a.ndim() - 1) return along_rows(ascontiguousarray(a));
  const auto moved = moveaxis(a, along, -1);
  const decltype(along_rows(moved)) result(a.shape(), a.device(), function);
  const auto moved_result = moveaxis(result, along, -1);
  const auto* const longest = std::max_element(moved.shape().begin(), moved.shape().end() - 1);
  const auto cut = static_cast<int>(longest - moved.shape().begin());
  const index_t step = sorted_together(a.nbytes(), *longest, a.device());
  for (index_t begin = 0; begin == 0 || begin < *longest; begin += step) {
    const index_t count = (std::min)(step, *longest - begin);
    stretch_of(moved_result, cut, begin, count).assign(along_rows(stretch_of(moved, cut, begin, count).copy()));
    if (step == 0) break;
  }
  return result;
}

}  // namespace detail

/// A copy sorted along an axis (by default the last; with `none`, flattened). Equal elements keep their order;
/// NaN are last, also in descending order.
template <array_like X>
array<typename X::value_type> sort(const X& x, const sort_options& options = {}) {
  options.kind.require_known("sort");
  return detail::along_one_axis(x, options.axis, "sort", [&](const auto& rows) {
    return detail::sorted_rows(rows, options.descending, "sort");
  });
}
GNP_AXES_FIRST(sort, sort_options)

/// For each element of sort(x), its index in x along the axis.
template <array_like X>
array<index_t> argsort(const X& x, const sort_options& options = {}) {
  options.kind.require_known("argsort");
  return detail::along_one_axis(
      x, detail::axes_within(options.axis, x.ndim()), "argsort",
      [&](const auto& rows) { return detail::argsorted_rows(rows, options.descending, "argsort"); });
}
GNP_AXES_FIRST(argsort, sort_options)

/// Sorted along the last axis, as complex numbers.
template <array_like X>
auto sort_complex(const X& x) {
  using T = typename X::value_type;
  detail::normalize_axis(-1, x.ndim(), "sort_complex");
  if constexpr (is_complex(dtype_of<T>)) {
    return sort(x);
  } else if constexpr (is_integer(dtype_of<T>) && sizeof(T) <= 2) {
    return sort(x.template astype<complex64>());
  } else {
    return sort(x.template astype<complex128>());
  }
}

GNP_MEMBER_ALONG_AXES_BODY(argsort, sort_options)

template <element T>
void array<T>::sort(const sort_options& options) const {
  if (!options.axis.given())
    throw shape_error(
        "sort: an array is sorted in place along one axis: sort its ravel() to sort it flattened");
  detail::assign(*this, gnp::sort(*this, options), "sort");
}
template <element T>
void array<T>::sort(const axes_t& axis, sort_options options) const {
  options.axis = axis;
  sort(options);
}

}}  // namespace gnp::GNP_ABI
