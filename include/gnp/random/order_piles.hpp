// SPDX-License-Identifier: MIT
// Long random orders on the CPU: items are dealt into piles by the first bits of their keys, and the piles
// sorted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gnp/array/array.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/sort/vector_sort.hpp>
#include <gnp/memory/room.hpp>
#include <gnp/random/order_keys.hpp>
#include <gnp/random/philox_vectors.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Sorts words that are random in their upper bits: each is first put at the place given by these, which is
/// never far from its final place.
GNP_ON_USE void sort_random_words(std::uint64_t* words, std::size_t count) {
  int bits = 1;
  while ((std::size_t{1} << bits) < count) ++bits;
  std::vector<std::uint32_t> start((std::size_t{1} << bits) + 1);
  for (std::size_t i = 0; i < count; ++i) ++start[(words[i] >> (64 - bits)) + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  const auto sorted = room_for<std::uint64_t>(static_cast<index_t>(count));
  for (std::size_t i = 0; i < count; ++i) sorted[start[words[i] >> (64 - bits)]++] = words[i];
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint64_t x = sorted[i];
    std::size_t to = i;
    for (; to > 0 && x < sorted[to - 1]; --to) sorted[to] = sorted[to - 1];
    sorted[to] = x;
  }
  std::copy(sorted.get(), sorted.get() + count, words);
}

/// Takes the items out of sorted words. Does the key's part in a word occur twice?
GNP_LOOP inline bool take_items(const std::uint64_t* words, std::size_t count, int item_bits, index_t* order) {
  const std::uint64_t mask = (std::uint64_t{1} << item_bits) - 1;
  std::uint64_t doubled = 0;
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<index_t>(words[i] & mask);
  for (std::size_t i = 1; i < count; ++i) doubled |= (words[i] ^ words[i - 1]) <= mask ? 1U : 0U;
  return doubled != 0;
}

GNP_DEFINED_ON_USE void sort_pile(const scalar::random_source& source, std::uint64_t* pile, std::size_t count,
                                  int item_bits, index_t* order) {
  if (count == 0) return;
  const rows_to_sort words{dtype::uint64, pile, 1, static_cast<index_t>(count), false};
  if (!sort_in_vectors(words, pile)) sort_random_words(pile, count);
  if (!take_items(pile, count, item_bits, order)) return;
  const auto keyed = [&source](index_t item) {
    const auto number = static_cast<unsigned long long>(item);
    return scalar::keyed_item{scalar::key_of_item(source, number), number};
  };
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && pile[end] >> item_bits == pile[begin] >> item_bits) ++end;
    if (end - begin == 1) continue;
    std::sort(order + begin, order + end,
              [&](index_t a, index_t b) { return scalar::comes_before(source, keyed(a), keyed(b)); });
  }
}

GNP_DEFINED_ON_USE void order_rows(const std::uint64_t* keys, index_t rows, index_t length, index_t* order) {
  // As in piles, a word holds the upper bits of a key and, below them, the key's place in its row.
  int place_bits = 1;
  while ((length - 1) >> place_bits > 0) ++place_bits;
  const std::uint64_t kept = ~std::uint64_t{0} << place_bits;
  const auto width = static_cast<std::size_t>(length);
  const auto count = static_cast<std::size_t>(rows) * width;
  const auto words = room_for<std::uint64_t>(rows * length);
  for (std::size_t row = 0; row < count; row += width) {
    for (std::size_t i = 0; i < width; ++i) words[row + i] = (keys[row + i] & kept) | i;
  }
  const bool sorted = sort_in_vectors({dtype::uint64, words.get(), rows, length, false}, words.get());
  for (std::size_t row = 0; row < count; row += width) {
    if (!sorted) sort_random_words(words.get() + row, width);
    if (!take_items(words.get() + row, width, place_bits, order + row)) continue;
    std::sort(order + row, order + row + width, [&](index_t a, index_t b) {
      const std::uint64_t first = keys[row + static_cast<std::size_t>(a)];
      const std::uint64_t second = keys[row + static_cast<std::size_t>(b)];
      return first < second || (first == second && a < b);
    });
  }
}

/// Writes a word for each of the items [begin, end) whose key is at most `most`: the item in the lower
/// `item_bits`, and above it the upper bits of its key. Returns the end of the words. begin is a multiple
/// of 64.
GNP_ON_USE std::uint64_t* write_first_items(const scalar::random_source& source, index_t begin, index_t end,
                                            std::uint64_t most, int item_bits, std::uint64_t* words) {
  constexpr index_t tile = 64;  // a constant: g++ -O2 vectorises loops of a known length only
  const std::uint64_t kept = ~std::uint64_t{0} << item_bits;
  for (; begin < end; begin += tile) {
    std::uint64_t keys[tile];
    std::uint64_t lower[tile];
    const auto first = static_cast<std::uint64_t>(begin);
    write_blocks<true, tile>(source, first, 0, keys, lower);
    const auto count = static_cast<std::size_t>((std::min)(tile, end - begin));
    // Written in any case and then kept or not, which takes no branch. There are never more words than items so
    // far, so that all are within the memory of [begin, end).
    for (std::size_t i = 0; i < count; ++i) {
      *words = (keys[i] & kept) | (first + i);
      words += keys[i] <= most ? 1 : 0;
    }
  }
  return words;
}

