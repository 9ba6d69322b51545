// SPDX-License-Identifier: MIT
// Sorts and partitions rows on the CPU in vectors of 64 bytes, if the processor has them: rows of numbers of 4
// and 8 bytes, and of complex numbers; sorts and partitions integers of 2 bytes, too. The results are the same
// as without such vectors.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/core/shape.hpp>
#ifdef GNP_READS_BODIES
#include <bit>
#include <cstring>
#include <gnp/exec/sort/vector_quicksort.hpp>
#include <gnp/expr/scalar/order.hpp>
#include <memory>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Rows that lie one after the other.
struct rows_to_sort {
  dtype type;
  const void* from;
  index_t rows;
  index_t length;
  bool descending;
};

/// What a partition is to find: the elements at these places, which are ascending. `taken` of its first
/// elements are stored, and also sorted if asked for.
struct partition_asked {
  const index_t* first;
  const index_t* last;
  index_t taken;
  bool sorted;
};

// Each of these returns false if the elements or the processor are not of the right kind. Nothing has been
// sorted then, but the memory may have been overwritten. partition_row_in_vectors() also returns false if there
// are NaN or -0.0, because then equal numbers have different keys.
GNP_DECLARED_ON_USE bool sort_in_vectors(const rows_to_sort& r, void* to);
GNP_DECLARED_ON_USE bool argsort_in_vectors(const rows_to_sort& r, index_t* to);
GNP_DECLARED_ON_USE bool partition_row_in_vectors(const rows_to_sort& r, void* to,
                                                  const partition_asked& asked);
GNP_DECLARED_ON_USE bool argpartition_in_vectors(const rows_to_sort& r, index_t* to,
                                                 const partition_asked& asked);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {
#if GNP_VECTOR_SORTS
namespace vector_sorts {

#define GNP_SORT_KEYS                     \
  __attribute__((optimize("O3"), flatten, \
                 target("avx512f,avx512vl,avx512bw,avx512dq,popcnt,prefer-vector-width=512")))

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
  const std::unique_ptr<std::int32_t[]> wide(
      new std::int32_t[static_cast<std::size_t>((std::min)(together, r.rows) * r.length)]);
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

inline std::unique_ptr<std::int64_t[]> room_for(index_t words) {
  return std::unique_ptr<std::int64_t[]>(new std::int64_t[static_cast<std::size_t>(words)]);
}

template <class T>
GNP_SORTS void argsort_rows(const rows_to_sort& r, index_t* to) {
  using order = order_of_rows<T>;
  const auto* from = static_cast<const T*>(r.from);
  const index_t together = (std::max)(index_t{1}, keys_at_once / r.length);
  const auto words = order::is_shared ? nullptr : room_for((std::min)(together, r.rows) * r.length);
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
  const auto places = room_for((std::min)(together, r.rows) * r.length);
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

template <class T>
GNP_SORTS void argpartition_rows(const rows_to_sort& r, index_t* to, const partition_asked& asked) {
  using order = order_of_rows<T>;
  const auto places = room_for(r.length);
  const auto words = order::is_shared ? nullptr : room_for(r.length);
  const order one{places.get(), words.get()};
  for (index_t row = 0; row < r.rows; ++row, to += asked.taken) {
    const T* const from = static_cast<const T*>(r.from) + row * r.length;
    one.store(from, r.length, r.descending);
    sort<true>(one.items(), r.length, {asked.first, asked.last}, 0, any_seed);
    if (asked.sorted) sort<false>(one.items(), asked.taken, {}, 0, any_seed);
    one.keep_places(to, asked.taken);
  }
}

/// Does the processor have the instructions, and do places fit in 32 bits?
inline bool are_sorted_here(const rows_to_sort& r) {
  return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && r.length <= index_t{0xffffffff};
}

/// Returns f(a number of the rows' type); false if rows of this type are not sorted here.
template <class F>
bool with_sorted_type(const rows_to_sort& r, const F& f) {
  if (!are_sorted_here(r)) return false;
  switch (r.type) {
    case dtype::int32:
      return f(std::int32_t());
    case dtype::uint32:
      return f(std::uint32_t());
    case dtype::float32:
      return f(float());
    case dtype::int64:
      return f(std::int64_t());
    case dtype::uint64:
      return f(std::uint64_t());
    case dtype::float64:
      return f(double());
    case dtype::complex64:
      return f(complex64());
    case dtype::complex128:
      return f(complex128());
    default:
      return false;
  }
}

#undef GNP_SORT_KEYS
}  // namespace vector_sorts

GNP_DEFINED_ON_USE bool sort_in_vectors(const rows_to_sort& r, void* to) {
  if (vector_sorts::are_sorted_here(r)) {
    if (r.type == dtype::int16) return vector_sorts::sort_rows_of_2_bytes(r, static_cast<std::int16_t*>(to));
    if (r.type == dtype::uint16) return vector_sorts::sort_rows_of_2_bytes(r, static_cast<std::uint16_t*>(to));
  }
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    if constexpr (is_complex(dtype_of<T>)) {
      vector_sorts::sort_complex_rows(r, static_cast<T*>(to));
    } else {
      vector_sorts::sort_rows(r, static_cast<T*>(to));
    }
    return true;
  });
}

GNP_DEFINED_ON_USE bool argsort_in_vectors(const rows_to_sort& r, index_t* to) {
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    vector_sorts::argsort_rows<T>(r, to);
    return true;
  });
}

GNP_DEFINED_ON_USE bool partition_row_in_vectors(const rows_to_sort& r, void* to,
                                                 const partition_asked& asked) {
  if (vector_sorts::are_sorted_here(r) && vector_sorts::has_words_of_2_bytes()) {
    if (r.type == dtype::int16) return vector_sorts::partition_row(r, static_cast<std::int16_t*>(to), asked);
    if (r.type == dtype::uint16) return vector_sorts::partition_row(r, static_cast<std::uint16_t*>(to), asked);
  }
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    if constexpr (is_complex(dtype_of<T>)) {
      return false;
    } else {
      return vector_sorts::partition_row(r, static_cast<T*>(to), asked);
    }
  });
}

GNP_DEFINED_ON_USE bool argpartition_in_vectors(const rows_to_sort& r, index_t* to,
                                                const partition_asked& asked) {
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    if constexpr (!is_complex(dtype_of<T>)) vector_sorts::argpartition_rows<T>(r, to, asked);
    return !is_complex(dtype_of<T>);
  });
}

#else

GNP_DEFINED_ON_USE bool sort_in_vectors(const rows_to_sort&, void*) { return false; }
GNP_DEFINED_ON_USE bool argsort_in_vectors(const rows_to_sort&, index_t*) { return false; }
GNP_DEFINED_ON_USE bool partition_row_in_vectors(const rows_to_sort&, void*, const partition_asked&) {
  return false;
}
GNP_DEFINED_ON_USE bool argpartition_in_vectors(const rows_to_sort&, index_t*, const partition_asked&) {
  return false;
}

#endif
}}}  // namespace gnp::GNP_ABI::detail

#endif
