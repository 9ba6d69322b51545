// SPDX-License-Identifier: MIT
// Many short rows of integers of one byte, sorted side by side on the CPU: a vector has an element of each row,
// and the same exchanges sort all of them. (One row after the other, a row is too short to fill vectors.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/core/shape.hpp>
#include <gnp/cpu/loop.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace byte_rows {

/// The longest rows that are sorted like this. Longer ones take less time with radix sort.
inline constexpr index_t longest = 64;
/// So many rows are side by side.
inline constexpr index_t at_a_time = 64;
/// Fewer rows take less time one after the other.
inline constexpr index_t fewest = 8;

template <class T>
inline constexpr bool has_type = std::is_integral_v<T> && sizeof(T) == 1 && !std::is_same_v<T, bool>;

/// Puts the lesser of two elements into place `low`.
struct exchange {
  unsigned char low, high;
};

/// The exchanges of Batcher's odd-even merge sort, which sort a row whatever is in it.
struct sorting_network {
  static constexpr int most = 543;  // those of 64 elements
  exchange steps[most];
  int count = 0;

  explicit sorting_network(index_t length) {
    for (index_t sorted = 1; sorted < length; sorted *= 2) {
      for (index_t apart = sorted; apart > 0; apart /= 2) add_steps(sorted, apart, length);
    }
  }

 private:
  /// One step of merging neighbours of `sorted` elements each.
  void add_steps(index_t sorted, index_t apart, index_t length) {
    for (index_t first = apart % sorted; first + apart < length; first += 2 * apart) {
      const index_t last = (std::min)(first + apart, length - apart);
      for (index_t low = first; low < last; ++low) {
        if (low / (2 * sorted) != (low + apart) / (2 * sorted)) continue;
        steps[count++] = {static_cast<unsigned char>(low), static_cast<unsigned char>(low + apart)};
      }
    }
  }
};

/// Element i of row r is tile[i][r].
template <class T>
inline __attribute__((always_inline)) void run_network(const sorting_network& network, T (*tile)[at_a_time],
                                                       bool descending) {
  for (const exchange* step = network.steps; step != network.steps + network.count; ++step) {
    T* const lesser = tile[descending ? step->high : step->low];
    T* const greater = tile[descending ? step->low : step->high];
    GNP_INDEPENDENT
    for (index_t r = 0; r < at_a_time; ++r) {
      const T a = lesser[r], b = greater[r];
      lesser[r] = a < b ? a : b;
      greater[r] = a < b ? b : a;
    }
  }
}
#if GNP_WIDE_LOOPS
template <class T>
GNP_LOOP __attribute__((target("avx2"))) void run_network_wide(const sorting_network& network,
                                                               T (*tile)[at_a_time], bool descending) {
  run_network(network, tile, descending);
}
#endif
template <class T>
GNP_LOOP void sort_tile(const sorting_network& network, T (*tile)[at_a_time], bool descending) {
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return run_network_wide(network, tile, descending);
#endif
  run_network(network, tile, descending);
}

/// Sorts rows of up to `longest` elements that lie one after the other, but not the last ones if these are too
/// few. Returns how many rows it has sorted.
template <class T>
index_t sort_rows(const T* from, T* to, index_t rows, index_t length, bool descending) {
  if (rows < fewest) return 0;
  const sorting_network network(length);
  alignas(64) T tile[longest][at_a_time] = {};
  index_t row = 0;
  while (rows - row >= fewest) {
    const index_t here = (std::min)(rows - row, at_a_time);
    const T* const in = from + row * length;
    T* const out = to + row * length;
    for (index_t r = 0; r < here; ++r) {
      for (index_t i = 0; i < length; ++i) tile[i][r] = in[r * length + i];
    }
    sort_tile(network, tile, descending);
    for (index_t r = 0; r < here; ++r) {
      for (index_t i = 0; i < length; ++i) out[r * length + i] = tile[i][r];
    }
    row += here;
  }
  return row;
}

}}}}  // namespace gnp::GNP_ABI::detail::byte_rows
