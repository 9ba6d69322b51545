// SPDX-License-Identifier: MIT
// Stable sorting on the CPU, for what cannot be sorted in vectors. A few elements are sorted by counting, for
// each element, how many come before it; more elements are sorted by the bytes of their keys, the least
// significant byte first. Neither method branches on an element.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <gnp/core/shape.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/sort/byte_rows.hpp>
#include <gnp/exec/sort/vector_sort.hpp>
#include <gnp/expr/scalar/order.hpp>
#include <gnp/memory/room.hpp>
#include <limits>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An element's key, and its original place.
template <class Key, class Place>
struct keyed_place {
  Key key;
  Place place;
};

/// Up to this many elements are sorted by counting: n * n comparisons in vectors.
inline constexpr index_t most_counted = 64;

/// ranks[i]: how many of the keys come before keys[i]. Equal ones keep their order.
template <class Key>
GNP_LOOP void count_ranks(const Key* keys, unsigned char* ranks, int count) {
  using rank_t = typename unsigned_of_size<(sizeof(Key) > 8 ? 8 : sizeof(Key))>::type;
  rank_t rank[most_counted] = {};
  for (int j = 0; j < count; ++j) {
    const Key other = keys[j];
    for (int i = 0; i < j; ++i) rank[i] = static_cast<rank_t>(rank[i] + (other < keys[i]));
    for (int i = j + 1; i < count; ++i) rank[i] = static_cast<rank_t>(rank[i] + !(keys[i] < other));
  }
  for (int i = 0; i < count; ++i) ranks[i] = static_cast<unsigned char>(rank[i]);
}

/// Rows of up to this many keys are counted side by side, so many at a time: a vector has a key of each row.
/// (One row after the other, rows of three keys of 8 bytes take fifteen times as long.)
template <class Key>
inline constexpr index_t most_side_by_side = sizeof(Key) > 8    ? 0
                                             : sizeof(Key) == 8 ? 12
                                             : sizeof(Key) == 4 ? 8
                                                                : 4;
inline constexpr index_t rows_side_by_side = 64;

/// Key i of row r is keys[i][r]; ranks[i][r] is its place in the sorted row. Equal keys keep their order.
template <class Key>
inline __attribute__((always_inline)) void count_ranks_of_each(const Key (*keys)[rows_side_by_side],
                                                               Key (*ranks)[rows_side_by_side],
                                                               index_t length) {
  for (index_t i = 0; i < length; ++i) {
    for (index_t r = 0; r < rows_side_by_side; ++r) ranks[i][r] = 0;
    for (index_t j = 0; j < i; ++j) {
      GNP_INDEPENDENT
      for (index_t r = 0; r < rows_side_by_side; ++r) {
        const bool is_after = keys[j][r] <= keys[i][r];
        ranks[i][r] = static_cast<Key>(ranks[i][r] + (is_after ? 1 : 0));
        ranks[j][r] = static_cast<Key>(ranks[j][r] + (is_after ? 0 : 1));
      }
    }
  }
}
#if GNP_WIDE_LOOPS
template <class Key>
GNP_LOOP __attribute__((target("avx2"))) void count_ranks_of_each_wide(const Key (*keys)[rows_side_by_side],
                                                                       Key (*ranks)[rows_side_by_side],
                                                                       index_t length) {
  count_ranks_of_each(keys, ranks, length);
}
#endif
template <class Key>
GNP_LOOP void count_ranks_of_rows(const Key (*keys)[rows_side_by_side], Key (*ranks)[rows_side_by_side],
                                  index_t length) {
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return count_ranks_of_each_wide(keys, ranks, length);
#endif
  count_ranks_of_each(keys, ranks, length);
}

/// Elements of a row that are worth a thread of their own.
inline constexpr index_t least_sorted_part = 1 << 16;

/// Is a row so long that several threads should sort it together, by bytes, rather than one in vectors? One
/// thread takes 1.2 to 2.4 times as long by bytes (a million numbers of 4 and 8 bytes), and threads that share
/// memory are not as fast as their number.
inline bool threads_share_rows(index_t rows, index_t length) {
  const index_t threads = thread_count().load(std::memory_order_relaxed);
  return rows < threads && (std::min)(threads, length / least_sorted_part) > 3;
}

