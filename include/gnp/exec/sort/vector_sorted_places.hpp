// SPDX-License-Identifier: MIT
// The places of rows' elements, sorted and partitioned in vectors by their keys; and complex numbers, which are
// sorted by their places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/exec/sort/vector_sorted_rows.hpp>
#include <gnp/expr/scalar/order.hpp>
#include <gnp/memory/room.hpp>
#include <limits>
#include <type_traits>

#if GNP_VECTOR_SORTS

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace vector_sorts {

template <class Unsigned>
constexpr auto signed_key(Unsigned key) {
  using word = word_of<Unsigned>;
  return static_cast<word>(key ^ static_cast<Unsigned>((std::numeric_limits<word>::min)()));
}

/// Sorts the places of a row's elements by their keys. A key of 4 bytes shares a word with its place; longer
/// keys have words of their own.
template <class T>
struct order_of_rows {
  using order = sort_order<T>;
  static constexpr bool is_shared = sizeof(typename order::key) == 4;
  static constexpr bool is_wide = sizeof(typename order::key) == 16;
  using sorted_keys = std::conditional_t<is_shared, keys<std::int64_t>, keys_and_places>;

  std::int64_t* places;
  std::int64_t* words;  // keys of 8 bytes; of 16 bytes, one half at a time

  sorted_keys items() const {
    if constexpr (is_shared) {
      return {places};
    } else {
      return {words, places};
    }
  }
  GNP_SORT_KEYS void store(const T* from, index_t length, bool descending) const {
    const auto flip = static_cast<typename order::part>(descending ? ~typename order::part(0) : 0);
    for (index_t i = 0; i < length; ++i) {
      if constexpr (is_shared) {
        places[i] = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(signed_key(sort_key(from[i], flip)))) << 32 |
            static_cast<std::uint64_t>(i));
      } else {
        if constexpr (is_wide) {
          words[i] = signed_key(sort_key(from[i], flip).high);
        } else {
          words[i] = signed_key(sort_key(from[i], flip));
        }
        places[i] = i;
      }
    }
  }
  /// Of `count` places that have been sorted by the upper halves of their keys, sorts those with equal halves.
  GNP_SORTS void order_by_lower_halves(const T* from, index_t count, bool descending) const {
    const auto flip = static_cast<typename order::part>(descending ? ~typename order::part(0) : 0);
    for (index_t begin = 0, end = 0; begin < count; begin = end) {
      while (end < count && words[end] == words[begin]) ++end;
      if (end - begin == 1) continue;
      for (index_t i = begin; i < end; ++i) words[i] = signed_key(sort_key(from[places[i]], flip).low);
      sort<false>(items().from(begin), end - begin, {}, 0, any_seed);
    }
  }
  GNP_SORT_KEYS void keep_places(index_t* to, index_t count) const {
    for (index_t i = 0; i < count; ++i) to[i] = is_shared ? places[i] & 0xffffffff : places[i];
  }
};

template <class T>
GNP_SORTS void argsort_rows(const rows_to_sort& r, index_t* to) {
  using order = order_of_rows<T>;
  const auto* from = static_cast<const T*>(r.from);
  const index_t together = (std::max)(index_t{1}, keys_at_once / r.length);
  const auto words =
      order::is_shared ? nullptr : room_for<std::int64_t>((std::min)(together, r.rows) * r.length);
  for (index_t row = 0; row < r.rows; row += together) {
    const index_t rows = (std::min)(together, r.rows - row);
    const order all{to, words.get()};
    for (index_t i = 0; i < rows; ++i) {
      const order one{to + i * r.length, words.get() + (order::is_shared ? 0 : i * r.length)};
      one.store(from + i * r.length, r.length, r.descending);
    }
    sort_each(all.items(), rows, r.length);
    if constexpr (order::is_wide) {
      for (index_t i = 0; i < rows; ++i) {
        const order one{to + i * r.length, words.get() + i * r.length};
        one.order_by_lower_halves(from + i * r.length, r.length, r.descending);
      }
    }
    if constexpr (order::is_shared) all.keep_places(to, rows * r.length);
    from += rows * r.length;
    to += rows * r.length;
  }
}

/// Sorts complex numbers by their places, which argsort_rows() finds.
template <class T>
GNP_SORTS void sort_complex_rows(rows_to_sort r, T* to) {
  const index_t together = (std::max)(index_t{1}, keys_at_once / r.length);
  const auto places = room_for<std::int64_t>((std::min)(together, r.rows) * r.length);
  const auto* from = static_cast<const T*>(r.from);
  for (index_t left = r.rows; left > 0; left -= together) {
    r.rows = (std::min)(together, left);
    r.from = from;
    argsort_rows<T>(r, places.get());
    for (index_t row = 0; row < r.rows; ++row, from += r.length, to += r.length) {
      for (index_t i = 0; i < r.length; ++i) to[i] = from[places[static_cast<std::size_t>(row * r.length + i)]];
    }
  }
}

template <class T>
GNP_SORTS void argpartition_rows(const rows_to_sort& r, index_t* to, const partition_asked& asked) {
  using order = order_of_rows<T>;
  const auto places = room_for<std::int64_t>(r.length);
  const auto words = order::is_shared ? nullptr : room_for<std::int64_t>(r.length);
  const order one{places.get(), words.get()};
  for (index_t row = 0; row < r.rows; ++row, to += asked.taken) {
    const T* const from = static_cast<const T*>(r.from) + row * r.length;
    one.store(from, r.length, r.descending);
    sort<true>(one.items(), r.length, {asked.first, asked.last}, 0, any_seed);
    if (asked.sorted) sort<false>(one.items(), asked.taken, {}, 0, any_seed);
    one.keep_places(to, asked.taken);
  }
}

}}}}  // namespace gnp::GNP_ABI::detail::vector_sorts
#endif
