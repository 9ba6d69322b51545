// SPDX-License-Identifier: MIT
// Reads PNG files strictly, to judge what the examples write: 8-bit grey and RGB without interlacing. Shares no
// code with the writer. Anything that a reader might forgive is an exception here.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace png {

using bytes = std::vector<std::uint8_t>;

struct picture {
  std::size_t width = 0, height = 0, channels = 0;
  bytes pixels;
};

inline void require(bool fact, const std::string& what) {
  if (!fact) throw std::runtime_error("png: " + what);
}

/// RFC 1951, all three kinds of blocks, decoded bit by bit.
class inflater {
 public:
  explicit inflater(const bytes& data, std::size_t from) : data_(data), position_(from * 8) {}

  bytes run() {
    for (bool last = false; !last;) {
      last = bits(1) == 1;
      const unsigned kind = bits(2);
      require(kind < 3, "unknown kind of block");
      if (kind == 0) stored();
      if (kind == 1) compressed(fixed_literals(), code(std::vector<int>(30, 5)));
      if (kind == 2) dynamic();
    }
    return std::move(out_);
  }

  /// The first byte that was not used.
  std::size_t end() const { return (position_ + 7) / 8; }

 private:
  /// Canonical Huffman code: how many codes there are of each length, and the symbols in order.
  struct code {
    explicit code(const std::vector<int>& lengths) : count(16, 0) {
      for (const int length : lengths) ++count[static_cast<std::size_t>(length)];
      count[0] = 0;
      for (int length = 1; length < 16; ++length) {
        for (std::size_t s = 0; s < lengths.size(); ++s) {
          if (lengths[s] == length) symbols.push_back(static_cast<int>(s));
        }
      }
    }
    std::vector<int> count, symbols;
  };

  static code fixed_literals() {
    std::vector<int> lengths(288, 8);
    for (std::size_t s = 144; s < 256; ++s) lengths[s] = 9;
    for (std::size_t s = 256; s < 280; ++s) lengths[s] = 7;
    return code(lengths);
  }

  unsigned bits(int count) {
    unsigned value = 0;
    for (int i = 0; i < count; ++i, ++position_) {
      require(position_ / 8 < data_.size(), "the compressed data ends early");
      value |= (data_[position_ / 8] >> position_ % 8 & 1U) << i;
    }
    return value;
  }

  int symbol(const code& c) {
    int value = 0, first = 0, index = 0;
    for (std::size_t length = 1; length < 16; ++length) {
      value = value * 2 + static_cast<int>(bits(1));
      const int count = c.count[length];
      if (value - first < count) return c.symbols[static_cast<std::size_t>(index + value - first)];
      index += count;
      first = (first + count) * 2;
    }
    throw std::runtime_error("png: not a code");
  }

  void stored() {
    position_ = end() * 8;
    const unsigned length = bits(16);
    require((length ^ 0xFFFFU) == bits(16), "a stored block's length and its complement differ");
    for (unsigned i = 0; i < length; ++i) out_.push_back(static_cast<std::uint8_t>(bits(8)));
  }

  void dynamic() {
    const unsigned literals = bits(5) + 257, distances = bits(5) + 1, used = bits(4) + 4;
    static constexpr std::size_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::vector<int> of_lengths(19, 0);
    for (unsigned i = 0; i < used; ++i) of_lengths[order[i]] = static_cast<int>(bits(3));
    const code lengths_code(of_lengths);
    std::vector<int> lengths;
    while (lengths.size() < literals + distances) {
      const int s = symbol(lengths_code);
      if (s < 16) {
        lengths.push_back(s);
      } else {
        require(s > 16 || !lengths.empty(), "nothing to repeat");
        const int value = s == 16 ? lengths.back() : 0;
        const unsigned times = s == 16 ? 3 + bits(2) : s == 17 ? 3 + bits(3) : 11 + bits(7);
        lengths.insert(lengths.end(), times, value);
      }
    }
    require(lengths.size() == literals + distances, "too many code lengths");
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(literals);
    compressed(code({lengths.begin(), middle}), code({middle, lengths.end()}));
  }

  void compressed(const code& literals, const code& distances) {
    static constexpr unsigned length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                               31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr int length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static constexpr unsigned distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (int s = symbol(literals); s != 256; s = symbol(literals)) {
      if (s < 256) {
        out_.push_back(static_cast<std::uint8_t>(s));
        continue;
      }
      require(s < 286, "not a length");
      const std::size_t l = static_cast<std::size_t>(s) - 257;
      const unsigned length = length_base[l] + bits(length_bits[l]);
      const auto d = static_cast<std::size_t>(symbol(distances));
      const unsigned distance = distance_base[d] + bits(d < 4 ? 0 : static_cast<int>(d) / 2 - 1);
      require(distance <= out_.size() && distance <= 32768, "a repetition from before the beginning");
      for (unsigned i = 0; i < length; ++i) out_.push_back(out_[out_.size() - distance]);
    }
  }

