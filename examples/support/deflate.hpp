// SPDX-License-Identifier: MIT
// Compresses bytes into the zlib format (RFC 1950 and 1951): repetitions, written with the fixed code.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace support {

class deflate {
 public:
  static std::string zlib(std::string_view bytes) {
    deflate writer;
    writer.out_ = "\x78\x01";  // deflate with a window of 32 KiB, made fast
    writer.put(0b011, 3);      // the last block, fixed code
    writer.compress(bytes);
    writer.symbol(end_of_block);
    writer.put(0, 7);  // fills the last byte
    const std::uint32_t checksum = adler32(bytes);
    for (const int shift : {24, 16, 8, 0}) writer.out_ += static_cast<char>(checksum >> shift & 255);
    return std::move(writer.out_);
  }

 private:
  static constexpr std::uint32_t end_of_block = 256;

  /// Looks up where the next four bytes were seen last, and writes (length, distance) if it is near enough.
  void compress(std::string_view bytes) {
    constexpr std::size_t window = 32768, longest = 258, no_position = ~std::size_t{0};
    std::vector<std::size_t> last_seen(1 << 15, no_position);
    std::size_t i = 0;
    while (i < bytes.size()) {
      std::size_t length = 0, distance = 0;
      if (i + 4 <= bytes.size()) {
        std::uint32_t four;
        std::memcpy(&four, bytes.data() + i, 4);
        std::size_t& seen = last_seen[four * 2654435761U >> 17];
        if (seen != no_position && i - seen <= window) {
          distance = i - seen;
          const std::size_t most = std::min(longest, bytes.size() - i);
          while (length < most && bytes[seen + length] == bytes[i + length]) ++length;
        }
        seen = i;
      }
      if (length < 4) {
        symbol(static_cast<unsigned char>(bytes[i++]));
        continue;
      }
      put_length(static_cast<std::uint32_t>(length));
      put_distance(static_cast<std::uint32_t>(distance));
      i += length;
    }
  }

  /// Both are written as a group with a number of extra bits, in `per_group` (a power of two) groups per
  /// doubling.
  struct group {
    std::uint32_t code, extra;
    int extra_bits;
  };
  static group group_of(std::uint32_t value, std::uint32_t per_group) {
    if (value < 2 * per_group) return {value, 0, 0};
    const int bits = static_cast<int>(std::bit_width(value / per_group)) - 1;
    return {static_cast<std::uint32_t>(bits + 1) * per_group + (value >> bits) % per_group,
            value % (1U << bits), bits};
  }

  void put_length(std::uint32_t length) {
    if (length == 258) return symbol(285);
    const group g = group_of(length - 3, 4);
    symbol(257 + g.code);
    put(g.extra, g.extra_bits);
  }

  void put_distance(std::uint32_t distance) {
    const group g = group_of(distance - 1, 2);
    put_code(g.code, 5);
    put(g.extra, g.extra_bits);
  }

  /// A byte, a length or the end, in the fixed code.
  void symbol(std::uint32_t s) {
    if (s < 144) return put_code(0x30 + s, 8);
    if (s < 256) return put_code(0x190 + s - 144, 9);
    if (s < 280) return put_code(s - 256, 7);
    put_code(0xC0 + s - 280, 8);
  }

  /// Codes begin with their highest bit, numbers with their lowest.
  void put_code(std::uint32_t code, int length) {
    for (int bit = length - 1; bit >= 0; --bit) put(code >> bit & 1, 1);
  }

  void put(std::uint32_t value, int bits) {
    pending_ |= static_cast<std::uint64_t>(value) << pending_bits_;
    for (pending_bits_ += bits; pending_bits_ >= 8; pending_bits_ -= 8, pending_ >>= 8) {
      out_ += static_cast<char>(pending_ & 255);
    }
  }

  static std::uint32_t adler32(std::string_view bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
      a = (a + static_cast<unsigned char>(c)) % 65521;
      b = (b + a) % 65521;
    }
    return b << 16 | a;
  }

  std::string out_;
  std::uint64_t pending_ = 0;
  int pending_bits_ = 0;
};

}  // namespace support
