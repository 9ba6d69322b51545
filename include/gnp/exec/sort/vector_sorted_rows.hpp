// SPDX-License-Identifier: MIT
// Rows of numbers, sorted and partitioned in vectors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gnp/exec/sort/rows_to_sort.hpp>
#include <gnp/exec/sort/vector_quicksort.hpp>
#include <gnp/memory/room.hpp>
#include <limits>
#include <type_traits>

#if GNP_VECTOR_SORTS

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace vector_sorts {

/// How many keys are made at a time: they and the results fit in the first-level cache.
inline constexpr index_t keys_at_once = 2048;

template <class T>
using word_of = std::conditional_t<sizeof(T) == 2, std::int16_t,
                                   std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
template <class Word>
inline constexpr Word all_but_sign = (std::numeric_limits<Word>::max)();

/// A number's key: keys as signed integers have the order of their numbers. The same function turns a key back
/// into its number.
template <class T>
constexpr word_of<T> key_or_number(word_of<T> x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x ^ ((x >> (8 * sizeof(T) - 1)) & all_but_sign<word_of<T>>);
  } else {
    return std::is_signed_v<T> ? x : static_cast<word_of<T>>(x ^ (std::numeric_limits<word_of<T>>::min)());
  }
}

/// Is the number with these bits NaN?
template <class T>
constexpr bool is_nan_word(word_of<T> x) {
  return (x & all_but_sign<word_of<T>>) > std::bit_cast<word_of<T>>(std::numeric_limits<T>::infinity());
}

/// Copies numbers or, if `AsKeys`, stores their keys. Are there NaN or -0.0 among them, whose keys differ from
/// those of equal numbers, and which do not compare as they are sorted?
template <bool AsKeys, class T>
GNP_SORT_KEYS bool store_words(const T* from, T* to, index_t count) {
  using word = word_of<T>;
  word special = 0;
  for (index_t i = 0; i < count; ++i) {
    const auto x = std::bit_cast<word>(from[i]);
    if constexpr (std::is_floating_point_v<T>) {
      special |= word(x == (std::numeric_limits<word>::min)()) | word(is_nan_word<T>(x));
    }
    const word stored = AsKeys ? key_or_number<T>(x) : x;
    std::memcpy(to + i, &stored, sizeof stored);
  }
  return special != 0;
}

/// Replaces keys by their numbers.
template <class T>
GNP_SORT_KEYS void restore_numbers(T* to, index_t count) {
  for (index_t i = 0; i < count; ++i) {
    word_of<T> key;
    std::memcpy(&key, to + i, sizeof key);
    to[i] = std::bit_cast<T>(key_or_number<T>(key));
  }
}

/// Are the least numbers of a type taken for zeros, as programs compiled for fast arithmetic ask the processor?
/// It would then sort them as zeros.
inline bool small_numbers_are_zeros() {
  constexpr unsigned inputs_are_zeros = 0x40, results_are_zeros = 0x8000;
  return (__builtin_ia32_stmxcsr() & (inputs_are_zeros | results_are_zeros)) != 0;
}

/// Sorts a row with NaN or -0.0. NaN come after all numbers, in their original order; -0.0 and 0.0 are equal,
/// and keep their order, too.
template <class T>
GNP_SORTS void sort_special_row(const T* from, T* to, index_t length, bool descending) {
  using word = word_of<T>;
  index_t numbers = 0;
  for (index_t i = 0; i < length; ++i) {
    const auto x = std::bit_cast<word>(from[i]);
    const word key = key_or_number<T>(x);
    std::memcpy(to + numbers, &key, sizeof key);
    numbers += is_nan_word<T>(x) ? 0 : 1;
  }
  for (index_t i = 0, at = numbers; at < length; ++i) {
    to[at] = from[i];
    at += is_nan_word<T>(std::bit_cast<word>(from[i])) ? 1 : 0;
  }
  sort<false>(keys<word>{reinterpret_cast<word*>(to)}, numbers, {}, 0, any_seed);
  restore_numbers(to, numbers);
  if (descending) std::reverse(to, to + numbers);
  T* const zeros = descending ? std::lower_bound(to, to + numbers, T(0), std::greater<T>())
                              : std::lower_bound(to, to + numbers, T(0));
  T* at = zeros;
  for (index_t i = 0; at != to + numbers && *at == T(0); ++i) {
    if (from[i] == T(0)) *at++ = from[i];
  }
}

