// SPDX-License-Identifier: MIT
// Quicksort and quickselect of numbers in vectors of 64 bytes (AVX-512). A partition writes smaller keys to
// one end and the others to the other end, without branches that depend on keys. Short parts are sorted by a
// sorting network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gnp/exec/sort/vector_keys.hpp>

#if GNP_VECTOR_SORTS

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace vector_sorts {

// Sorting networks. A sequence that rises and then falls is sorted by ordering each element and the one half
// the length away, and then each half likewise; two sorted ones make such a sequence, the second one backwards.

template <class Keys, int Bit>
GNP_SORT_STEP void merge_lanes(typename Keys::vectors& v) {
  Keys::template order_lanes<Bit>(v);
  if constexpr (Bit > 1) merge_lanes<Keys, Bit / 2>(v);
}
template <class Keys, int Length>
GNP_SORT_STEP void sort_lanes(typename Keys::vectors& v) {
  if constexpr (Length > 2) sort_lanes<Keys, Length / 2>(v);
  Keys::template order_lanes<Length - 1>(v);
  if constexpr (Length > 2) merge_lanes<Keys, Length / 4>(v);
}
template <class Keys, int Count>
GNP_SORT_STEP void merge_vectors(typename Keys::vectors* v) {
  if constexpr (Count == 1) {
    merge_lanes<Keys, Keys::lanes / 2>(v[0]);
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < Count / 2; ++i) Keys::order(v[i], v[i + Count / 2]);
    merge_vectors<Keys, Count / 2>(v);
    merge_vectors<Keys, Count / 2>(v + Count / 2);
  }
}
template <class Keys, int Count>
GNP_SORT_STEP void sort_vectors(typename Keys::vectors* v) {
  if constexpr (Count == 1) {
    sort_lanes<Keys, Keys::lanes>(v[0]);
  } else {
    constexpr int half = Count / 2;
    sort_vectors<Keys, half>(v);
    sort_vectors<Keys, half>(v + half);
    typename Keys::vectors backwards[static_cast<std::size_t>(half)];
#pragma GCC unroll 16
    for (int i = 0; i < half; ++i) backwards[i] = Keys::template exchanged<Keys::lanes - 1>(v[Count - 1 - i]);
#pragma GCC unroll 16
    for (int i = 0; i < half; ++i) {
      Keys::order(v[i], backwards[i]);
      v[half + i] = backwards[i];
    }
    merge_vectors<Keys, half>(v);
    merge_vectors<Keys, half>(v + half);
  }
}

// At least half as many vectors as they have lanes are sorted by columns: the same lane of each vector. Most
// steps then compare whole vectors, whose lanes need not be moved, and the columns become rows at the end.
// (Doubles in rows of 256: 1.5 ms for a million, and 2.8 by rows.)

