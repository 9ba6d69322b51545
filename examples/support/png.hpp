// SPDX-License-Identifier: MIT
// Writes pictures: 8-bit PNG files, grey from an array of shape (height, width), colour from (height, width,
// 3).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnp/gnp.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "deflate.hpp"

namespace support {
namespace detail {

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

inline std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(crc32(type + data));
}

/// The rows as differences to the pixel on the left, to the one above, or as they are: whichever is smallest,
/// which repeats most. A byte in front of each row says which.
inline std::string filter_rows(const std::uint8_t* pixels, std::size_t rows, std::size_t row_bytes,
                               std::size_t pixel) {
  std::string filtered;
  filtered.reserve(rows * (row_bytes + 1));
  for (std::size_t y = 0; y < rows; ++y) {
    const std::uint8_t* row = pixels + y * row_bytes;
    std::string best;
    long best_cost = 0;
    for (const char kind : {'\0', '\1', '\2'}) {
      std::string line(1, kind);
      long cost = 0;
      for (std::size_t x = 0; x < row_bytes; ++x) {
        const int left = x >= pixel ? row[x - pixel] : 0;
        const int above = y > 0 ? (row - row_bytes)[x] : 0;
        const auto value = static_cast<std::int8_t>(row[x] - (kind == 1 ? left : kind == 2 ? above : 0));
        cost += std::abs(value);
        line += static_cast<char>(value);
      }
      if (best.empty() || cost < best_cost) {
        best = std::move(line);
        best_cost = cost;
      }
    }
    filtered += best;
  }
  return filtered;
}

}  // namespace detail

inline std::string encode_png(const gnp::host_array<std::uint8_t>& pixels) {
  const gnp::shape_t& shape = pixels.shape();
  const bool grey = shape.rank() == 2;
  if (pixels.size() == 0 || !(grey || (shape.rank() == 3 && shape[2] == 3))) {
    throw std::invalid_argument("png: a picture has shape (height, width) or (height, width, 3), not " +
                                gnp::to_string(shape));
  }
  const auto height = static_cast<std::uint32_t>(shape[0]), width = static_cast<std::uint32_t>(shape[1]);
  const std::size_t pixel = grey ? 1 : 3;
  const std::string header = detail::big_endian(width) + detail::big_endian(height) +
                             std::string{8, grey ? '\0' : '\2', 0, 0, 0};  // 8 bits; grey or RGB
  const std::string rows = detail::filter_rows(pixels.data(), height, width * pixel, pixel);
  return "\x89PNG\r\n\x1a\n" + detail::chunk("IHDR", header) + detail::chunk("IDAT", deflate::zlib(rows)) +
         detail::chunk("IEND", "");
}

/// Makes the folder, too, where it is not there.
inline void write_png(const std::string& path, const gnp::host_array<std::uint8_t>& pixels) {
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty()) {
    std::error_code failed;  // and then the file cannot be written either
    std::filesystem::create_directories(folder, failed);
  }
  std::ofstream file(path, std::ios::binary);
  file << encode_png(pixels);
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace support
