// SPDX-License-Identifier: MIT
// Long random orders on the CPU: items are dealt into piles by the first bits of their keys, and the piles
// sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/array/array.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/sort/vector_sort.hpp>
#include <gnp/random/order_keys.hpp>
#include <gnp/random/philox_vectors.hpp>
#include <memory>
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
  const std::unique_ptr<std::uint64_t[]> sorted(new std::uint64_t[count]);
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

/// Writes the keys of the items [begin, end) to keys[begin] and on; begin is a multiple of 64.
GNP_ON_USE void write_keys(const scalar::random_source& source, index_t begin, index_t end, index_t* keys) {
  constexpr index_t tile = 64;  // a constant: g++ -O2 vectorises loops of a known length only
#if GNP_VECTOR_PRODUCTS
  static const bool in_vectors = __builtin_cpu_supports("avx2");
#else
  constexpr bool in_vectors = false;
#endif
  for (; begin < end; begin += tile) {
    unsigned long long made[tile];
    const auto first = static_cast<unsigned long long>(begin);
    if (in_vectors) {
#if GNP_VECTOR_PRODUCTS
      // An item's block is that of a group with the item's number, of a call that begins at the first column.
      scalar::random_source from = source;
      from.first_column = first >> 16;
      std::uint32_t words[4 * tile];
      write_words_in_vectors<1, tile>(from, static_cast<std::uint32_t>(first & 65535U), words);
      for (unsigned i = 0; i < tile; ++i)
        made[i] = static_cast<unsigned long long>(words[4 * i]) << 32 | words[4 * i + 1];
#endif
    } else {
      for (unsigned i = 0; i < tile; ++i) made[i] = scalar::key_of_item(source, first + i);
    }
    const index_t count = (std::min)(tile, end - begin);
    for (index_t i = 0; i < count; ++i) keys[begin + i] = static_cast<index_t>(made[i]);
  }
}

GNP_DEFINED_ON_USE void order_by_keys(const scalar::random_source& source, index_t* order, index_t count,
                                      index_t wanted) {
  // Piles of 4096 items, 32 KiB, stay in the first cache while they are sorted.
  int bits = 1;
  while (bits < 16 && (count >> bits) > (1 << 12)) ++bits;
  const std::size_t piles = std::size_t{1} << bits;
  int item_bits = 1;
  while ((count - 1) >> item_bits > 0) ++item_bits;

  // The items are split into parts, each of which counts and deals its own items, so that all threads deal.
  // Until then, `order` holds the keys.
  constexpr index_t parts = 64;
  const index_t part = ((count + parts - 1) / parts + 63) / 64 * 64;
  std::vector<std::size_t> places(parts * piles);
  const auto for_each_part = [&](const auto& f) {
    parallel_for(parts, 1, [&](index_t first, index_t last) {
      for (index_t p = first; p < last; ++p) {
        const index_t begin = (std::min)(p * part, count);
        f(begin, (std::min)(begin + part, count), places.data() + static_cast<std::size_t>(p) * piles);
      }
    });
  };
  const auto pile_of = [bits](unsigned long long key) { return static_cast<std::size_t>(key >> (64 - bits)); };
  for_each_part([&](index_t begin, index_t end, std::size_t* counts) {
    write_keys(source, begin, end, order);
    for (index_t i = begin; i < end; ++i) ++counts[pile_of(static_cast<unsigned long long>(order[i]))];
  });
  // All unwanted items of a part are written to one word behind the wanted ones: that takes no branch. Each of
  // these words has a cache line of its own.
  constexpr std::size_t unwanted = 8;
  std::vector<std::size_t> start(piles + 1);
  std::size_t dealt = 0;
  std::size_t used = 0;  // the piles that the wanted items are in
  for (std::size_t pile = 0; pile < piles; ++pile) {
    if (dealt < static_cast<std::size_t>(wanted)) used = pile + 1;
    start[pile] = dealt;
    for (std::size_t p = 0; p < parts; ++p) {
      std::size_t& place = places[p * piles + pile];
      const std::size_t here = place;
      place = pile < used ? dealt : start[used] + p * unwanted;
      dealt += here;
    }
  }
  start[piles] = dealt;
  // An array, whose memory is found faster than that of a large new[].
  const array<std::uint64_t> words(shape_t{static_cast<index_t>(start[used] + parts * unwanted)}, device::cpu(),
                                   "permutation");
  std::uint64_t* const items = words.data();
  for_each_part([&](index_t begin, index_t end, std::size_t* next) {
    for (index_t i = begin; i < end; ++i) {
      const auto key = static_cast<unsigned long long>(order[i]);
      const std::size_t pile = pile_of(key);
      items[next[pile]] = (key << bits) >> item_bits << item_bits | static_cast<std::uint64_t>(i);
      next[pile] += pile < used ? 1 : 0;
    }
  });
  parallel_for(static_cast<index_t>(used), 1, [&](index_t begin, index_t end) {
    for (auto pile = static_cast<std::size_t>(begin); pile < static_cast<std::size_t>(end); ++pile) {
      sort_pile(source, items + start[pile], start[pile + 1] - start[pile], item_bits, order + start[pile]);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