template <class Keys, int Count>
GNP_SORT_STEP void merge_columns(typename Keys::vectors* v) {
  if constexpr (Count > 1) {
#pragma GCC unroll 16
    for (int i = 0; i < Count / 2; ++i) Keys::order(v[i], v[i + Count / 2]);
    merge_columns<Keys, Count / 2>(v);
    merge_columns<Keys, Count / 2>(v + Count / 2);
  }
}
template <class Keys, int Count>
GNP_SORT_STEP void sort_columns(typename Keys::vectors* v) {
  if constexpr (Count > 1) {
    sort_columns<Keys, Count / 2>(v);
    sort_columns<Keys, Count / 2>(v + Count / 2);
#pragma GCC unroll 16
    for (int i = 0; i < Count / 2; ++i) Keys::order(v[i], v[Count - 1 - i]);
    merge_columns<Keys, Count / 2>(v);
    merge_columns<Keys, Count / 2>(v + Count / 2);
  }
}
template <class Keys, int Count, int Bit>
GNP_SORT_STEP void order_columns(typename Keys::vectors* v) {
  if constexpr (Bit > 0) {
#pragma GCC unroll 32
    for (int i = 0; i < Count; ++i) Keys::template order_lanes<Bit>(v[i]);
    order_columns<Keys, Count, Bit / 2>(v);
  }
}
/// Of sorted columns, makes groups of Columns that are sorted one column after the other.
template <class Keys, int Count, int Columns>
GNP_SORT_STEP void join_columns(typename Keys::vectors* v) {
  if constexpr (Columns > 1) {
    join_columns<Keys, Count, Columns / 2>(v);
#pragma GCC unroll 16
    for (int i = 0; i < Count / 2; ++i) Keys::template order_lanes<Columns - 1>(v[i], v[Count - 1 - i]);
    order_columns<Keys, Count, Columns / 4>(v);
    merge_columns<Keys, Count>(v);
  }
}
template <class Keys, int Count, int Distance>
GNP_SORT_STEP void transpose(typename Keys::vectors* v) {
  if constexpr (Distance > 0) {
#pragma GCC unroll 32
    for (int i = 0; i < Count; ++i) {
      if ((i & Distance) == 0) Keys::template transpose_step<Distance>(v[i], v[i + Distance]);
    }
    transpose<Keys, Count, Distance / 2>(v);
  }
}
/// Which vector holds vector i of the result, after sort_by_columns().
template <class Keys, int Count>
constexpr int place_of_vector(int i) {
  if (Count < Keys::lanes) return i < Count / 2 ? 2 * i : 2 * (i - Count / 2) + 1;
  constexpr int blocks = (std::max)(1, Count / Keys::lanes);
  return i % blocks * Keys::lanes + i / blocks;
}
template <class Keys, int Count>
GNP_SORT_STEP void sort_by_columns(typename Keys::vectors* v) {
  sort_columns<Keys, Count>(v);
  join_columns<Keys, Count, Keys::lanes>(v);
  if constexpr (Count < Keys::lanes) {  // half as many: columns become halves of vectors, which then meet
    transpose<Keys, Count, Count / 2>(v);
#pragma GCC unroll 8
    for (int i = 0; i < Count; i += 2) Keys::template transpose_step<Count>(v[i], v[i + 1]);
  } else {
#pragma GCC unroll 8
    for (int i = 0; i < Count; i += Keys::lanes) transpose<Keys, Keys::lanes, Keys::lanes / 2>(v + i);
  }
}

template <class Keys>
using mask_of_keys = typename Keys::w::mask;
/// A mask of the first lanes.
template <class Keys>
GNP_SORT_STEP mask_of_keys<Keys> first_lanes(index_t count) {
  return static_cast<mask_of_keys<Keys>>(count >= Keys::lanes ? ~0U : (1U << count) - 1);
}

/// Sorts rows of more than half as many keys as Count vectors have lanes, and at most as many.
template <class Keys, int Count>
GNP_SORTS __attribute__((noinline)) void sort_few(Keys all, index_t rows, index_t length) {
  mask_of_keys<Keys> masks[static_cast<std::size_t>(Count)];
  for (int i = 0; i < Count; ++i)
    masks[i] = first_lanes<Keys>((std::max)(index_t{0}, length - i * Keys::lanes));
  for (; rows > 0; --rows, all = all.from(length)) {
    typename Keys::vectors v[static_cast<std::size_t>(Count)];
#pragma GCC unroll 32
    for (int i = 0; i < Count; ++i) v[i] = all.load_some(i * Keys::lanes, masks[i]);
    if constexpr (2 * Count < Keys::lanes) {
      sort_vectors<Keys, Count>(v);
#pragma GCC unroll 16
      for (int i = 0; i < Count; ++i) all.store_some(i * Keys::lanes, v[i], masks[i]);
    } else {
      sort_by_columns<Keys, Count>(v);
#pragma GCC unroll 32
      for (int i = 0; i < Count; ++i)
        all.store_some(i * Keys::lanes, v[place_of_vector<Keys, Count>(i)], masks[i]);
    }
  }
}

