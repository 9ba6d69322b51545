// SPDX-License-Identifier: MIT
// Orders that are shuffled, and samples that are drawn one after another, on the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/array/asarray.hpp>
#include <gnp/random/integers.hpp>
#include <gnp/random/order.hpp>
#include <gnp/random/philox_vectors.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A sequence of words, from the numbers of a call that belong to no element, in as many streams as are needed.
class word_stream {
 public:
  word_stream(const scalar::random_source& source, std::uint32_t stream)
      : source_(source), row_(65536 + stream) {}

  std::uint32_t next() {
    if (used_ == filled_) fill();
    return words_[used_++];
  }

  /// One of 0, 1, ..., n - 1.
  std::uint64_t below(std::uint64_t n) {
    // Few numbers need the remainder, which is less than n and takes longer than all the rest.
    if (n <= 0xffffffffU) {
      for (;;) {
        const std::uint64_t product = next() * n;
        const auto low = static_cast<std::uint32_t>(product);
        if (low >= n || low >= (std::uint64_t{1} << 32) % n) return product >> 32;
      }
    }
    for (;;) {
      const std::uint64_t low = next();
      const std::uint64_t word = low | std::uint64_t{next()} << 32;
      if (word * n >= n || word * n >= (0 - n) % n) return scalar::gnp_multiply_high(word, n);
    }
  }

 private:
  static constexpr std::uint32_t most = 32;  // blocks made at a time: enough for vectors

  GNP_ON_USE void fill() {
    std::uint64_t upper[most];
    std::uint64_t lower[most];
    // Short sequences are made block by block.
    const std::uint32_t blocks = column_ < 8 ? 1 : most;
    if (blocks == 1) {
      write_blocks<false, 1>(source_, column_, row_, upper, lower);
    } else {
      write_blocks<false, most>(source_, column_, row_, upper, lower);
    }
    column_ += blocks;
    for (std::uint32_t i = 0; i < blocks; ++i) {
      words_[4 * i] = static_cast<std::uint32_t>(upper[i] >> 32);
      words_[4 * i + 1] = static_cast<std::uint32_t>(upper[i]);
      words_[4 * i + 2] = static_cast<std::uint32_t>(lower[i] >> 32);
      words_[4 * i + 3] = static_cast<std::uint32_t>(lower[i]);
    }
    filled_ = 4 * blocks;
    used_ = 0;
  }

  scalar::random_source source_;
  std::uint32_t row_;
  unsigned long long column_ = 0;
  std::uint32_t words_[4 * most];
  std::uint32_t filled_ = 0;
  std::uint32_t used_ = 0;
};

/// Fisher and Yates's shuffle, of which the first `wanted` items are needed. The other places are not looked at
/// again once they have got their items, so these are not moved there.
inline void shuffle_few(index_t* items, index_t count, index_t wanted, word_stream& words) {
  index_t i = count - 1;
  for (; i > 0 && i >= wanted; --i) items[words.below(static_cast<std::uint64_t>(i) + 1)] = items[i];
  for (; i > 0; --i) std::swap(items[i], items[words.below(static_cast<std::uint64_t>(i) + 1)]);
}

/// Up to this many are shuffled on the host, which takes less time than threads, or a GPU's kernels, take to
/// start.
inline constexpr index_t most_shuffled = 1 << 17;

GNP_DEFINED_ON_USE array<index_t> first_of_order(const random_call& call, index_t count, index_t wanted,
                                                 const char* function) {
  const auto first = [&](const array<index_t>& order) {
    return wanted == count ? order : order(slice(none, wanted)).copy();
  };
  const scalar::random_source source = source_for_host(call);
#if GNP_HAS_CUDA
  if (count > most_shuffled && call.where.is_cuda()) {
    const array<index_t> order(shape_t{count}, call.where, function);
    order_by_keys_on_gpu(source, order);
    return first(order);
  }
#endif
  const array<index_t> order(shape_t{count}, gnp::device::cpu(), function);
  if (count > most_shuffled) {
    order_by_keys(source, order.data(), count, wanted);
  } else {
    std::iota(order.data(), order.data() + count, index_t{0});
    word_stream words(source, 0);
    shuffle_few(order.data(), count, wanted, words);
  }
  return first(order).to(call.where);
}

/// Which of 0, 1, ..., count - 1 are taken: a bit each. Then a cache holds those of a million.
class taken_bits {
 public:
  explicit taken_bits(index_t count) : words_(static_cast<std::size_t>(count / 64 + 1)) {}

  /// Takes a number. Was it free?
  bool take(index_t value) {
    std::uint64_t& word = words_[static_cast<std::size_t>(value) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (value % 64);
    const bool free = (word & bit) == 0;
    word |= bit;
    return free;
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// The same in a hash table with memory for only `most` numbers.
class taken_numbers {
 public:
  explicit taken_numbers(index_t most) {
    std::size_t slots = 4;
    while (slots < 2 * static_cast<std::size_t>(most)) slots *= 2;
    slots_.assign(slots, index_t{-1});
  }

  bool take(index_t value) {
    auto at = static_cast<std::size_t>(static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15U >> 20);
    for (at %= slots_.size(); slots_[at] != -1; at = (at + 1) % slots_.size()) {
      if (slots_[at] == value) return false;
    }
    slots_[at] = value;
    return true;
  }

 private:
  std::vector<index_t> slots_;
};

/// Draws from 0, 1, ..., count - 1 until there are `size` different numbers: each of the remaining ones is
/// equally likely to be the next. A number that is taken is overwritten by the next one, which takes no branch.
template <class Taken>
void draw_distinct(index_t* sample, index_t count, index_t size, word_stream& words, Taken taken) {
  for (index_t drawn = 0; drawn < size;) {
    const auto value = static_cast<index_t>(words.below(static_cast<std::uint64_t>(count)));
    sample[drawn] = value;
    drawn += taken.take(value) ? 1 : 0;
  }
}

GNP_DEFINED_ON_USE array<index_t> random_sample(const random_call& call, index_t count, index_t size) {
  // Of up to half of the numbers, at most 1.4 times as many are drawn as are needed. But a GPU orders many
  // numbers faster than the host draws a large part of them.
  if (size > count / (count > most_shuffled ? 16 : 2)) {
    return first_of_order(call, count, size, "choice");
  }
  const array<index_t> sample(shape_t{size}, gnp::device::cpu(), "choice");
  word_stream words(source_for_host(call), 0);
  if (count / 256 <= size || count <= 1 << 14) {
    draw_distinct(sample.data(), count, size, words, taken_bits(count));
  } else {
    draw_distinct(sample.data(), count, size, words, taken_numbers(size));
  }
  return sample.to(call.where);
}

}}}  // namespace gnp::GNP_ABI::detail
