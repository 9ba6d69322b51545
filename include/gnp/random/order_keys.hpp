// SPDX-License-Identifier: MIT
// Long random orders: each item has its own Philox block, and the items are sorted by these blocks. Philox with
// one key is a bijection of its counters, so no two blocks are equal, and every order is equally likely. The
// keys determine the order, but not the sorting method: the CPU and a GPU each have their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gnp/core/shape.hpp>
#include <gnp/random/philox.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace scalar {

// clang-format off

// On a GPU, the upper half of an item's block is kept with it. The lower half is computed again when two items
// have the same upper half.
GNP_SCALAR(keyed_item, random,
  struct alignas(16) keyed_item { unsigned long long key; unsigned long long item; };
  inline words4 block_of_item(const random_source& source, unsigned long long item) {
    return source.at(item >> 16, static_cast<unsigned>(item) & 65535u);
  }
  inline unsigned long long key_of_item(const random_source& source, unsigned long long item) {
    const words4 w = block_of_item(source, item);
    return static_cast<unsigned long long>(w.x) << 32 | w.y;
  }
  inline unsigned long long lower_key_of_item(const random_source& source, unsigned long long item) {
    const words4 w = block_of_item(source, item);
    return static_cast<unsigned long long>(w.z) << 32 | w.w;
  }
  inline bool comes_before(const random_source& source, const keyed_item& a, const keyed_item& b) {
    if (a.key != b.key) return a.key < b.key;
    return a.item != b.item && lower_key_of_item(source, a.item) < lower_key_of_item(source, b.item);
  })

// clang-format on

}  // namespace scalar

namespace detail {

/// Sorts items whose keys agree in the upper bits. Each is a word: in the lower `item_bits` the item's number,
/// and above them as many of the key's next bits as there is room for. The words are overwritten.
GNP_DECLARED_ON_USE void sort_pile(const scalar::random_source& source, std::uint64_t* pile, std::size_t count,
                                   int item_bits, index_t* order);

/// Sorts 0, 1, ..., count - 1 by their keys. The first bits deal them into piles that fit a cache; then each
/// pile is sorted. Only the first `wanted` items of the order are needed; the rest of `order` is overwritten.
/// Items are passed over if that leaves the wanted ones and this many standard deviations more: six are too few
/// once in 1e9 orders, and then no item is passed over.
GNP_DECLARED_ON_USE void order_by_keys(const scalar::random_source& source, index_t* order, index_t count,
                                       index_t wanted, double deviations = 6);

/// The orders of rows of random keys: in each, the places of its keys from the least to the greatest. Equal
/// keys stay in order.
GNP_DECLARED_ON_USE void order_rows(const std::uint64_t* keys, index_t rows, index_t length, index_t* order);

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/random/order_piles.hpp>
#endif
