// SPDX-License-Identifier: MIT
// Keys in vectors, alone or with the places where they were: how sorts load, compare, exchange and store them.
#pragma once

#include <cstdint>
#include <gnp/core/shape.hpp>
#include <gnp/exec/sort/vector_words.hpp>

#if GNP_VECTOR_SORTS

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace vector_sorts {

/// The lanes whose number has this bit.
constexpr unsigned lanes_with(int bit) {
  unsigned lanes = 0;
  for (int l = 0; l < 32; ++l) lanes |= (l & bit) != 0 ? 1U << l : 0U;
  return lanes;
}
constexpr int highest_bit(int bits) {
  return bits >= 16 ? 16 : bits >= 8 ? 8 : bits >= 4 ? 4 : bits >= 2 ? 2 : 1;
}

/// Keys alone.
template <class Key>
struct keys {
  using w = words<Key>;
  using key = Key;
  static constexpr int lanes = w::lanes;
  static constexpr int most_in_network = 32;  // vectors; with 16, rows of 1000 take a fifth longer
  struct vectors {
    typename w::vector key;
  };

  Key* k;

  GNP_SORT_STEP keys from(index_t i) const { return {k + i}; }
  GNP_SORT_STEP vectors load(index_t i) const { return {*reinterpret_cast<const typename w::memory*>(k + i)}; }
  GNP_SORT_STEP void store(index_t i, const vectors& v) const {
    *reinterpret_cast<typename w::memory*>(k + i) = v.key;
  }
  /// The first lanes; the others hold what comes last.
  GNP_SORT_STEP vectors load_some(index_t i, typename w::mask m) const {
    return {w::load(k + i, typename w::vector{} + w::last, m)};
  }
  GNP_SORT_STEP void store_some(index_t i, const vectors& v, typename w::mask m) const {
    w::store(k + i, v.key, m);
  }
  GNP_SORT_STEP static vectors compressed(const vectors& v, typename w::mask m) {
    return {w::compressed(v.key, m)};
  }
  GNP_SORT_STEP static vectors apart(const vectors& v, typename w::mask m) {
    return {w::apart(v.key, w::way(m))};
  }
  template <int Bits>
  GNP_SORT_STEP static vectors exchanged(const vectors& v) {
    return {w::template exchanged<Bits>(v.key)};
  }
  GNP_SORT_STEP static void order(vectors& a, vectors& b) {
    const typename w::vector low = w::lower(a.key, b.key);
    b.key = w::upper(a.key, b.key, low, typename w::mask(-1));
    a.key = low;
  }
  /// Orders each lane and the one whose number differs in these bits.
  template <int Bits>
  GNP_SORT_STEP static void order_lanes(vectors& v) {
    const typename w::vector other = w::template exchanged<Bits>(v.key);
    v.key = w::upper(v.key, other, w::lower(v.key, other),
                     static_cast<typename w::mask>(lanes_with(highest_bit(Bits))));
  }
  /// The same for lanes of two vectors: each of one, and the one of the other whose number differs.
  template <int Bits>
  GNP_SORT_STEP static void order_lanes(vectors& a, vectors& b) {
    constexpr auto upper = static_cast<typename w::mask>(lanes_with(highest_bit(Bits)));
    const typename w::vector of_a = w::template exchanged<Bits>(a.key);
    const typename w::vector of_b = w::template exchanged<Bits>(b.key);
    a.key = w::upper(a.key, of_b, w::lower(a.key, of_b), upper);
    b.key = w::upper(b.key, of_a, w::lower(b.key, of_a), upper);
  }
  template <int Distance>
  GNP_SORT_STEP static void transpose_step(vectors& a, vectors& b) {
    exchange_quarters<Distance>(a.key, b.key);
  }
};

/// Keys of 8 bytes and where they were. Of equal keys, the one from the lower place comes first.
struct keys_and_places {
  using w = words<std::int64_t>;
  using key = std::int64_t;
  static constexpr int lanes = w::lanes;
  static constexpr int most_in_network = 16;
  struct vectors {
    w::vector key;
    w::vector place;
  };

  std::int64_t* k;
  std::int64_t* p;

  GNP_SORT_STEP keys_and_places from(index_t i) const { return {k + i, p + i}; }
  GNP_SORT_STEP vectors load(index_t i) const {
    return {*reinterpret_cast<const w::memory*>(k + i), *reinterpret_cast<const w::memory*>(p + i)};
  }
  GNP_SORT_STEP void store(index_t i, const vectors& v) const {
    *reinterpret_cast<w::memory*>(k + i) = v.key;
    *reinterpret_cast<w::memory*>(p + i) = v.place;
  }
  GNP_SORT_STEP vectors load_some(index_t i, w::mask m) const {
    const w::vector last = w::vector{} + w::last;
    return {w::load(k + i, last, m), w::load(p + i, last, m)};
  }
  GNP_SORT_STEP void store_some(index_t i, const vectors& v, w::mask m) const {
    w::store(k + i, v.key, m);
    w::store(p + i, v.place, m);
  }
  GNP_SORT_STEP static vectors compressed(const vectors& v, w::mask m) {
    return {w::compressed(v.key, m), w::compressed(v.place, m)};
  }
  GNP_SORT_STEP static vectors apart(const vectors& v, w::mask m) {
    const w::way_apart way = w::way(m);
    return {w::apart(v.key, way), w::apart(v.place, way)};
  }
  template <int Bits>
  GNP_SORT_STEP static vectors exchanged(const vectors& v) {
    return {w::exchanged<Bits>(v.key), w::exchanged<Bits>(v.place)};
  }
  GNP_SORT_STEP static w::mask comes_before(const vectors& a, const vectors& b) {
    return static_cast<w::mask>(w::compare<less>(a.key, b.key) |
                                (w::compare<equal>(a.key, b.key) & w::compare<less>(a.place, b.place)));
  }
  GNP_SORT_STEP static vectors blend(const vectors& a, const vectors& b, w::mask m) {
    return {w::blend(a.key, b.key, m), w::blend(a.place, b.place, m)};
  }
  GNP_SORT_STEP static void order(vectors& a, vectors& b) {
    const w::mask m = comes_before(b, a);
    const vectors low = blend(a, b, m);
    b = blend(b, a, m);
    a = low;
  }
  template <int Bits>
  GNP_SORT_STEP static void order_lanes(vectors& v) {
    const vectors other = exchanged<Bits>(v);
    const auto upper = static_cast<w::mask>(lanes_with(highest_bit(Bits)));
    v = blend(v, other, static_cast<w::mask>(comes_before(other, v) ^ upper));
  }
  template <int Bits>
  GNP_SORT_STEP static void order_lanes(vectors& a, vectors& b) {
    const auto upper = static_cast<w::mask>(lanes_with(highest_bit(Bits)));
    const vectors of_a = exchanged<Bits>(a);
    const vectors of_b = exchanged<Bits>(b);
    a = blend(a, of_b, static_cast<w::mask>(comes_before(of_b, a) ^ upper));
    b = blend(b, of_a, static_cast<w::mask>(comes_before(of_a, b) ^ upper));
  }
  template <int Distance>
  GNP_SORT_STEP static void transpose_step(vectors& a, vectors& b) {
    exchange_quarters<Distance>(a.key, b.key);
    exchange_quarters<Distance>(a.place, b.place);
  }
};

}}}}  // namespace gnp::GNP_ABI::detail::vector_sorts
#endif