/// How many keys sort_few_of() sorts at most.
template <class Keys>
inline constexpr index_t most_few = Keys::most_in_network * Keys::lanes;
template <class Keys>
GNP_SORTS inline void sort_few_of(Keys all, index_t rows, index_t length) {
  const index_t vectors = (length + Keys::lanes - 1) / Keys::lanes;
  if (vectors <= 1) return sort_few<Keys, 1>(all, rows, length);
  if (vectors <= 2) return sort_few<Keys, 2>(all, rows, length);
  if (vectors <= 4) return sort_few<Keys, 4>(all, rows, length);
  if (vectors <= 8) return sort_few<Keys, 8>(all, rows, length);
  if constexpr (Keys::most_in_network > 16) {
    if (vectors > 16) return sort_few<Keys, 32>(all, rows, length);
  }
  sort_few<Keys, 16>(all, rows, length);
}

/// How many vectors a partition reads at a time. From which end the next ones are read depends on where these
/// have been stored; with several of them, the processor has enough to do until that is known.
inline constexpr int vectors_at_once = 8;

/// Partitions keys into those that compare with the pivot and those that do not; returns how many do.
template <int Comparison, class Keys>
GNP_SORTS __attribute__((noinline)) index_t partition(Keys all, index_t count, typename Keys::key pivot_key) {
  using w = typename Keys::w;
  constexpr index_t lanes = Keys::lanes;
  constexpr index_t block = vectors_at_once * lanes;
  static_assert(most_few<Keys> >= 2 * block, "fewer keys than two blocks do not come here");
  const typename w::vector pivot = typename w::vector{} + static_cast<typename w::word>(pivot_key);
  // Keys at both ends are copied here first, which makes room for stores. So many are copied at the left end
  // that whole blocks remain.
  constexpr index_t most_waiting = 3 * block;
  alignas(64) std::int64_t memory[static_cast<std::size_t>(2 * most_waiting)];
  auto waiting = all;
  waiting.k = reinterpret_cast<typename Keys::key*>(memory);
  if constexpr (requires { waiting.p; }) waiting.p = memory + most_waiting;
  const index_t left_waiting = block + (count - 2 * block) % block;
  const index_t waiting_count = left_waiting + block;
  const auto keep = [](auto* to, const auto* from, index_t n) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof *to);
  };
  keep(waiting.k, all.k, left_waiting);
  keep(waiting.k + left_waiting, all.k + count - block, block);
  if constexpr (requires { waiting.p; }) {
    keep(waiting.p, all.p, left_waiting);
    keep(waiting.p + left_waiting, all.p + count - block, block);
  }
  index_t write_left = 0;
  index_t write_right = count;
  const auto put = [&](const typename Keys::vectors& v) GNP_SORTS __attribute__((always_inline)) {
    // The partitioned vector is stored at both ends. The lanes that do not belong there fall into free room.
    const mask_of_keys<Keys> before = w::template compare<Comparison>(v.key, pivot);
    const auto low = static_cast<index_t>(__builtin_popcount(before));
    const auto apart = Keys::apart(v, before);
    all.store(write_left, apart);
    all.store(write_right - lanes, apart);
    write_left += low;
    write_right -= lanes - low;
  };
  index_t left = left_waiting;
  index_t right = count - block;
  while (left < right) {
    // The end with less room is read next, so that both ends have room for a block.
    const bool from_left = left - write_left <= write_right - right;
    const index_t next = from_left ? left : right - block;
    left += from_left ? block : 0;
    right -= from_left ? 0 : block;
    typename Keys::vectors v[vectors_at_once];
#pragma GCC unroll 8
    for (int i = 0; i < vectors_at_once; ++i) v[i] = all.load(next + i * lanes);
#pragma GCC unroll 8
    for (int i = 0; i < vectors_at_once; ++i) put(v[i]);
  }
  // As long as there is room for two vectors, the stores at both ends do not overlap.
  index_t i = 0;
  for (; waiting_count - i >= 2 * lanes; i += lanes) put(waiting.load(i));
  for (; i < waiting_count; i += lanes) {
    const mask_of_keys<Keys> some = first_lanes<Keys>(waiting_count - i);
    const typename Keys::vectors v = waiting.load_some(i, some);
    const auto before = static_cast<mask_of_keys<Keys>>(w::template compare<Comparison>(v.key, pivot) & some);
    const auto after = static_cast<mask_of_keys<Keys>>(some & ~before);
    const auto low = static_cast<index_t>(__builtin_popcount(before));
    const auto high = static_cast<index_t>(__builtin_popcount(after));
    all.store_some(write_left, Keys::compressed(v, before), first_lanes<Keys>(low));
    all.store_some(write_right - high, Keys::compressed(v, after), first_lanes<Keys>(high));
    write_left += low;
    write_right -= high;
  }
  return write_left;
}