/// radix_sort() with counters of type Count. Narrow counters leave more of the first-level cache to the items.
template <class Count, class Item, class Source, class KeyOf>
void radix_sort_counting(const Source& source, Item* to, Item* spare, index_t count, const KeyOf& key_of) {
  using key_type = decltype(key_of(*to));
  constexpr std::size_t bytes = sizeof(key_type);
  using counts = std::array<Count, 256>;
  const index_t most = thread_count().load(std::memory_order_relaxed);
  const index_t parts = (std::max)(index_t{1}, (std::min)(most, count / least_sorted_part));
  const auto part_begin = [&](index_t part) { return count / parts * part + (std::min)(part, count % parts); };
  const auto for_each_part = [&](const auto& f) {
    parallel_for(parts, 1, [&](index_t first, index_t last) {
      for (index_t p = first; p < last; ++p) f(p, part_begin(p), part_begin(p + 1));
    });
  };

  // Counts how often each byte has each value, for all bytes in one pass.
  std::array<counts, sizeof(key_type)> alone;
  std::vector<std::array<counts, sizeof(key_type)>> of_parts(parts > 1 ? static_cast<std::size_t>(parts) : 0);
  std::array<counts, sizeof(key_type)>* all = parts > 1 ? of_parts.data() : &alone;
  for_each_part([&](index_t part, index_t begin, index_t end) {
    std::array<counts, sizeof(key_type)>& mine = all[part];
    for (counts& c : mine) c.fill(0);
    for (index_t i = begin; i < end; ++i) {
      const key_type key = key_of(source(i));
      for (std::size_t b = 0; b < bytes; ++b) ++mine[b][scalar::key_byte(key, static_cast<int>(b))];
    }
  });
  // A byte that is the same in all keys can be skipped.
  std::size_t ordering[bytes];
  int passes = 0;
  for (std::size_t b = 0; b < bytes; ++b) {
    const std::size_t value = scalar::key_byte(key_of(source(0)), static_cast<int>(b));
    index_t same = 0;
    for (index_t p = 0; p < parts; ++p) same += static_cast<index_t>(all[p][b][value]);
    if (same != count) ordering[passes++] = b;
  }
  const auto run_pass = [&](const auto& item, std::size_t b, Item* out, bool counted) {
    const auto byte = static_cast<int>(b);
    if (!counted) {
      for_each_part([&](index_t part, index_t begin, index_t end) {
        counts& mine = all[part][b];
        mine.fill(0);
        for (index_t i = begin; i < end; ++i) ++mine[scalar::key_byte(key_of(item(i)), byte)];
      });
    }
    Count place = 0;
    for (std::size_t value = 0; value < 256; ++value) {
      for (std::array<counts, sizeof(key_type)>* of_part = all; of_part != all + parts; ++of_part) {
        const Count here = (*of_part)[b][value];
        (*of_part)[b][value] = place;
        place += here;
      }
    }
    for_each_part([&](index_t part, index_t begin, index_t end) {
      Count* const next = all[part][b].data();
      for (index_t i = begin; i < end; ++i) {
        const Item x = item(i);
        out[next[scalar::key_byte(key_of(x), byte)]++] = x;
      }
    });
  };
  const auto target = [&](int pass) { return (passes - 1 - pass) % 2 == 0 ? to : spare; };
  if (passes == 0) {
    for (index_t i = 0; i < count; ++i) to[i] = source(i);
  } else {
    run_pass(source, ordering[0], target(0), true);
  }
  for (int pass = 1; pass < passes; ++pass) {
    const Item* const from = target(pass - 1);
    run_pass([from](index_t i) { return from[i]; }, ordering[pass], target(pass), parts == 1);
  }
}

/// Sorts the items source(0), source(1), ... into `to`; `spare` is as large. key_of(item) is a key.
template <class Item, class Source, class KeyOf>
void radix_sort(const Source& source, Item* to, Item* spare, index_t count, const KeyOf& key_of) {
  if (count <= index_t{0xffffffff}) {
    radix_sort_counting<std::uint32_t>(source, to, spare, count, key_of);
  } else {
    radix_sort_counting<std::uint64_t>(source, to, spare, count, key_of);
  }
}

template <class T>
using sort_part = typename sort_order<T>::part;

/// 0, or all ones to sort in descending order.
template <class T>
constexpr sort_part<T> flip_for(bool descending) {
  return descending ? static_cast<sort_part<T>>(~sort_part<T>(0)) : sort_part<T>(0);
}

/// Does each of these floating-point numbers have its own key? NaN and -0.0 do not.
template <class T>
GNP_LOOP bool has_plain_keys(const T* from, index_t count) {
  using order = sort_order<T>;
  using bits = typename order::bits;
  constexpr bits largest = std::bit_cast<bits>(std::numeric_limits<T>::infinity());
  bits special = 0;
  for (index_t i = 0; i < count; ++i) {
    const bits x = std::bit_cast<bits>(from[i]);
    special = static_cast<bits>(special | (x == order::top_bit) |
                                (static_cast<bits>(x & static_cast<bits>(~order::top_bit)) > largest));
  }
  return special == 0;
}

