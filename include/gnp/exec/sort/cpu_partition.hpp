// SPDX-License-Identifier: MIT
// Partitioning on the CPU, for what cannot be partitioned in vectors: items are distributed by the bytes of their
// keys, the most significant byte first. Only groups of items that contain a wanted place are distributed
// further.
#pragma once

#include <gnp/exec/sort/cpu_sort.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Sorts a few items, stably.
template <class Item, class KeyOf>
void sort_few(Item* items, index_t count, const KeyOf& key_of) {
  std::remove_cvref_t<decltype(key_of(*items))> keys[most_counted] = {};
  unsigned char ranks[most_counted];
  Item sorted[most_counted];
  for (index_t i = 0; i < count; ++i) keys[i] = key_of(items[i]);
  count_ranks(keys, ranks, static_cast<int>(count));
  for (index_t i = 0; i < count; ++i) sorted[ranks[i]] = items[i];
  std::copy(sorted, sorted + count, items);
}

/// Puts into each of the places [first, last), which are in ascending order, the item that sorting would put
/// there, with nothing greater before it and nothing less after it. Stable: the items before a place are those
/// that a stable sort puts there. `spare` has room for all items. Their keys agree in the bytes above `byte`.
template <class Item, class KeyOf>
void partition_items(Item* items, Item* spare, index_t count, const index_t* first, const index_t* last,
                     index_t offset, int byte, const KeyOf& key_of) {
  for (; first != last && byte >= 0; --byte) {
    if (count <= most_counted) return sort_few(items, count, key_of);
    std::array<index_t, 257> begins{};
    for (index_t i = 0; i < count; ++i) ++begins[scalar::key_byte(key_of(items[i]), byte) + 1];
    if (begins[scalar::key_byte(key_of(items[0]), byte) + 1] == count) continue;
    for (std::size_t b = 1; b < 257; ++b) begins[b] += begins[b - 1];
    std::array<index_t, 257> next = begins;
    for (index_t i = 0; i < count; ++i) spare[next[scalar::key_byte(key_of(items[i]), byte)]++] = items[i];
    std::copy(spare, spare + count, items);
    for (std::size_t b = 0; b < 256 && first != last; ++b) {
      const index_t* const mine = first;
      while (first != last && *first - offset < begins[b + 1]) ++first;
      partition_items(items + begins[b], spare, begins[b + 1] - begins[b], mine, first, offset + begins[b],
                      byte - 1, key_of);
    }
    return;
  }
}

/// The bytes of the keys of T.
template <class T>
inline constexpr int key_bytes = sizeof(typename sort_order<T>::key);

template <class T>
void partition_rows_on_cpu(const T* from, T* to, index_t rows, index_t length,
                           const std::vector<index_t>& places) {
  if constexpr (byte_rows::has_type<T>) {
    if (length <= byte_rows::longest) return sort_rows_on_cpu(from, to, rows, length, false);
  }
  const index_t grain = (std::max)(index_t{1}, (index_t{1} << 14) / length);
  parallel_for(rows, grain, [&](index_t row, index_t last) {
    room_of<T> spare;
    for (; row < last; ++row) {
      T* const items = to + row * length;
      const rows_to_sort mine{dtype_of<T>, from + row * length, 1, length, false};
      const partition_asked asked{places.data(), places.data() + places.size(), length, false};
      if (partition_row_in_vectors(mine, items, asked)) continue;
      if (spare == nullptr) spare = room_for<T>(length);
      std::copy(from + row * length, from + (row + 1) * length, items);
      partition_items(items, spare.get(), length, places.data(), places.data() + places.size(), 0,
                      key_bytes<T> - 1, [](const T& x) { return sort_key(x); });
    }
  });
}

/// The first `taken` places of each row's order; they are sorted if `sorted`.
template <class T, class Place>
void argpartition_rows_on_cpu(const T* from, index_t* to, index_t rows, index_t length, index_t taken,
                              const std::vector<index_t>& places, bool descending, bool sorted) {
  using item = keyed_place<typename sort_order<T>::key, Place>;
  const index_t grain = (std::max)(index_t{1}, (index_t{1} << 14) / length);
  const auto flip = flip_for<T>(descending);
  const auto key_of = [](const item& x) { return x.key; };
  parallel_for(rows, grain, [&](index_t row, index_t last) {
    const rows_to_sort mine{dtype_of<T>, from + row * length, last - row, length, descending};
    const partition_asked asked{places.data(), places.data() + places.size(), taken, sorted};
    if (argpartition_in_vectors(mine, to + row * taken, asked)) return;
    const auto items = room_for<item>(length);
    const auto spare = room_for<item>(length);
    for (; row < last; ++row) {
      const T* const in = from + row * length;
      for (index_t i = 0; i < length; ++i)
        items[static_cast<std::size_t>(i)] = {sort_key(in[i], flip), static_cast<Place>(i)};
      partition_items(items.get(), spare.get(), length, places.data(), places.data() + places.size(), 0,
                      key_bytes<T> - 1, key_of);
      if (sorted && taken <= most_counted) {
        sort_few(items.get(), taken, key_of);
      } else if (sorted) {
        const std::vector<item> few(items.get(), items.get() + taken);
        radix_sort([&few](index_t i) { return few[static_cast<std::size_t>(i)]; }, items.get(), spare.get(),
                   taken, key_of);
      }
      for (index_t i = 0; i < taken; ++i)
        to[row * taken + i] = static_cast<index_t>(items[static_cast<std::size_t>(i)].place);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
