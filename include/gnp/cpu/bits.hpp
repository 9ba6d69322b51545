// SPDX-License-Identifier: MIT
// Converts bits to bytes and back on the CPU, eight at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Is the first byte in memory the lowest byte of an integer?
inline constexpr bool bits_in_words = std::endian::native == std::endian::little;

/// The eight bytes of 0 and 1 of each byte: its highest bit first, or its lowest.
template <bool highest_first>
constexpr std::array<std::uint64_t, 256> bits_of_bytes() {
  std::array<std::uint64_t, 256> words{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned i = 0; i < 8; ++i)
      words[byte] |= std::uint64_t{byte >> (highest_first ? 7 - i : i) & 1U} << (8 * i);
  }
  return words;
}
template <bool highest_first>
inline constexpr std::array<std::uint64_t, 256> bytes_as_bits = bits_of_bytes<highest_first>();

/// A table of 2 KiB stays in the nearest cache, and one load for each byte takes half the time of arithmetic.
GNP_LOOP inline void spread_bits(std::uint8_t* to, const std::uint8_t* from, std::int64_t count,
                                 bool highest_first) {
  const std::uint64_t* words = highest_first ? bytes_as_bits<true>.data() : bytes_as_bits<false>.data();
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + 8 * i, words + from[i], sizeof *words);
}

GNP_INLINE void spread_bits_in_parallel(std::uint8_t* to, const std::uint8_t* from, std::int64_t count,
                                        bool highest_first) {
  parallel_for(count, cpu_grain / 8, [=](std::int64_t begin, std::int64_t end) {
    spread_bits(to + 8 * begin, from + begin, end - begin, highest_first);
  });
}

#if defined(__SSE2__) && defined(__GNUC__)
using two_words = std::uint64_t __attribute__((vector_size(16)));  // in one register

/// The bits of each byte are reversed: halves, quarters and single bits are swapped.
template <class Words>
Words reversed_in_bytes(Words set) {
  set = (set >> 4 & 0x0f0f0f0f0f0f0f0fU) | (set & 0x0f0f0f0f0f0f0f0fU) << 4;
  set = (set >> 2 & 0x3333333333333333U) | (set & 0x3333333333333333U) << 2;
  return (set >> 1 & 0x5555555555555555U) | (set & 0x5555555555555555U) << 1;
}

/// A bit for each of 64 bytes, the first byte's bit as the lowest: is the byte not zero?
inline std::uint64_t nonzero_bytes(const unsigned char* from) {
  using sixteen_bytes = char __attribute__((vector_size(16)));
  std::uint64_t zeros = 0;
  for (int k = 0; k < 4; ++k) {
    sixteen_bytes bytes;
    std::memcpy(&bytes, from + 16 * k, sizeof bytes);
    const auto zero = sixteen_bytes(bytes == sixteen_bytes{});
    // One instruction takes the highest bits of 16 bytes.
    zeros |= std::uint64_t{static_cast<std::uint16_t>(__builtin_ia32_pmovmskb128(zero))} << (16 * k);
  }
  return ~zeros;
}
#endif

/// One byte for each eight: a bit is set if its byte is not zero.
GNP_LOOP inline void gather_bits(std::uint8_t* to, const unsigned char* from, std::int64_t count,
                                 bool highest_first) {
  // A product moves each byte's bit to its place among the highest eight.
  const std::uint64_t places = highest_first ? 0x8040201008040201 : 0x0102040810204080;
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::int64_t i = 0;
#if defined(__SSE2__) && defined(__GNUC__)
#if !defined(__clang__)  // clang's code for one word at a time is faster than for two
  for (; highest_first && i + 16 <= count; i += 16) {
    const auto set =
        reversed_in_bytes(two_words{nonzero_bytes(from + 8 * i), nonzero_bytes(from + 8 * i + 64)});
    std::memcpy(to + i, &set, sizeof set);
  }
#endif
  for (; i + 8 <= count; i += 8) {
    std::uint64_t set = nonzero_bytes(from + 8 * i);
    if (highest_first) set = reversed_in_bytes(set);
    std::memcpy(to + i, &set, sizeof set);
  }
#endif
  for (; i < count; ++i) {
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

/// Each row's bits fill whole bytes; the last byte of a row is padded with zeros.
GNP_INLINE void gather_rows_of_bits(std::uint8_t* to, const unsigned char* from, std::int64_t rows,
                                    std::int64_t length, bool highest_first) {
  const std::int64_t whole = length / 8;
  const std::int64_t width = (length + 7) / 8;
  parallel_for(rows, 1 + cpu_grain / (length + 1), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      gather_bits(to + r * width, from + r * length, whole, highest_first);
      if (whole == width) continue;
      unsigned char last[8] = {};
      std::memcpy(last, from + r * length + 8 * whole, static_cast<std::size_t>(length - 8 * whole));
      gather_bits(to + r * width + whole, last, 1, highest_first);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