/// The number with this key.
template <class T>
T of_plain_key(typename sort_order<T>::key key, sort_part<T> flip) {
  constexpr auto top_bit = sort_order<T>::top_bit;
  key = static_cast<decltype(key)>(key ^ flip);
  return std::bit_cast<T>(static_cast<decltype(key)>((key & top_bit) != 0 ? key ^ top_bit : ~key));
}

/// From this many integers of one or two bytes on, it takes less time to count each value than to move elements
/// to their places. A million bytes take 0.5 ms, and up to 11 by moving each; a million of all values of 2
/// bytes take 1.7, and 3.4 by bytes. The 65536 counters alone take 0.35 ms, because no branch at the end of a
/// few equal numbers is foreseen.
template <class T>
inline constexpr index_t least_counted_values = sizeof(T) == 1 ? 256 : 1 << 18;

/// Sorts integers of one or two bytes by how often each value occurs. Bytes next to each other have separate
/// counters, so that none waits for the one before it where many are equal.
template <class T>
GNP_LOOP void sort_by_counts(const T* from, T* to, index_t length, bool descending) {
  constexpr int values = 1 << (8 * sizeof(T));
  constexpr int least = (std::numeric_limits<T>::min)();
  constexpr int apart = sizeof(T) == 1 ? 4 : 1;
  std::vector<index_t> counts(static_cast<std::size_t>(apart * values));
  const auto counter = [&](int value, int among) -> index_t& {
    return counts[static_cast<std::size_t>(among * values + value)];
  };
  index_t counted = 0;
  for (; counted + apart <= length; counted += apart) {
    for (int k = 0; k < apart; ++k) ++counter(from[counted + k] - least, k);
  }
  for (; counted < length; ++counted) ++counter(from[counted] - least, 0);
  for (int k = 0; k < values; ++k) {
    const int value = descending ? values - 1 - k : k;
    index_t count = 0;
    for (int among = 0; among < apart; ++among) count += counter(value, among);
    for (index_t i = 0; i < count; ++i) to[i] = static_cast<T>(value + least);
    to += count;
  }
}

/// Truth values are sorted once it is known how many of them are true.
GNP_LOOP inline void sort_truths(const unsigned char* from, unsigned char* to, index_t length,
                                 bool descending) {
  index_t trues = 0;
  for (index_t i = 0; i < length; ++i) trues += from[i] != 0 ? 1 : 0;
  const index_t first = descending ? trues : length - trues;
  for (index_t i = 0; i < length; ++i) to[i] = static_cast<unsigned char>((i < first) == descending ? 1 : 0);
}

/// Sorts one row of values; `spare` has room for as many.
template <class T>
void sort_row_on_cpu(const T* from, T* to, T* spare, index_t length, sort_part<T> flip) {
  using key_type = typename sort_order<T>::key;
  if constexpr (std::is_same_v<T, bool>) {
    return sort_truths(reinterpret_cast<const unsigned char*>(from), reinterpret_cast<unsigned char*>(to),
                       length, flip != 0);
  }
  if (length <= most_counted) {
    key_type keys[most_counted] = {};
    unsigned char ranks[most_counted];
    for (index_t i = 0; i < length; ++i) keys[i] = sort_key(from[i], flip);
    count_ranks(keys, ranks, static_cast<int>(length));
    for (index_t i = 0; i < length; ++i) to[ranks[i]] = from[i];
    return;
  }
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 2) {
    if (length >= least_counted_values<T> && !threads_share_rows(1, length))
      return sort_by_counts(from, to, length, flip != 0);
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (has_plain_keys(from, length)) {  // only keys are sorted, each computed once
      auto* const keys = reinterpret_cast<key_type*>(to);
      radix_sort([from, flip](index_t i) { return sort_key(from[i], flip); }, keys,
                 reinterpret_cast<key_type*>(spare), length, [](key_type key) { return key; });
      parallel_for(length, 1 << 16, [=](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) {
          key_type key;
          std::memcpy(&key, to + i, sizeof key);
          to[i] = of_plain_key<T>(key, flip);
        }
      });
      return;
    }
  }
  radix_sort([from](index_t i) { return from[i]; }, to, spare, length,
             [flip](const T& x) { return sort_key(x, flip); });
}

/// Do elements of one byte go straight to their places? (Where threads share a row, each has a part of it.)
template <class T>
bool are_placed_by_counts(index_t length) {
  return sizeof(typename sort_order<T>::key) == 1 && !threads_share_rows(1, length);
}

