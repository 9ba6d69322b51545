// SPDX-License-Identifier: MIT
// Sorting along the last axis of a contiguous array, on its device. All sorting functions use this.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/exec/sort/cpu_sort.hpp>
#include <gnp/exec/sort/sort_request.hpp>
#include <gnp/memory/watched_work.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/sort/gpu_select.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA
template <class T>
inline sort_kernels sort_kernels_of;

template <class T, class R>
sort_request sort_request_of(const array<T>& from, const array<R>& to, index_t length, bool with_places,
                             bool descending, const char* function) {
  return {dtype_of<T>,      with_places, descending, from.size() / length, length,  from.block().get(),
          to.block().get(), from.data(), to.data(),  &sort_kernels_of<T>,  function};
}
#endif

/// The same elements, copied if a GPU's kernels cannot read each in a single access, because memory of other
/// owners may be misaligned.
template <class T>
array<T> aligned_elements(const array<T>& a) {
  return reinterpret_cast<std::uintptr_t>(a.data()) % sizeof(T) == 0 ? a : a.copy();
}

/// The length of the last axis: that of a row.
inline index_t row_length(const shape_t& shape) { return shape.rank() == 0 ? 1 : shape.back(); }

/// A new array with each row of a contiguous one (along its last axis) sorted, stably; NaN are last.
template <class T>
array<T> sorted_rows(const array<T>& from, bool descending, const char* function) {
  const array<T> to(from.shape(), from.device(), function);
  if (to.size() == 0) return to;
  const watched_work watched(from.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(from.nbytes() + to.nbytes()));
  });
  const index_t length = row_length(from.shape());
  if (from.device().is_cpu()) {
    sort_rows_on_cpu(from.data(), to.data(), from.size() / length, length, descending);
  } else {
#if GNP_HAS_CUDA
    const array<T> in = aligned_elements(from);
    sort_rows_on_gpu(sort_request_of(in, to, length, false, descending, function));
#endif
  }
  return to;
}

/// For each element of sorted_rows(), its original place in the row.
template <class T>
array<index_t> argsorted_rows(const array<T>& from, bool descending, const char* function) {
  const array<index_t> to(from.shape(), from.device(), function);
  if (to.size() == 0) return to;
  const watched_work watched(from.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(from.nbytes() + to.nbytes()));
  });
  const index_t length = row_length(from.shape());
  if (from.device().is_cpu()) {
    const index_t rows = from.size() / length;
    if (length <= index_t{0xffffffff}) {
      argsort_rows_on_cpu<T, std::uint32_t>(from.data(), to.data(), rows, length, descending);
    } else {
      argsort_rows_on_cpu<T, std::uint64_t>(from.data(), to.data(), rows, length, descending);
    }
  } else {
#if GNP_HAS_CUDA
    const array<T> in = aligned_elements(from);
    sort_rows_on_gpu(sort_request_of(in, to, length, true, descending, function));
#endif
  }
  return to;
}

}}}  // namespace gnp::GNP_ABI::detail
