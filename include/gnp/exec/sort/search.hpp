// SPDX-License-Identifier: MIT
// Where elements belong in a sorted table, on its device.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/cpu/loop.hpp>
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

/// Up to this many elements of a table are counted instead: compared with every query, in vectors.
inline constexpr index_t most_counted_in_table = 32;
inline constexpr index_t counted_queries = 64;

template <bool WithEqual, class Key>
constexpr bool comes_first(const Key& in_table, const Key& query) {
  return WithEqual ? !(query < in_table) : in_table < query;
}

/// counts[q]: how many elements of the table come before query q.
template <bool WithEqual, class Key>
inline __attribute__((always_inline)) void count_before_inline(const Key* table, index_t size,
                                                               const Key* queries, Key* counts) {
  for (index_t q = 0; q < counted_queries; ++q) counts[q] = 0;
  for (index_t i = 0; i < size; ++i) {
    GNP_INDEPENDENT
    for (index_t q = 0; q < counted_queries; ++q)
      counts[q] = static_cast<Key>(counts[q] + (comes_first<WithEqual>(table[i], queries[q]) ? 1 : 0));
  }
}
#if GNP_WIDE_LOOPS
template <bool WithEqual, class Key>
GNP_LOOP __attribute__((target("avx2"))) void count_before_wide(const Key* table, index_t size,
                                                                const Key* queries, Key* counts) {
  count_before_inline<WithEqual>(table, size, queries, counts);
}
#endif
template <bool WithEqual, class Key>
GNP_LOOP void count_before(const Key* table, index_t size, const Key* queries, Key* counts) {
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return count_before_wide<WithEqual>(table, size, queries, counts);
#endif
  count_before_inline<WithEqual>(table, size, queries, counts);
}

template <bool WithEqual, class T>
void search_by_counting(const T* table, index_t size, const T* queries, index_t count, index_t* result) {
  using key_type = typename sort_order<T>::key;
  key_type table_keys[most_counted_in_table];
  for (index_t i = 0; i < size; ++i) table_keys[i] = sort_key(table[i]);
  key_type keys[counted_queries] = {}, counts[counted_queries];
  for (index_t first = 0; first < count; first += counted_queries) {
    const index_t now = (std::min)(count - first, counted_queries);
    for (index_t q = 0; q < now; ++q) keys[q] = sort_key(queries[first + q]);
    count_before<WithEqual>(table_keys, size, keys, counts);
    for (index_t q = 0; q < now; ++q) result[first + q] = static_cast<index_t>(counts[q]);
  }
}

template <bool WithEqual, class T>
void search_on_cpu(const T* table, index_t size, const T* queries, index_t count, index_t* result) {
  using key_type = typename sort_order<T>::key;
  parallel_for(count, 1 << 12, [=](index_t begin, index_t end) {
    if constexpr (sizeof(key_type) <= 8) {
      if (size <= most_counted_in_table && end - begin >= counted_queries)
        return search_by_counting<WithEqual>(table, size, queries + begin, end - begin, result + begin);
    }
    for (index_t first = begin; first < end; first += searches_at_once) {
      const int now = static_cast<int>((std::min)(end - first, index_t{searches_at_once}));
      key_type keys[searches_at_once] = {};
      index_t low[searches_at_once] = {};
      for (int q = 0; q < now; ++q) keys[q] = sort_key(queries[first + q]);
      index_t rest = size;
      for (; rest > 1; rest -= rest / 2) {
        const index_t half = rest / 2;
        for (int q = 0; q < searches_at_once; ++q)
          low[q] += comes_first<WithEqual>(sort_key(table[low[q] + half - 1]), keys[q]) ? half : 0;
      }
      for (int q = 0; q < now; ++q)
        result[first + q] =
            low[q] + (rest == 1 && comes_first<WithEqual>(sort_key(table[low[q]]), keys[q]) ? 1 : 0);
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