/// A key near the middle: the median of keys at random places, so that no order of the keys is always slow.
template <class Keys, int Count>
GNP_SORTS __attribute__((noinline)) typename Keys::key middle_key(Keys all, index_t count,
                                                                  std::uint64_t& random) {
  using alone = keys<typename Keys::key>;
  alignas(64) typename Keys::key some[static_cast<std::size_t>(Count * alone::lanes)];
  const auto most = (std::min)(static_cast<std::uint64_t>(count), std::uint64_t{0xffffffff});
  for (typename Keys::key& key : some) {
    random = random * 6364136223846793005U + 1442695040888963407U;  // Knuth's generator
    key = all.k[(random >> 32) * most >> 32];
  }
  sort_few<alone, Count>(alone{some}, 1, Count * alone::lanes);
  return some[Count * alone::lanes / 2];
}

/// From this many keys on, it is worth looking at more keys to find one nearer to the middle.
inline constexpr index_t worth_a_better_middle = 4096;

/// The places of a row that a selection asks for, in ascending order.
struct wanted_places {
  const index_t* first;
  const index_t* last;
};

/// Sorts keys. With `Selects`, only the wanted places get the keys that sorting would put there; keys before
/// such a place come no later in the order, and keys behind it no earlier. `offset` is the first key's place.
/// No key is less than `least`, if that is known.
template <bool Selects, class Keys>
GNP_SORTS void sort(Keys all, index_t count, wanted_places wanted, index_t offset, std::uint64_t random,
                    bool has_least = false, typename Keys::key least = 0) {
  while (count > most_few<Keys>) {
    if (Selects && wanted.first == wanted.last) return;
    const typename Keys::key pivot = count < worth_a_better_middle ? middle_key<Keys, 1>(all, count, random)
                                                                   : middle_key<Keys, 4>(all, count, random);
    const bool is_least = has_least && pivot == least;
    const index_t before =
        is_least ? partition<at_most>(all, count, pivot) : partition<less>(all, count, pivot);
    wanted_places wanted_before = wanted;
    if constexpr (Selects) {
      wanted.first = std::lower_bound(wanted.first, wanted.last, offset + before);
      wanted_before.last = wanted.first;
    }
    if (is_least) {  // all keys before the others are equal to the pivot
      if constexpr (requires { all.p; }) {
        sort<Selects>(keys<std::int64_t>{all.p}, before, wanted_before, offset, random);
      }
    } else {
      sort<Selects>(all, before, wanted_before, offset, random, has_least, least);
      has_least = true;
      least = pivot;
    }
    all = all.from(before);
    count -= before;
    offset += before;
  }
  if (count > 1 && !(Selects && wanted.first == wanted.last)) sort_few_of(all, 1, count);
}

/// The random places begin with this number; any other would do.
inline constexpr std::uint64_t any_seed = 0x9e3779b97f4a7c15U;

}}}}  // namespace gnp::GNP_ABI::detail::vector_sorts
#endif
