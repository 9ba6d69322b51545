// SPDX-License-Identifier: MIT
// CRC-32 as in ZIP. The CRC of a whole is the sum (by ^) of the CRCs of its pieces, each moved to its place by
// crc32_before. So pieces can be read on several threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr std::uint32_t crc32_polynomial = 0xedb88320U;  // bit 31 is the coefficient of x^0

/// table[k][b]: byte b followed by k zero bytes. Eight bytes are looked up at once.
using crc32_tables = std::array<std::array<std::uint32_t, 256>, 8>;
GNP_INLINE const crc32_tables& crc32_table() {
  static const crc32_tables tables = [] {
    crc32_tables t{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t crc = byte;
      for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1 ^ crc32_polynomial : crc >> 1;
      t[0][byte] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
      for (std::size_t byte = 0; byte < 256; ++byte)
        t[k][byte] = t[k - 1][byte] >> 8 ^ t[0][t[k - 1][byte] & 255U];
    }
    return t;
  }();
  return tables;
}

/// Continues a CRC over these bytes. `crc` is that of the bytes before them, or 0 if there are none.
GNP_INLINE std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t bytes) {
  const crc32_tables& t = crc32_table();
  const auto* p = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    const auto word = [](const unsigned char* from) {
      return from[0] | std::uint32_t{from[1]} << 8 | std::uint32_t{from[2]} << 16 |
             std::uint32_t{from[3]} << 24;
    };
    const std::uint32_t low = crc ^ word(p);
    const std::uint32_t high = word(p + 4);
    crc = t[7][low & 255U] ^ t[6][low >> 8 & 255U] ^ t[5][low >> 16 & 255U] ^ t[4][low >> 24] ^
          t[3][high & 255U] ^ t[2][high >> 8 & 255U] ^ t[1][high >> 16 & 255U] ^ t[0][high >> 24];
  }
  for (; bytes > 0; --bytes, ++p) crc = t[0][(crc ^ *p) & 255U] ^ crc >> 8;
  return ~crc;
}

/// The product of two polynomials, modulo CRC-32's.
GNP_INLINE std::uint32_t crc32_product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = 0x80000000U; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b & 1U) != 0 ? b >> 1 ^ crc32_polynomial : b >> 1;
  }
  return product;
}

/// What the CRC of some bytes becomes when this many zero bytes follow them.
GNP_INLINE std::uint32_t crc32_before(std::uint32_t crc, std::uint64_t bytes) {
  std::uint32_t shift = 0x80000000U;  // 1
  std::uint32_t power = 0x00800000U;  // x^8
  for (; bytes != 0; bytes >>= 1) {
    if ((bytes & 1U) != 0) shift = crc32_product(shift, power);
    power = crc32_product(power, power);
  }
  return crc32_product(shift, crc);
}

}}}  // namespace gnp::GNP_ABI::detail