GNP_DEFINED_ON_USE void order_by_keys(const scalar::random_source& source, index_t* order, index_t count,
                                      index_t wanted, double deviations) {
  // Piles of 4096 items, 32 KiB, stay in the first cache while they are sorted.
  int bits = 1;
  while (bits < 16 && (count >> bits) > (1 << 12)) ++bits;
  const std::size_t piles = std::size_t{1} << bits;
  int item_bits = 1;
  while ((count - 1) >> item_bits > 0) ++item_bits;

  // If only the first items of the order are wanted, most of the others are passed over: those whose keys are
  // above `most`. 64 is for very small numbers, which are not normally distributed.
  const auto all = static_cast<double>(count);
  const double enough = static_cast<double>(wanted) + deviations * std::sqrt(static_cast<double>(wanted)) + 64;
  constexpr std::uint64_t any = ~std::uint64_t{0};
  std::uint64_t most = enough < all ? static_cast<std::uint64_t>((std::max)(enough, 0.0) / all * 0x1p64) : any;

  // The items are split into parts, each of which writes, counts and deals its own items, so that all threads
  // deal. Until then, the words of a part are in its piece of `order`.
  constexpr index_t parts = 64;
  const index_t part = ((count + parts - 1) / parts + 63) / 64 * 64;
  std::vector<std::size_t> places(parts * piles);
  std::vector<std::size_t> kept(parts);
  const auto for_each_part = [&](const auto& f) {
    parallel_for(parts, 1, [&](index_t first, index_t last) {
      for (index_t p = first; p < last; ++p)
        f(static_cast<std::size_t>(p), places.data() + static_cast<std::size_t>(p) * piles);
    });
  };
  auto* const written = reinterpret_cast<std::uint64_t*>(order);  // signed and unsigned may share memory
  const auto words_of = [&](std::size_t p) {
    return written + (std::min)(static_cast<index_t>(p) * part, count);
  };
  const auto pile_of = [bits](std::uint64_t word) { return static_cast<std::size_t>(word >> (64 - bits)); };
  const auto write_and_count = [&] {
    for_each_part([&](std::size_t p, std::size_t* counts) {
      const index_t begin = (std::min)(static_cast<index_t>(p) * part, count);
      std::uint64_t* const words = words_of(p);
      kept[p] = static_cast<std::size_t>(
          write_first_items(source, begin, (std::min)(begin + part, count), most, item_bits, words) - words);
      std::fill(counts, counts + piles, std::size_t{0});
      for (std::size_t i = 0; i < kept[p]; ++i) ++counts[pile_of(words[i])];
    });
    return std::accumulate(kept.begin(), kept.end(), std::size_t{0});
  };
  if (write_and_count() < static_cast<std::size_t>(wanted)) {
    most = any;
    write_and_count();
  }
  std::vector<std::size_t> start(piles + 1);
  std::size_t dealt = 0;
  std::size_t used = 0;  // the piles that the wanted items are in
  for (std::size_t pile = 0; pile < piles; ++pile) {
    if (dealt < static_cast<std::size_t>(wanted)) used = pile + 1;
    start[pile] = dealt;
    for (std::size_t p = 0; p < parts; ++p) dealt += std::exchange(places[p * piles + pile], dealt);
  }
  start[piles] = dealt;
  // An array, whose memory is found faster than that of a large new[].
  const array<std::uint64_t> words(shape_t{static_cast<index_t>(dealt)}, device::cpu(), "permutation");
  std::uint64_t* const items = words.data();
  const std::uint64_t item_mask = (std::uint64_t{1} << item_bits) - 1;
  for_each_part([&](std::size_t p, std::size_t* next) {
    const std::uint64_t* const from = words_of(p);
    for (std::size_t i = 0; i < kept[p]; ++i) {
      const std::uint64_t key = from[i] & ~item_mask;
      items[next[pile_of(key)]++] = key << bits | (from[i] & item_mask);
    }
  });
  parallel_for(static_cast<index_t>(used), 1, [&](index_t begin, index_t end) {
    for (auto pile = static_cast<std::size_t>(begin); pile < static_cast<std::size_t>(end); ++pile) {
      sort_pile(source, items + start[pile], start[pile + 1] - start[pile], item_bits, order + start[pile]);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
