// SPDX-License-Identifier: MIT
// Long random orders on the CPU: items are dealt into piles by the first bits of their keys, and the piles
// sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/cpu/threads.hpp>
#include <gnp/random/order_keys.hpp>
#include <gnp/random/philox_vectors.hpp>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE void sort_pile(const scalar::random_source& source, const scalar::keyed_item* pile,
                                  std::size_t count, int known, index_t* order) {
  if (count == 0) return;
  int bits = 1;
  while ((std::size_t{1} << bits) < count) ++bits;
  std::vector<std::uint32_t> start((std::size_t{1} << bits) + 1);
  const auto slot_of = [&](const scalar::keyed_item& x) { return (x.key << known) >> (64 - bits); };
  for (std::size_t i = 0; i < count; ++i) ++start[slot_of(pile[i]) + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  const std::unique_ptr<scalar::keyed_item[]> sorted(new scalar::keyed_item[count]);
  for (std::size_t i = 0; i < count; ++i) sorted[start[slot_of(pile[i])]++] = pile[i];
  for (std::size_t i = 1; i < count; ++i) {
    const scalar::keyed_item x = sorted[i];
    std::size_t to = i;
    for (; to > 0 && scalar::comes_before(source, x, sorted[to - 1]); --to) sorted[to] = sorted[to - 1];
    sorted[to] = x;
  }
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<index_t>(sorted[i].item);
}

/// Writes the keys of the items [begin, end) to keys[begin] and on; begin is a multiple of 64.
GNP_ON_USE void write_keys(const scalar::random_source& source, index_t begin, index_t end, index_t* keys) {
  constexpr index_t tile = 64;  // a constant: g++ -O2 vectorises loops of a known length only
#if GNP_VECTOR_QUOTIENTS
  static const bool in_vectors = __builtin_cpu_supports("avx2");
#else
  constexpr bool in_vectors = false;
#endif
  for (; begin < end; begin += tile) {
    unsigned long long made[tile];
    const auto first = static_cast<unsigned long long>(begin);
    if (in_vectors) {
#if GNP_VECTOR_QUOTIENTS
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
  // Piles of 4096 items, twice 64 KiB, stay in the second cache while they are sorted.
  int bits = 1;
  while (bits < 16 && (count >> bits) > (1 << 12)) ++bits;
  const std::size_t piles = std::size_t{1} << bits;

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
  std::vector<std::size_t> start(piles + 1);
  std::size_t dealt = 0;
  std::size_t used = 0;  // the piles that the wanted items are in
  for (std::size_t pile = 0; pile < piles; ++pile) {
    if (dealt < static_cast<std::size_t>(wanted)) used = pile + 1;
    start[pile] = dealt;
    for (std::size_t p = 0; p < parts; ++p) {
      std::size_t& place = places[p * piles + pile];
      const std::size_t here = place;
      place = dealt;
      dealt += here;
    }
  }
  start[piles] = dealt;
  const std::unique_ptr<scalar::keyed_item[]> items(new scalar::keyed_item[start[used]]);
  for_each_part([&](index_t begin, index_t end, std::size_t* next) {
    for (index_t i = begin; i < end; ++i) {
      const auto key = static_cast<unsigned long long>(order[i]);
      const std::size_t pile = pile_of(key);
      if (pile < used) items[next[pile]++] = {key, static_cast<unsigned long long>(i)};
    }
  });
  parallel_for(static_cast<index_t>(used), 1, [&](index_t begin, index_t end) {
    for (auto pile = static_cast<std::size_t>(begin); pile < static_cast<std::size_t>(end); ++pile) {
      sort_pile(source, items.get() + start[pile], start[pile + 1] - start[pile], bits, order + start[pile]);
    }
  });
}

}}}  // namespace gnp::GNP_ABI::detail
