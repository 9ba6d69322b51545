// SPDX-License-Identifier: MIT
// Memory blocks that a stream has finished with, by size.
#pragma once

#include <bit>
#include <cstddef>
#include <gnp/core/config.hpp>
#include <mutex>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An allocation on the same stream comes after the last use of these blocks there, so it can take one
/// immediately. Asking the driver's pool would take 0.3 us for small blocks and 1 us for large ones.
class block_cache {
 public:
  /// Sizes are 512 bytes, 1 KiB, ... up to 1 MiB, and then four sizes for each doubling, so that at most a
  /// quarter is wasted.
  static constexpr int small_classes = 12;
  static constexpr int classes = small_classes + 4 * 6;  // to 64 MiB
  static constexpr int most_of_a_class = 16;
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  /// The class of a size; `classes` if blocks of this size are too large to keep.
  static constexpr int class_of(std::size_t bytes) {
    if (bytes <= std::size_t{512}) return 0;
    const auto octave = static_cast<int>(std::bit_width(bytes - 1)) - 1;
    if (octave < 20) return octave - 8;
    const auto quarter = static_cast<int>((bytes - 1) >> (octave - 2) & 3);
    return octave < 26 ? small_classes + 4 * (octave - 20) + quarter : classes;
  }
  /// The size that blocks of a class have.
  static constexpr std::size_t bytes_of(int c) {
    if (c < small_classes) return std::size_t{512} << c;
    const int octave = (c - small_classes) / 4 + 20;
    return static_cast<std::size_t>(5 + (c - small_classes) % 4) << (octave - 2);
  }

  /// A block with room for this many bytes, or nullptr.
  GNP_INLINE void* take(std::size_t bytes) {
    const int c = class_of(bytes);
    const std::lock_guard guard(lock_);
    return c < classes ? last_of(c) : nullptr;
  }
  /// False if there is no room for another block of this size.
  GNP_INLINE bool keep(void* block, std::size_t bytes) {
    const int c = class_of(bytes);
    const std::lock_guard guard(lock_);
    if (c == classes || counts_[c] == most_of_a_class || kept_ + bytes_of(c) > most_bytes) return false;
    blocks_[c][counts_[c]++] = block;
    kept_ += bytes_of(c);
    return true;
  }
  /// The bytes of all of them.
  GNP_INLINE std::size_t kept_bytes() {
    const std::lock_guard guard(lock_);
    return kept_;
  }
  /// Any of the blocks, or nullptr once there is none.
  GNP_INLINE void* take_any() {
    const std::lock_guard guard(lock_);
    for (int c = 0; c < classes; ++c) {
      if (void* block = last_of(c)) return block;
    }
    return nullptr;
  }

 private:
  GNP_INLINE void* last_of(int c) {
    if (counts_[c] == 0) return nullptr;
    kept_ -= bytes_of(c);
    return blocks_[c][--counts_[c]];
  }

  std::mutex lock_;
  std::size_t kept_ = 0;
  int counts_[classes] = {};
  void* blocks_[classes][most_of_a_class] = {};
};

}}}  // namespace gnp::GNP_ABI::detail
