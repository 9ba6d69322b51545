// SPDX-License-Identifier: MIT
// Random orders and samples of 0, 1, ..., n - 1, made on the host from a call's numbers: every order is equally
// likely, and the order is the same whatever device it goes to.
#pragma once

#include <algorithm>
#include <gnp/cpu/threads.hpp>
#include <gnp/random/integers.hpp>
#include <numeric>
#include <vector>

namespace gnp::inline GNP_ABI::detail {

/// Words one after another: the numbers of a call that no element has, in as many streams as are wanted.
class word_stream {
 public:
  word_stream(const scalar::random_source& source, std::uint32_t stream)
      : source_(source), row_(65536 + stream) {}

  std::uint32_t next() {
    if (used_ == 4) {
      const scalar::words4 w = source_.at(column_++, row_);
      words_[0] = w.x;
      words_[1] = w.y;
      words_[2] = w.z;
      words_[3] = w.w;
      used_ = 0;
    }
    return words_[used_++];
  }

  /// One of 0, 1, ..., n - 1.
  std::uint64_t below(std::uint64_t n) {
    if (n <= 0xffffffffU) {
      const auto excess = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % n);
      for (;;) {
        const std::uint64_t product = next() * n;
        if (static_cast<std::uint32_t>(product) >= excess) return product >> 32;
      }
    }
    const std::uint64_t excess = (0 - n) % n;
    for (;;) {
      const std::uint64_t low = next();
      const std::uint64_t word = low | std::uint64_t{next()} << 32;
      if (word * n >= excess) return gnp_multiply_high(word, n);
    }
  }

 private:
  scalar::random_source source_;
  std::uint32_t row_;
  unsigned long long column_ = 0;
  std::uint32_t words_[4] = {};
  int used_ = 4;
};

/// Fisher and Yates's shuffle.
inline void shuffle_few(index_t* items, index_t count, word_stream& words) {
  for (index_t i = count - 1; i > 0; --i) {
    std::swap(items[i], items[words.below(static_cast<std::uint64_t>(i) + 1)]);
  }
}

/// What fits the second-level cache is shuffled in one go.
inline constexpr index_t shuffled_at_once = 1 << 16;

/// 0, 1, ..., count - 1 in random order. Many are first dealt into piles, each to a pile by chance, and the
/// piles shuffled (Rao; Sandelius): as uniform, and no longer a cache miss for each.
inline void random_order(const scalar::random_source& source, index_t* order, index_t count) {
  if (count <= 2 * shuffled_at_once) {
    std::iota(order, order + count, index_t{0});
    word_stream words(source, 0);
    shuffle_few(order, count, words);
    return;
  }
  std::uint32_t piles = 1;
  while (count / piles > shuffled_at_once && piles < (1U << 16)) piles *= 2;
  std::vector<std::uint16_t> pile_of(static_cast<std::size_t>(count + 3));
  parallel_for((count + 3) / 4, 1 << 14, [&](index_t begin, index_t end) {
    for (index_t g = begin; g < end; ++g) {
      const auto group = static_cast<unsigned long long>(g);
      const scalar::words4 w = source.at(group >> 16, static_cast<unsigned>(group) & 65535U);
      const std::uint32_t words[4] = {w.x, w.y, w.z, w.w};
      for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<std::size_t>(4 * g + i);
        if (at < pile_of.size()) pile_of[at] = static_cast<std::uint16_t>(words[i] & (piles - 1));
      }
    }
  });
  std::vector<index_t> start(piles + 1);
  for (index_t i = 0; i < count; ++i) ++start[pile_of[static_cast<std::size_t>(i)] + 1U];
  for (std::size_t p = 1; p <= piles; ++p) start[p] += start[p - 1];
  std::vector<index_t> top(start.begin(), start.end() - 1);
  for (index_t i = 0; i < count; ++i) order[top[pile_of[static_cast<std::size_t>(i)]]++] = i;
  parallel_for(piles, 1, [&](index_t begin, index_t end) {
    for (index_t p = begin; p < end; ++p) {
      word_stream words(source, static_cast<std::uint32_t>(p) + 1);
      shuffle_few(order + start[p], start[p + 1] - start[p], words);
    }
  });
}

/// `size` different ones of 0, 1, ..., count - 1, in random order. Few of many take memory for the few only
/// (Floyd).
inline std::vector<index_t> random_sample(const scalar::random_source& source, index_t count, index_t size) {
  std::vector<index_t> sample;
  if (size > count / 16 || count <= shuffled_at_once) {
    sample.resize(static_cast<std::size_t>(count));
    random_order(source, sample.data(), count);
    sample.resize(static_cast<std::size_t>(size));
    return sample;
  }
  std::size_t slots = 4;
  while (slots < 2 * static_cast<std::size_t>(size)) slots *= 2;
  std::vector<index_t> taken(slots, index_t{-1});
  const auto take = [&](index_t value) {
    std::size_t at = static_cast<std::size_t>(static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15U >> 20);
    for (at %= slots; taken[at] != -1; at = (at + 1) % slots) {
      if (taken[at] == value) return false;
    }
    taken[at] = value;
    sample.push_back(value);
    return true;
  };
  word_stream words(source, 0);
  for (index_t last = count - size; last < count; ++last) {
    if (!take(static_cast<index_t>(words.below(static_cast<std::uint64_t>(last) + 1)))) take(last);
  }
  shuffle_few(sample.data(), size, words);
  return sample;
}

}  // namespace gnp::inline GNP_ABI::detail
