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

/// `size` different numbers of 0, 1, ..., count - 1, in random order (Floyd), with memory for only `size`
/// numbers.
GNP_ON_USE std::vector<index_t> distinct_sample(const scalar::random_source& source, index_t count,
                                                index_t size) {
  std::vector<index_t> sample;
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
  shuffle_few(sample.data(), size, size, words);
  return sample;
}

GNP_DEFINED_ON_USE array<index_t> random_sample(const random_call& call, index_t count, index_t size) {
  if (size > count / 16 || count <= 1 << 16) {
    return first_of_order(call, count, size, "choice");
  }
  const use_device guard(call.where);
  const std::vector<index_t> sample = distinct_sample(source_for_host(call), count, size);
  return asarray(sample.data(), shape_t{size});
}

}}}  // namespace gnp::GNP_ABI::detail
