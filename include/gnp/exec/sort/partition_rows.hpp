// SPDX-License-Identifier: MIT
// Partitioning along the last axis of a contiguous array, on its device. Except for the first few places, a GPU
// sorts whole rows: that is little more work than partitioning them, and correct for all places.
#pragma once

#include <gnp/exec/sort/cpu_partition.hpp>
#include <gnp/exec/sort/sort_rows.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A new array in which each row has, at the given places, what sorted_rows() would have there, with nothing
/// greater before it and nothing less after it. `places` are valid and in ascending order.
template <class T>
array<T> partitioned_rows(const array<T>& from, const std::vector<index_t>& places, const char* function) {
  if (from.size() == 0 || from.device().is_cuda()) return sorted_rows(from, false, function);
  const array<T> to(from.shape(), from.device(), function);
  const index_t length = row_length(from.shape());
  const watched_work watched(from.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(from.nbytes() + to.nbytes()));
  });
  partition_rows_on_cpu(from.data(), to.data(), from.size() / length, length, places);
  return to;
}

/// The first `taken` places of each row's order (descending order if `descending`). They are sorted, or only
/// correct at `places`. The array has at least one dimension.
template <class T>
array<index_t> argpartitioned_rows(const array<T>& from, index_t taken, const std::vector<index_t>& places,
                                   bool descending, bool sorted, const char* function) {
  shape_t shape = from.shape();
  const index_t length = row_length(shape);
  const watched_work watched(
      from.device(), [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(from.nbytes())); });
  shape[shape.rank() - 1] = taken;
#if GNP_HAS_CUDA
  if (from.device().is_cuda() && from.size() > 0 && can_select(length, taken)) {
    const array<index_t> to(shape, from.device(), function);
    const array<T> in = aligned_elements(from);
    select_rows_on_gpu(sort_request_of(in, to, length, true, descending, function), taken);
    return to;
  }
#endif
  if (from.size() == 0 || taken == 0 || from.device().is_cuda()) {
    const array<index_t> order = argsorted_rows(from, descending, function);
    if (taken == length) return order;
    view_layout layout{0, shape, order.element_strides()};
    return order.view(layout).copy();
  }
  const array<index_t> to(shape, from.device(), function);
  const index_t rows = from.size() / length;
  if (length <= index_t{0xffffffff}) {
    argpartition_rows_on_cpu<T, std::uint32_t>(from.data(), to.data(), rows, length, taken, places, descending,
                                               sorted);
  } else {
    argpartition_rows_on_cpu<T, std::uint64_t>(from.data(), to.data(), rows, length, taken, places, descending,
                                               sorted);
  }
  return to;
}

}}}  // namespace gnp::GNP_ABI::detail
