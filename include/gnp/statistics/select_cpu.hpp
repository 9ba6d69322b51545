// SPDX-License-Identifier: MIT
// Elements of given ranks on the CPU, without sorting all of them.
#pragma once

#include <algorithm>
#include <gnp/cpu/loop.hpp>
#include <gnp/exec/sort/sort_rows.hpp>
#include <gnp/memory/room.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Rows of at least this length are divided into piles first.
inline constexpr index_t worth_piles = 1 << 13;
inline constexpr int piles_log = 12;

template <class T>
bool is_nan_value(const T& x) {
  return x != x;
}

/// Finds the elements of ascending ranks: out[i] is the element of rank ranks[i]. There must be no NaN.
template <class T>
void place_ranks(T* values, index_t length, const index_t* ranks, index_t count, T* out) {
  T* from = values;
  for (index_t i = 0; i < count; ++i) {
    T* const at = values + ranks[i];
    if (at >= from) {
      T* const end = values + length;
      if (at == from && i > 0) {  // the least of the rest, or the greatest: one look at each
        std::swap(*at, *std::min_element(from, end));
      } else if (at == end - 1) {
        std::swap(*at, *std::max_element(from, end));
      } else {
        std::nth_element(from, at, end);
      }
      from = at + 1;
    }
    out[i] = *at;
  }
}

template <class T>
using selection_key = typename sort_order<T>::key;