/// Finds the order of elements of one byte.
template <class T>
GNP_LOOP void argsort_by_counts(const T* from, index_t* to, index_t length, sort_part<T> flip) {
  index_t next[257] = {};
  for (index_t i = 0; i < length; ++i) ++next[1 + sort_key(from[i], flip)];
  for (int value = 1; value < 256; ++value) next[value] += next[value - 1];
  for (index_t i = 0; i < length; ++i) to[next[sort_key(from[i], flip)]++] = i;
}

/// Finds the order of one row; `items` has room for twice as many.
template <class T, class Item>
void argsort_row_on_cpu(const T* from, index_t* to, Item* items, index_t length, sort_part<T> flip) {
  if (length <= most_counted) {
    typename sort_order<T>::key keys[most_counted] = {};
    unsigned char ranks[most_counted];
    for (index_t i = 0; i < length; ++i) keys[i] = sort_key(from[i], flip);
    count_ranks(keys, ranks, static_cast<int>(length));
    for (index_t i = 0; i < length; ++i) to[ranks[i]] = i;
    return;
  }
  if constexpr (sizeof(typename sort_order<T>::key) == 1) {
    if (are_placed_by_counts<T>(length)) return argsort_by_counts(from, to, length, flip);
  }
  using place = decltype(Item::place);
  radix_sort([=](index_t i) { return Item{sort_key(from[i], flip), static_cast<place>(i)}; }, items,
             items + length, length, [](const Item& x) { return x.key; });
  parallel_for(length, 1 << 16, [=](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) to[i] = static_cast<index_t>(items[i].place);
  });
}

/// Finds the order of each of many short rows.
template <class T>
void argsort_short_rows(const T* from, index_t* to, index_t rows, index_t length, sort_part<T> flip) {
  using key_type = typename sort_order<T>::key;
  key_type keys[most_side_by_side<key_type>][rows_side_by_side] = {};
  key_type ranks[most_side_by_side<key_type>][rows_side_by_side];
  for (; rows > 0; rows -= rows_side_by_side) {
    const index_t here = (std::min)(rows, rows_side_by_side);
    for (index_t r = 0; r < here; ++r) {
      for (index_t i = 0; i < length; ++i) keys[i][r] = sort_key(*from++, flip);
    }
    count_ranks_of_rows(keys, ranks, length);
    for (index_t r = 0; r < here; ++r, to += length) {
      for (index_t i = 0; i < length; ++i) to[ranks[i][r]] = i;
    }
  }
}

/// Sorts `rows` rows that lie one after the other into memory that they do not share.
template <class T>
void sort_rows_on_cpu(const T* from, T* to, index_t rows, index_t length, bool descending) {
  const index_t grain = (std::max)(index_t{1}, (index_t{1} << 14) / length);
  const bool in_vectors = !threads_share_rows(rows, length);
  parallel_for(rows, grain, [=](index_t row, index_t last) {
    if constexpr (byte_rows::has_type<T>) {
      if (length <= byte_rows::longest)
        row += byte_rows::sort_rows(from + row * length, to + row * length, last - row, length, descending);
    }
    const rows_to_sort mine{dtype_of<T>, from + row * length, last - row, length, descending};
    if (in_vectors && sort_in_vectors(mine, to + row * length)) return;
    const room_of<T> spare = length <= most_counted ? nullptr : room_for<T>(length);
    for (; row < last; ++row) {
      sort_row_on_cpu(from + row * length, to + row * length, spare.get(), length, flip_for<T>(descending));
    }
  });
}

template <class T, class Place>
void argsort_rows_on_cpu(const T* from, index_t* to, index_t rows, index_t length, bool descending) {
  using item = keyed_place<typename sort_order<T>::key, Place>;
  const index_t grain = (std::max)(index_t{1}, (index_t{1} << 14) / length);
  const bool in_vectors = !threads_share_rows(rows, length);
  parallel_for(rows, grain, [=](index_t row, index_t last) {
    constexpr index_t many = 8;
    constexpr index_t most = most_side_by_side<typename sort_order<T>::key>;
    if constexpr (most > 0) {
      if (length <= most && last - row >= many)
        return argsort_short_rows(from + row * length, to + row * length, last - row, length,
                                  flip_for<T>(descending));
    }
    const rows_to_sort mine{dtype_of<T>, from + row * length, last - row, length, descending};
    if (in_vectors && argsort_in_vectors(mine, to + row * length)) return;
    const bool needs_room = length > most_counted && !are_placed_by_counts<T>(length);
    const room_of<item> items = needs_room ? room_for<item>(2 * length) : nullptr;
    for (; row < last; ++row) {
      argsort_row_on_cpu(from + row * length, to + row * length, items.get(), length, flip_for<T>(descending));
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
