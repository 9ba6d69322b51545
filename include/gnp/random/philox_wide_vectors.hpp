// SPDX-License-Identifier: MIT
// Philox's words for eight counters at once, in vectors of 64 bytes (AVX-512). Besides twice as many lanes,
// these have an instruction for both exclusive ors of a round: the words of an element take half the time.
#pragma once

#include <cstring>
#include <gnp/exec/elementwise/vector_products.hpp>
#include <gnp/random/philox.hpp>

#if GNP_VECTOR_PRODUCTS

namespace gnp { inline namespace GNP_ABI { namespace detail {

#define GNP_WIDE_PHILOX __attribute__((target("avx512f,prefer-vector-width=512")))
#define GNP_IN_WIDE_VECTORS inline __attribute__((always_inline)) GNP_WIDE_PHILOX

typedef std::uint64_t wide_vector_64 __attribute__((vector_size(64)));  // NOLINT: as in vector_products.hpp

struct wide_vector_counters {
  wide_vector_64 x;
  wide_vector_64 y;
  wide_vector_64 z;
  wide_vector_64 w;
};

GNP_IN_WIDE_VECTORS wide_vector_64 low_products(wide_vector_64 a, wide_vector_64 b) {
  typedef int lanes __attribute__((vector_size(64)));           // NOLINT
  typedef long long products __attribute__((vector_size(64)));  // NOLINT
  return reinterpret_cast<wide_vector_64>(__builtin_ia32_pmuludq512_mask(
      reinterpret_cast<lanes>(a), reinterpret_cast<lanes>(b), products{}, static_cast<unsigned char>(-1)));
}

/// philox() of eight counters; the results are in the lower halves.
GNP_IN_WIDE_VECTORS wide_vector_counters philox_lanes(wide_vector_counters c, const unsigned (&keys)[20]) {
  for (int round = 0; round < 20; round += 2) {
    const wide_vector_64 a = low_products(c.x, wide_vector_64{} + 0xD2511F53U);
    const wide_vector_64 b = low_products(c.z, wide_vector_64{} + 0xCD9E8D57U);
    c = {(b >> 32) ^ c.y ^ std::uint64_t{keys[round]}, b, (a >> 32) ^ c.w ^ std::uint64_t{keys[round + 1]}, a};
  }
  return c;
}

/// Writes the words of eight counters, one counter after the other.
GNP_IN_WIDE_VECTORS void write_lanes(const wide_vector_counters& c, std::uint32_t* out) {
  const wide_vector_64 xy = (c.x & 0xffffffffU) | (c.y << 32);
  const wide_vector_64 zw = (c.z & 0xffffffffU) | (c.w << 32);
  const wide_vector_64 first = __builtin_shuffle(xy, zw, wide_vector_64{0, 8, 1, 9, 2, 10, 3, 11});
  const wide_vector_64 second = __builtin_shuffle(xy, zw, wide_vector_64{4, 12, 5, 13, 6, 14, 7, 15});
  std::memcpy(out, &first, sizeof first);
  std::memcpy(out + 16, &second, sizeof second);
}

GNP_IN_WIDE_VECTORS wide_vector_counters counters_at(const scalar::random_source& from, wide_vector_64 column,
                                                     wide_vector_64 row) {
  return {column, (column >> 32) | std::uint64_t{from.call_high}, row, wide_vector_64{} + from.call};
}

/// write_words_in_vectors() for a `count` that is a multiple of 8.
template <std::uint32_t words, std::uint32_t count>
GNP_WIDE_PHILOX void write_words_in_wide_vectors(const scalar::random_source& from, std::uint32_t first,
                                                 std::uint32_t* out) {
  wide_vector_64 number = wide_vector_64{0, 1, 2, 3, 4, 5, 6, 7} + first;
  for (std::uint32_t j = 0; j < count; j += 8, number += 8) {
    const wide_vector_64 group = words == 1 ? number : number >> 1;
    const wide_vector_64 column = from.first_column + (group >> 16);
    const wide_vector_64 row = group & 65535U;
    write_lanes(
        philox_lanes(counters_at(from, words == 1 ? column : 2 * column | (number & 1U), row), from.keys),
        out + 4 * j);
  }
}

/// write_retries_in_vectors() for an even number of groups.
template <std::uint32_t groups>
GNP_WIDE_PHILOX void write_retries_in_wide_vectors(const scalar::random_source& from, std::uint32_t first,
                                                   std::uint32_t attempt, std::uint64_t* xy,
                                                   std::uint64_t* zw) {
  const wide_vector_64 of_attempt = (wide_vector_64{1, 2, 3, 4, 1, 2, 3, 4} + 4 * std::uint64_t{attempt}) << 16;
  for (std::uint32_t j = 0; j < groups; j += 2) {
    const wide_vector_64 group = wide_vector_64{0, 0, 0, 0, 1, 1, 1, 1} + (first + j);
    const wide_vector_64 column = from.first_column + (group >> 16);
    const wide_vector_64 row = of_attempt | (group & 65535U);
    const wide_vector_counters c = philox_lanes(counters_at(from, column, row), from.keys);
    const wide_vector_64 first_words = (c.x & 0xffffffffU) | (c.y << 32);
    const wide_vector_64 last_words = (c.z & 0xffffffffU) | (c.w << 32);
    std::memcpy(xy + 4 * j, &first_words, sizeof first_words);
    std::memcpy(zw + 4 * j, &last_words, sizeof last_words);
  }
}

/// write_blocks_in_vectors() for a `count` that is a multiple of 8.
template <bool of_items, std::uint32_t count>
GNP_WIDE_PHILOX void write_blocks_in_wide_vectors(const scalar::random_source& from, std::uint64_t begin,
                                                  std::uint32_t row, std::uint64_t* upper,
                                                  std::uint64_t* lower) {
  wide_vector_64 number = wide_vector_64{0, 1, 2, 3, 4, 5, 6, 7} + begin;
  for (std::uint32_t j = 0; j < count; j += 8, number += 8) {
    const wide_vector_64 column = of_items ? number >> 16 : number;
    const wide_vector_64 rows = of_items ? number & 65535U : wide_vector_64{} + row;
    const wide_vector_counters c = philox_lanes(counters_at(from, column, rows), from.keys);
    const wide_vector_64 first_words = (c.x << 32) | (c.y & 0xffffffffU);
    const wide_vector_64 last_words = (c.z << 32) | (c.w & 0xffffffffU);
    std::memcpy(upper + j, &first_words, sizeof first_words);
    std::memcpy(lower + j, &last_words, sizeof last_words);
  }
}

#undef GNP_IN_WIDE_VECTORS
#undef GNP_WIDE_PHILOX

}}}  // namespace gnp::GNP_ABI::detail

#endif