template <class T>
GNP_LOOP void find_key_range(const T* row, index_t length, selection_key<T>& least,
                             selection_key<T>& greatest) {
  selection_key<T> low = sort_key(row[0]);
  selection_key<T> high = low;
  for (index_t i = 1; i < length; ++i) {
    const selection_key<T> key = sort_key(row[i]);
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  least = low;
  greatest = high;
}

/// For a long row: its elements are counted in piles of neighbouring keys, and only the piles that hold a rank
/// are gathered and searched. There must be no NaN; `scratch` has room for the row.
template <class T>
void select_from_piles(const T* row, index_t length, selection_key<T> least, selection_key<T> greatest,
                       T* scratch, const index_t* ranks, index_t count, T* out) {
  using key_type = selection_key<T>;
  int shift = 0;
  while ((static_cast<std::uint64_t>(greatest - least) >> shift) >> piles_log != 0) ++shift;
  const auto pile_of = [least, shift](const T& x) {
    return static_cast<std::size_t>(static_cast<key_type>(sort_key(x) - least) >> shift);
  };
  constexpr std::size_t piles = std::size_t{1} << piles_log;
  std::vector<std::uint32_t> counts(2 * piles);  // two sets by turns, so that equal neighbours need not wait
  index_t i = 0;
  for (; i + 1 < length; i += 2) {
    ++counts[pile_of(row[i])];
    ++counts[piles + pile_of(row[i + 1])];
  }
  if (i < length) ++counts[pile_of(row[i])];

  // Ranks among the gathered elements: less by the number of elements in earlier piles that are left out.
  std::vector<unsigned char> wanted(piles);
  std::vector<index_t> ranks_there(ranks, ranks + count);
  index_t before = 0;
  index_t gathered = 0;
  index_t next = 0;
  for (std::size_t pile = 0; pile < piles && next < count; ++pile) {
    const index_t here = index_t{counts[pile]} + counts[piles + pile];
    if (ranks[next] < before + here) {
      wanted[pile] = 1;
      for (; next < count && ranks[next] < before + here; ++next)
        ranks_there[static_cast<std::size_t>(next)] = ranks[next] - before + gathered;
      gathered += here;
    }
    before += here;
  }
  index_t kept = 0;
  for (index_t n = 0; n < length; ++n) {
    scratch[kept] = row[n];
    kept += wanted[pile_of(row[n])];
  }
  place_ranks(scratch, gathered, ranks_there.data(), count, out);
}

/// The elements of ascending ranks among elements of a byte, by counting each of their values.
template <class T>
void select_bytes(const T* row, index_t length, const index_t* ranks, index_t count, T* out) {
  constexpr std::size_t keys = 256;
  std::uint32_t counts[2][keys] = {};  // by turns, so that equal neighbours need not wait
  T with_key[keys] = {};
  for (index_t i = 0; i < length; ++i) {
    const std::size_t key = sort_key(row[i]);
    ++counts[i % 2][key];
    with_key[key] = row[i];
  }
  index_t before = 0;
  for (std::size_t key = 0; count > 0; ++key) {
    before += index_t{counts[0][key]} + counts[1][key];
    for (; count > 0 && *ranks < before; ++ranks, --count) *out++ = with_key[key];
  }
}

/// The elements of ascending ranks of one row; NaN are last. `scratch` has room for the row and one more.
template <class T>
void select_in_row(const T* row, index_t length, T* scratch, const index_t* ranks, index_t count, T* out) {
  if constexpr (sizeof(T) == 1) {
    if (length <= index_t{0xffffffff}) return select_bytes(row, length, ranks, count, out);
  }
  // (This is for numbers that each have their own key, with no NaN among them.)
  const rows_to_sort mine{dtype_of<T>, row, 1, length, false};
  if (partition_row_in_vectors(mine, scratch, {ranks, ranks + count, length, false})) {
    for (index_t i = 0; i < count; ++i) out[i] = scratch[ranks[i]];
    return;
  }
  if (length >= worth_piles && length <= index_t{0xffffffff}) {
    selection_key<T> least{};
    selection_key<T> greatest{};
    find_key_range(row, length, least, greatest);
    // The key of NaN is the greatest of all.
    if (!is_floating(dtype_of<T>) || greatest != static_cast<selection_key<T>>(~selection_key<T>(0))) {
      select_from_piles(row, length, least, greatest, scratch, ranks, count, out);
      return;
    }
  }
  index_t numbers = 0;
  T nan{};
  for (index_t i = 0; i < length; ++i) {
    scratch[numbers] = row[i];
    const bool missing = is_nan_value(row[i]);
    if (missing) nan = row[i];
    numbers += missing ? 0 : 1;
  }
  index_t within = count;
  while (within > 0 && ranks[within - 1] >= numbers) out[--within] = nan;
  place_ranks(scratch, numbers, ranks, within, out);
}

/// Rows of up to this length are sorted, several in one call: that takes less time than to prepare a partition,
/// or the counters of bytes.
template <class T>
inline constexpr index_t worth_sorting = sizeof(T) == 1 ? 32 : most_counted;
/// How many elements are sorted in one call: they stay in the first-level cache.
inline constexpr index_t sorted_at_once = 2048;

/// The elements of ascending ranks in short rows. `scratch` has room for as many elements as are sorted at
/// once.
template <class T>
void select_in_short_rows(const T* from, index_t rows, index_t length, T* scratch, const index_t* ranks,
                          index_t count, T* out) {
  while (rows > 0) {
    const index_t now = (std::min)(rows, sorted_at_once / length);
    sort_rows_on_cpu(from, scratch, now, length, false);
    for (index_t row = 0; row < now; ++row) {
      for (index_t i = 0; i < count; ++i) *out++ = scratch[row * length + ranks[i]];
    }
    from += now * length;
    rows -= now;
  }
}

/// The elements of ascending ranks in each row of a contiguous array; their axis replaces the last one.
template <class T>
array<T> select_on_cpu(const array<T>& rows, const std::vector<index_t>& ranks, const char* function) {
  const index_t length = row_length(rows.shape());
  const auto count = static_cast<index_t>(ranks.size());
  shape_t shape = rows.shape();
  shape[shape.rank() - 1] = count;
  const array<T> result(shape, rows.device(), function);
  const T* from = rows.data();
  T* to = result.data();
  const index_t grain = (std::max)(index_t{1}, (index_t{1} << 14) / length);
  parallel_for(rows.size() / length, grain, [&](index_t row, index_t last) {
    const bool are_short = length <= worth_sorting<T>;
    const index_t room = are_short ? (std::min)((last - row) * length, sorted_at_once) : length;
    const auto scratch = room_for<T>(room + 1);
    if (are_short) {
      return select_in_short_rows(from + row * length, last - row, length, scratch.get(), ranks.data(), count,
                                  to + row * count);
    }
    for (; row < last; ++row)
      select_in_row(from + row * length, length, scratch.get(), ranks.data(), count, to + row * count);
  });
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
