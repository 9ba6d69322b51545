// SPDX-License-Identifier: MIT
// Philox's words for many counters at once, in the processor's vectors. g++ vectorises the plain loop too, but
// three of four of its instructions then move halves of products to where the next round wants them. Here each
// word has a lane of 64 bits. A product is such a lane, and what is left over in upper halves is never read.
#pragma once

#include <cstring>
#include <gnp/exec/elementwise/vector_products.hpp>
#include <gnp/random/philox.hpp>
#include <gnp/random/philox_wide_vectors.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_VECTOR_PRODUCTS

struct vector_counters {
  vector_64 x;
  vector_64 y;
  vector_64 z;
  vector_64 w;
};

/// philox() of four counters; the results are in the lower halves.
GNP_IN_VECTORS vector_counters philox_lanes(vector_counters c, const unsigned (&keys)[20]) {
  for (int round = 0; round < 20; round += 2) {
    const vector_64 a = low_products(c.x, vector_64{} + 0xD2511F53U);
    const vector_64 b = low_products(c.z, vector_64{} + 0xCD9E8D57U);
    c = {(b >> 32) ^ c.y ^ std::uint64_t{keys[round]}, b, (a >> 32) ^ c.w ^ std::uint64_t{keys[round + 1]}, a};
  }
  return c;
}

/// Writes the words of four counters, one counter after the other.
GNP_IN_VECTORS void write_lanes(const vector_counters& c, std::uint32_t* out) {
  const vector_64 xy = (c.x & 0xffffffffU) | (c.y << 32);
  const vector_64 zw = (c.z & 0xffffffffU) | (c.w << 32);
  const vector_64 first = __builtin_shuffle(xy, zw, vector_64{0, 4, 1, 5});
  const vector_64 second = __builtin_shuffle(xy, zw, vector_64{2, 6, 3, 7});
  std::memcpy(out, &first, sizeof first);
  std::memcpy(out + 8, &second, sizeof second);
}

GNP_IN_VECTORS vector_counters counters_at(const scalar::random_source& from, vector_64 column, vector_64 row) {
  return {column, (column >> 32) | std::uint64_t{from.call_high}, row, vector_64{} + from.call};
}

/// The words of `count` groups, or of half groups if an element takes two words; `count` is a multiple of 4.
/// (Not always inlined: g++ could not do that in the functions between this and one for AVX2.)
template <std::uint32_t words, std::uint32_t count>
__attribute__((target("avx2"))) void write_words_in_vectors(const scalar::random_source& from,
                                                            std::uint32_t first, std::uint32_t* out) {
  if constexpr (count % 8 == 0) {
    if (__builtin_cpu_supports("avx512f")) return write_words_in_wide_vectors<words, count>(from, first, out);
  }
  vector_64 number = vector_64{0, 1, 2, 3} + first;
  for (std::uint32_t j = 0; j < count; j += 4, number += 4) {
    const vector_64 group = words == 1 ? number : number >> 1;
    const vector_64 column = from.first_column + (group >> 16);
    const vector_64 row = group & 65535U;
    write_lanes(
        philox_lanes(counters_at(from, words == 1 ? column : 2 * column | (number & 1U), row), from.keys),
        out + 4 * j);
  }
}

/// The words of one try of each element of `groups` groups: two words of an element in one number.
template <std::uint32_t groups>
__attribute__((target("avx2"))) void write_retries_in_vectors(const scalar::random_source& from,
                                                              std::uint32_t first, std::uint32_t attempt,
                                                              std::uint64_t* xy, std::uint64_t* zw) {
  if constexpr (groups % 2 == 0) {
    if (__builtin_cpu_supports("avx512f"))
      return write_retries_in_wide_vectors<groups>(from, first, attempt, xy, zw);
  }
  const vector_64 of_attempt = (vector_64{1, 2, 3, 4} + 4 * std::uint64_t{attempt}) << 16;
  for (std::uint32_t j = 0; j < groups; ++j) {
    const std::uint32_t group = first + j;
    const vector_64 column = vector_64{} + (from.first_column + (group >> 16));
    const vector_64 row = of_attempt | std::uint64_t{group & 65535U};
    const vector_counters c = philox_lanes(counters_at(from, column, row), from.keys);
    const vector_64 first_words = (c.x & 0xffffffffU) | (c.y << 32);
    const vector_64 last_words = (c.z & 0xffffffffU) | (c.w << 32);
    std::memcpy(xy + 4 * j, &first_words, sizeof first_words);
    std::memcpy(zw + 4 * j, &last_words, sizeof last_words);
  }
}

/// write_blocks() for a `count` that is a multiple of 4.
template <bool of_items, std::uint32_t count>
__attribute__((target("avx2"))) void write_blocks_in_vectors(const scalar::random_source& from,
                                                             std::uint64_t begin, std::uint32_t row,
                                                             std::uint64_t* upper, std::uint64_t* lower) {
  if constexpr (count % 8 == 0) {
    if (__builtin_cpu_supports("avx512f"))
      return write_blocks_in_wide_vectors<of_items, count>(from, begin, row, upper, lower);
  }
  vector_64 number = vector_64{0, 1, 2, 3} + begin;
  for (std::uint32_t j = 0; j < count; j += 4, number += 4) {
    const vector_64 column = of_items ? number >> 16 : number;
    const vector_64 rows = of_items ? number & 65535U : vector_64{} + row;
    const vector_counters c = philox_lanes(counters_at(from, column, rows), from.keys);
    const vector_64 first_words = (c.x << 32) | (c.y & 0xffffffffU);
    const vector_64 last_words = (c.z << 32) | (c.w & 0xffffffffU);
    std::memcpy(upper + j, &first_words, sizeof first_words);
    std::memcpy(lower + j, &last_words, sizeof last_words);
  }
}

#endif

/// The blocks of `count` items that have one each (order_keys.hpp), or of as many columns of a row, from
/// `begin` on. A block is two numbers: x above y, and z above w.
template <bool of_items, std::uint32_t count>
void write_blocks(const scalar::random_source& from, std::uint64_t begin, std::uint32_t row,
                  std::uint64_t* upper, std::uint64_t* lower) {
#if GNP_VECTOR_PRODUCTS
  if constexpr (count % 4 == 0) {
    static const bool in_vectors = __builtin_cpu_supports("avx2");
    if (in_vectors) return write_blocks_in_vectors<of_items, count>(from, begin, row, upper, lower);
  }
#endif
  for (std::uint32_t j = 0; j < count; ++j) {
    const std::uint64_t number = begin + j;
    const scalar::words4 w =
        of_items ? from.at(number >> 16, static_cast<std::uint32_t>(number) & 65535U) : from.at(number, row);
    upper[j] = std::uint64_t{w.x} << 32 | w.y;
    lower[j] = std::uint64_t{w.z} << 32 | w.w;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
