// SPDX-License-Identifier: MIT
// Converts bits to bytes and back on the CPU, eight at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Is the first byte in memory the lowest byte of an integer?
inline constexpr bool bits_in_words = std::endian::native == std::endian::little;

/// Eight bytes of 0 and 1 for each byte: its highest bit first, or its lowest.
GNP_LOOP inline void spread_bits(std::uint8_t* to, const std::uint8_t* from, std::int64_t count,
                                 bool highest_first) {
  const std::uint64_t bit_of_each = highest_first ? 0x0102040810204080 : 0x8040201008040201;
  constexpr std::uint64_t ones = 0x0101010101010101;
  for (std::int64_t i = 0; i < count; ++i) {
    // Each byte keeps one bit of it, and adding 127 carries that bit to the highest bit of the byte.
    const std::uint64_t bits = from[i] * ones & bit_of_each;
    const std::uint64_t word = (((bits & (127 * ones)) + 127 * ones) | bits) >> 7 & ones;
    std::memcpy(to + 8 * i, &word, sizeof word);
  }
}

GNP_INLINE void spread_bits_in_parallel(std::uint8_t* to, const std::uint8_t* from, std::int64_t count,
                                        bool highest_first) {
  parallel_for(count, cpu_grain / 8, [=](std::int64_t begin, std::int64_t end) {
    spread_bits(to + 8 * begin, from + begin, end - begin, highest_first);
  });
}

/// One byte for each eight: a bit is set if its byte is not zero.
GNP_LOOP inline void gather_bits(std::uint8_t* to, const unsigned char* from, std::int64_t count,
                                 bool highest_first) {
  // A product moves each byte's bit to its place among the highest eight.
  const std::uint64_t places = highest_first ? 0x8040201008040201 : 0x0102040810204080;
  constexpr std::uint64_t ones = 0x0101010101010101;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t word;
    std::memcpy(&word, from + 8 * i, sizeof word);
    const std::uint64_t set = (((word & (127 * ones)) + 127 * ones) | word) >> 7 & ones;
    to[i] = static_cast<std::uint8_t>(set * places >> 56);
  }
}

GNP_INLINE void gather_bits_in_parallel(std::uint8_t* to, const unsigned char* from, std::int64_t count,
                                        bool highest_first) {
  parallel_for(count, cpu_grain / 8, [=](std::int64_t begin, std::int64_t end) {
    gather_bits(to + begin, from + 8 * begin, end - begin, highest_first);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