  const bytes& data_;
  std::size_t position_;
  bytes out_;
};

inline std::uint32_t number(const bytes& data, std::size_t at) {
  require(at + 4 <= data.size(), "the file ends early");
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | data[i];
  return value;
}

inline std::uint32_t crc(const bytes& data, std::size_t from, std::size_t to) {
  std::uint32_t table[256];
  for (std::uint32_t n = 0; n < 256; ++n) {
    table[n] = n;
    for (int k = 0; k < 8; ++k) table[n] = table[n] % 2 == 1 ? 0xEDB88320U ^ table[n] / 2 : table[n] / 2;
  }
  std::uint32_t value = 0xFFFFFFFFU;
  for (std::size_t i = from; i < to; ++i) value = table[(value ^ data[i]) % 256] ^ value / 256;
  return value ^ 0xFFFFFFFFU;
}

inline bytes decompress(const bytes& zlib) {
  require(zlib.size() > 6 && zlib[0] == 0x78 && (zlib[0] * 256U + zlib[1]) % 31 == 0 && (zlib[1] & 32U) == 0,
          "not a zlib header");
  inflater decoder(zlib, 2);
  bytes out = decoder.run();
  std::uint64_t a = 1, b = 0;
  for (const std::uint8_t byte : out) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  require(number(zlib, decoder.end()) == b * 65536 + a, "the Adler-32 checksum differs");
  require(decoder.end() + 4 == zlib.size(), "more after the checksum");
  return out;
}

inline int paeth(int left, int above, int corner) {
  const int p = left + above - corner;
  const int to_left = std::abs(p - left), to_above = std::abs(p - above), to_corner = std::abs(p - corner);
  return to_left <= to_above && to_left <= to_corner ? left : to_above <= to_corner ? above : corner;
}

inline bytes unfilter(const bytes& rows, std::size_t height, std::size_t row_bytes, std::size_t pixel) {
  require(rows.size() == height * (row_bytes + 1), "not as many bytes as pixels");
  bytes pixels(height * row_bytes);
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t kind = rows[y * (row_bytes + 1)];
    require(kind < 5, "unknown filter");
    for (std::size_t x = 0; x < row_bytes; ++x) {
      const std::size_t at = y * row_bytes + x;
      const int left = x >= pixel ? pixels[at - pixel] : 0;
      const int above = y > 0 ? pixels[at - row_bytes] : 0;
      const int corner = x >= pixel && y > 0 ? pixels[at - row_bytes - pixel] : 0;
      const int predicted[] = {0, left, above, (left + above) / 2, paeth(left, above, corner)};
      pixels[at] = static_cast<std::uint8_t>(rows[y * (row_bytes + 1) + 1 + x] + predicted[kind]);
    }
  }
  return pixels;
}

inline picture decode(const bytes& file) {
  const bytes signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  require(file.size() > 8 && bytes(file.begin(), file.begin() + 8) == signature, "not the signature");
  picture result;
  bytes data;
  std::string chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t length = number(file, at), begin = at + 8, end = begin + length;
    require(end + 4 <= file.size(), "a chunk is cut off");
    const std::string type(file.begin() + static_cast<std::ptrdiff_t>(at + 4),
                           file.begin() + static_cast<std::ptrdiff_t>(begin));
    require(crc(file, at + 4, end) == number(file, end), "the CRC of " + type + " differs");
    if (type == "IHDR") {
      require(length == 13 && file[begin + 8] == 8, "not 8 bits");
      require(file[begin + 9] == 0 || file[begin + 9] == 2, "neither grey nor RGB");
      require(file[begin + 10] == 0 && file[begin + 11] == 0 && file[begin + 12] == 0, "an unknown method");
      result.width = number(file, begin);
      result.height = number(file, begin + 4);
      result.channels = file[begin + 9] == 0 ? 1 : 3;
    } else if (type == "IDAT") {
      data.insert(data.end(), file.begin() + static_cast<std::ptrdiff_t>(begin),
                  file.begin() + static_cast<std::ptrdiff_t>(end));
    } else {
      require(type == "IEND" && length == 0, "an unknown chunk " + type);
    }
    if (type != "IDAT" || !chunks.ends_with("IDAT")) chunks += type;
    at = end + 4;
  }
  require(chunks == "IHDRIDATIEND", "chunks missing or out of order: " + chunks);
  require(result.width > 0 && result.height > 0, "no pixels");
  const std::size_t row_bytes = result.width * result.channels;
  result.pixels = unfilter(decompress(data), result.height, row_bytes, result.channels);
  return result;
}

}  // namespace png
