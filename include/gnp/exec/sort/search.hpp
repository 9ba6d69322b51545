// SPDX-License-Identifier: MIT
// Where elements belong in a sorted table, on its device.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/sort/sort_rows.hpp>
#include <gnp/exec/text/search_kernels.hpp>
#include <gnp/expr/scalar/order.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/text/search_source.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many searches run interleaved on the CPU, each waiting for its own element of the table.
inline constexpr int searches_at_once = 16;

template <bool WithEqual, class T>
void search_on_cpu(const T* table, index_t size, const T* queries, index_t count, index_t* result) {
  using key_type = typename sort_order<T>::key;
  const auto passes = [](const key_type& in_table, const key_type& query) {
    return WithEqual ? !(query < in_table) : in_table < query;
  };
  parallel_for(count, 1 << 12, [=](index_t begin, index_t end) {
    for (index_t first = begin; first < end; first += searches_at_once) {
      const int now = static_cast<int>((std::min)(end - first, index_t{searches_at_once}));
      key_type keys[searches_at_once] = {};
      index_t low[searches_at_once] = {};
      for (int q = 0; q < now; ++q) keys[q] = sort_key(queries[first + q]);
      index_t rest = size;
      for (; rest > 1; rest -= rest / 2) {
        const index_t half = rest / 2;
        for (int q = 0; q < searches_at_once; ++q)
          low[q] += passes(sort_key(table[low[q] + half - 1]), keys[q]) ? half : 0;
      }
      for (int q = 0; q < now; ++q)
        result[first + q] = low[q] + (rest == 1 && passes(sort_key(table[low[q]]), keys[q]) ? 1 : 0);
    }
  });
}

#if GNP_HAS_CUDA

[[gnu::cold]] GNP_DECLARED std::string search_source(dtype type, bool with_equal);

template <class T>
void search_on_gpu(const array<T>& table, const array<T>& queries, const array<index_t>& result,
                   bool with_equal) {
  static device_kernel kernels[2];
  const submission work(result.device());
  search_arguments a;
  a.count = static_cast<unsigned long long>(queries.size());
  a.size = static_cast<unsigned long long>(table.size());
  // One block for each multiprocessor fills its shared memory once, with only as many pivots as are worthwhile
  // for its searches.
  const auto most = static_cast<std::uint64_t>(work.device().multiprocessors);
  const std::uint64_t blocks = (std::min)(most, std::uint64_t{(a.count + search_threads - 1) / search_threads});
  const std::uint64_t pivots = (std::min)(static_cast<std::uint64_t>(most_pivots(dtype_of<T>)),
                                          std::uint64_t{a.count / blocks * 2 + 512});
  a.stride = (a.size + pivots - 1) / pivots;
  const CUfunction function = kernels[with_equal ? 1 : 0].on(
      work.device(), [with_equal] { return search_source(dtype_of<T>, with_equal); });
  work.launch(function, {.blocks = blocks, .threads = search_threads}, a,
              static_cast<const T*>(work.reads(table)), static_cast<const T*>(work.reads(queries)),
              work.writes(result));
}

#endif

/// For each query, how many elements of a sorted table come before it (with_equal: before it or equal to it).
/// Both arrays are contiguous, and on the same device.
template <class T>
array<index_t> search(const array<T>& table, const array<T>& queries, bool with_equal, const char* function) {
  const array<index_t> result(queries.shape(), queries.device(), function);
  if (result.size() == 0) return result;
  const watched_work watched(table.device(), [&] {
    return facts_of(function, dtype_of<T>, static_cast<std::size_t>(queries.nbytes() + result.nbytes()));
  });
  if (table.size() == 0) {
    result.fill(0);
  } else if (result.device().is_cpu()) {
    (with_equal ? search_on_cpu<true, T> : search_on_cpu<false, T>)(table.data(), table.size(), queries.data(),
                                                                    queries.size(), result.data());
  } else {
#if GNP_HAS_CUDA
    search_on_gpu(aligned_elements(table), aligned_elements(queries), result, with_equal);
#endif
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