template <class Keys>
GNP_SORTS void sort_each(Keys all, index_t rows, index_t length) {
  if (length <= most_few<Keys>) return sort_few_of(all, rows, length);
  for (index_t row = 0; row < rows; ++row) sort<false>(all.from(row * length), length, {}, 0, any_seed);
}

template <class T>
GNP_SORTS void sort_rows(const rows_to_sort& r, T* to) {
  using word = word_of<T>;
  const auto* from = static_cast<const T*>(r.from);
  const index_t together = (std::max)(index_t{1}, keys_at_once / r.length);
  const bool as_numbers = std::is_floating_point_v<T> && !small_numbers_are_zeros();
  for (index_t row = 0; row < r.rows; row += together) {
    const index_t rows = (std::min)(together, r.rows - row);
    const index_t count = rows * r.length;
    if (as_numbers ? store_words<false>(from, to, count) : store_words<true>(from, to, count)) {
      for (index_t i = 0; i < rows; ++i)
        sort_special_row(from + i * r.length, to + i * r.length, r.length, r.descending);
    } else {
      if (as_numbers) {
        if constexpr (std::is_floating_point_v<T>) sort_each(keys<T>{to}, rows, r.length);
      } else {
        sort_each(keys<word>{reinterpret_cast<word*>(to)}, rows, r.length);
        restore_numbers(to, count);
      }
      for (index_t i = 0; i < rows && r.descending; ++i)
        std::reverse(to + i * r.length, to + (i + 1) * r.length);
    }
    from += count;
    to += count;
  }
}

template <class To, class From>
GNP_SORT_KEYS void convert_each(const From* from, To* to, index_t count) {
  for (index_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
}

/// Longer rows of 2 bytes are sorted by counting.
inline constexpr index_t longest_of_2_bytes = 1 << 14;

/// Does the processor have the instructions for words<std::int16_t>?
inline bool has_words_of_2_bytes() { return __builtin_cpu_supports("avx512vbmi2"); }

/// Sorts integers of 2 bytes as integers of 4.
template <class T>
GNP_SORTS void sort_widened_rows(const rows_to_sort& r, T* to) {
  const auto* from = static_cast<const T*>(r.from);
  const index_t together = (std::max)(index_t{1}, keys_at_once / r.length);
  const auto wide = room_for<std::int32_t>((std::min)(together, r.rows) * r.length);
  for (index_t row = 0; row < r.rows; row += together) {
    const index_t rows = (std::min)(together, r.rows - row);
    const index_t count = rows * r.length;
    convert_each(from, wide.get(), count);
    sort_each(keys<std::int32_t>{wide.get()}, rows, r.length);
    convert_each(wide.get(), to, count);
    for (index_t i = 0; i < rows && r.descending; ++i) std::reverse(to + i * r.length, to + (i + 1) * r.length);
    from += count;
    to += count;
  }
}

template <class T>
bool sort_rows_of_2_bytes(const rows_to_sort& r, T* to) {
  if (r.length > longest_of_2_bytes) return false;
  if (has_words_of_2_bytes()) {
    sort_rows(r, to);
  } else {
    sort_widened_rows(r, to);
  }
  return true;
}

template <class T>
GNP_SORTS bool partition_row(const rows_to_sort& r, T* to, const partition_asked& asked) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!small_numbers_are_zeros()) {
      if (store_words<false>(static_cast<const T*>(r.from), to, r.length)) return false;
      sort<true>(keys<T>{to}, r.length, {asked.first, asked.last}, 0, any_seed);
      return true;
    }
  }
  if (store_words<true>(static_cast<const T*>(r.from), to, r.length)) return false;
  sort<true>(keys<word_of<T>>{reinterpret_cast<word_of<T>*>(to)}, r.length, {asked.first, asked.last}, 0,
             any_seed);
  restore_numbers(to, r.length);
  return true;
}

}}}}  // namespace gnp::GNP_ABI::detail::vector_sorts
#endif
