// SPDX-License-Identifier: MIT
// Keys in vectors of 64 bytes (AVX-512), alone or with the places where they were: how sorts load, compare,
// exchange and store them.
#pragma once

#include <cstdint>
#include <gnp/core/shape.hpp>
#include <gnp/cpu/loop.hpp>
#include <limits>
#include <type_traits>

// clang has other names for these instructions.
#if GNP_WIDE_LOOPS && !defined(__clang__)
#define GNP_VECTOR_SORTS 1

#define GNP_SORTS \
  __attribute__((optimize("O3"), target("avx512f,avx512vl,avx512bw,avx512dq,popcnt,prefer-vector-width=512")))
#define GNP_SORT_STEP GNP_SORTS __attribute__((always_inline)) inline

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace vector_sorts {

using vector_16 = short __attribute__((vector_size(64)));
using vector_32 = int __attribute__((vector_size(64)));
using vector_64 = long long __attribute__((vector_size(64)));
using vector_float = float __attribute__((vector_size(64)));
using vector_double = double __attribute__((vector_size(64)));
// The same types for memory, which may have any address and hold elements of any type.
using memory_16 = short __attribute__((vector_size(64), aligned(2), may_alias));
using memory_32 = int __attribute__((vector_size(64), aligned(4), may_alias));
using memory_64 = long long __attribute__((vector_size(64), aligned(8), may_alias));
using memory_float = float __attribute__((vector_size(64), aligned(4), may_alias));
using memory_double = double __attribute__((vector_size(64), aligned(8), may_alias));

// The processor's numbers for comparisons.
constexpr int equal = 0, less = 1, at_most = 2;

/// For each mask of 8 lanes: the numbers of the lanes whose bit is set, then those of the others, a byte each.
struct lanes_apart {
  std::uint64_t numbers[256]{};
  constexpr lanes_apart() {
    for (unsigned m = 0; m < 256; ++m) {
      int at = 0;
      for (const unsigned bit : {1U, 0U}) {
        for (unsigned l = 0; l < 8; ++l) {
          if ((m >> l & 1U) == bit) numbers[m] |= static_cast<std::uint64_t>(l) << (8 * at++);
        }
      }
    }
  }
};
inline constexpr lanes_apart apart_by_mask;

/// A step of transposing as many vectors as they have lanes: the lanes of `b` whose number does not have the
/// bit Distance change places with those of `a` whose number has it.
template <int Distance, class Vector>
GNP_SORT_STEP void exchange_quarters(Vector& a, Vector& b) {
  constexpr int lanes = static_cast<int>(sizeof(Vector) / sizeof(a[0]));
  using places =
      std::conditional_t<lanes == 32, vector_16, std::conditional_t<lanes == 16, vector_32, vector_64>>;
  using place = std::remove_cvref_t<decltype(places()[0])>;
  places of_a{}, of_b{};
#pragma GCC unroll 32
  for (int l = 0; l < lanes; ++l) {
    of_a[l] = static_cast<place>((l & Distance) == 0 ? l : lanes + l - Distance);
    of_b[l] = static_cast<place>((l & Distance) == 0 ? l + Distance : lanes + l);
  }
  const Vector first = __builtin_shuffle(a, b, of_a);
  b = __builtin_shuffle(a, b, of_b);
  a = first;
}

/// A vector of keys, and the processor's operations on it. In lanes whose bit in the mask is set, the result is
/// that of the operation, or `b`.
template <class Key>
struct words;
/// Only for processors with AVX512-VBMI2, whose two instructions are written out here, because everything else
/// would be compiled for such processors, too.
template <>
struct words<std::int16_t> {
  using vector = vector_16;
  using memory = memory_16;
  using mask = unsigned int;
  using word = short;
  static constexpr int lanes = 32;
  static constexpr word last = (std::numeric_limits<word>::max)();
  GNP_SORT_STEP static vector lower(vector a, vector b) {
    return __builtin_ia32_pminsw512_mask(a, b, a, mask(-1));
  }
  GNP_SORT_STEP static vector upper(vector a, vector b, vector rest, mask m) {
    return __builtin_ia32_pmaxsw512_mask(a, b, rest, m);
  }
  GNP_SORT_STEP static vector compressed(vector a, mask m) {
    vector result;
    asm("vpcompressw {%1, %0%{%2%}%{z%}|%0%{%2%}%{z%}, %1}" : "=v"(result) : "v"(a), "Yk"(m));
    return result;
  }
  using way_apart = mask;
  GNP_SORT_STEP static way_apart way(mask m) { return m; }
  GNP_SORT_STEP static vector apart(vector a, way_apart m) {
    const auto behind = static_cast<mask>(~std::uint64_t{0} << __builtin_popcount(m));
    vector result = compressed(a, m);
    asm("vpexpandw {%1, %0%{%2%}|%0%{%2%}, %1}" : "+v"(result) : "v"(compressed(a, ~m)), "Yk"(behind));
    return result;
  }
  template <int Comparison>
  GNP_SORT_STEP static mask compare(vector a, vector b) {
    return mask(__builtin_ia32_cmpw512_mask(a, b, Comparison, mask(-1)));
  }
  GNP_SORT_STEP static vector load(const void* from, vector rest, mask m) {
    return __builtin_ia32_loaddquhi512_mask(static_cast<const short*>(from), rest, m);
  }
  GNP_SORT_STEP static void store(void* to, vector a, mask m) {
    __builtin_ia32_storedquhi512_mask(static_cast<short*>(to), a, m);
  }
  template <int Bits>
  GNP_SORT_STEP static vector exchanged(vector a) {
    vector places{};
#pragma GCC unroll 32
    for (int l = 0; l < lanes; ++l) places[l] = static_cast<short>(l ^ Bits);
    return __builtin_shuffle(a, places);
  }
};
template <>
struct words<std::int32_t> {
  using vector = vector_32;
  using memory = memory_32;
  using mask = unsigned short;
  using word = int;
  static constexpr int lanes = 16;
  static constexpr word last = (std::numeric_limits<word>::max)();
  GNP_SORT_STEP static vector lower(vector a, vector b) {
    return __builtin_ia32_pminsd512_mask(a, b, a, mask(-1));
  }
  GNP_SORT_STEP static vector upper(vector a, vector b, vector rest, mask m) {
    return __builtin_ia32_pmaxsd512_mask(a, b, rest, m);
  }
  GNP_SORT_STEP static vector compressed(vector a, mask m) {
    return __builtin_ia32_compresssi512_mask(a, a, m);
  }
  /// way(m) describes a permutation that moves the lanes whose bit is set before the others; apart() applies
  /// it.
  using way_apart = mask;
  GNP_SORT_STEP static way_apart way(mask m) { return m; }
  GNP_SORT_STEP static vector apart(vector a, way_apart m) {
    const auto behind = mask(~0U << __builtin_popcount(m));
    return __builtin_ia32_expandsi512_mask(compressed(a, mask(~m)), compressed(a, m), behind);
  }
  template <int Comparison>
  GNP_SORT_STEP static mask compare(vector a, vector b) {
    return mask(__builtin_ia32_cmpd512_mask(a, b, Comparison, mask(-1)));
  }
  GNP_SORT_STEP static vector load(const void* from, vector rest, mask m) {
    return __builtin_ia32_loaddqusi512_mask(static_cast<const int*>(from), rest, m);
  }
  GNP_SORT_STEP static void store(void* to, vector a, mask m) {
    __builtin_ia32_storedqusi512_mask(static_cast<int*>(to), a, m);
  }
  template <int Bits>
  GNP_SORT_STEP static vector exchanged(vector a) {
    return __builtin_shuffle(
        a, vector{0 ^ Bits, 1 ^ Bits, 2 ^ Bits, 3 ^ Bits, 4 ^ Bits, 5 ^ Bits, 6 ^ Bits, 7 ^ Bits, 8 ^ Bits,
                  9 ^ Bits, 10 ^ Bits, 11 ^ Bits, 12 ^ Bits, 13 ^ Bits, 14 ^ Bits, 15 ^ Bits});
  }
};
template <>
struct words<std::int64_t> {
  using vector = vector_64;
  using memory = memory_64;
  using mask = unsigned char;
  using word = long long;
  static constexpr int lanes = 8;
  static constexpr word last = (std::numeric_limits<word>::max)();
  GNP_SORT_STEP static vector lower(vector a, vector b) {
    return __builtin_ia32_pminsq512_mask(a, b, a, mask(-1));
  }
  GNP_SORT_STEP static vector upper(vector a, vector b, vector rest, mask m) {
    return __builtin_ia32_pmaxsq512_mask(a, b, rest, m);
  }
  GNP_SORT_STEP static vector blend(vector a, vector b, mask m) {
    return __builtin_ia32_blendmq_512_mask(a, b, m);
  }
  GNP_SORT_STEP static vector compressed(vector a, mask m) {
    return __builtin_ia32_compressdi512_mask(a, a, m);
  }
  // The permutation is taken from a table: 100000 keys take 0.61 ms to sort, and 0.70 with compressions.
  using way_apart = vector;
  GNP_SORT_STEP static way_apart way(mask m) {
    using two = long long __attribute__((vector_size(16)));
    using bytes = char __attribute__((vector_size(16)));
    const two numbers{static_cast<long long>(apart_by_mask.numbers[m]), 0};
    return __builtin_ia32_pmovzxbq512_mask(reinterpret_cast<bytes>(numbers), vector{}, mask(-1));
  }
  GNP_SORT_STEP static vector apart(vector a, way_apart m) { return __builtin_shuffle(a, m); }
  template <int Comparison>
  GNP_SORT_STEP static mask compare(vector a, vector b) {
    return mask(__builtin_ia32_cmpq512_mask(a, b, Comparison, mask(-1)));
  }
  GNP_SORT_STEP static vector load(const void* from, vector rest, mask m) {
    return __builtin_ia32_loaddqudi512_mask(static_cast<const long long*>(from), rest, m);
  }
  GNP_SORT_STEP static void store(void* to, vector a, mask m) {
    __builtin_ia32_storedqudi512_mask(static_cast<long long*>(to), a, m);
  }
  template <int Bits>
  GNP_SORT_STEP static vector exchanged(vector a) {
    return __builtin_shuffle(
        a, vector{0 ^ Bits, 1 ^ Bits, 2 ^ Bits, 3 ^ Bits, 4 ^ Bits, 5 ^ Bits, 6 ^ Bits, 7 ^ Bits});
  }
};

/// Floating-point numbers, moved as integers of their size. None is NaN or -0.0. The processor has two units
/// for their extremes and one for those of integers: doubles in rows of 1000 take 2.6 ms for a million,
/// integers 3.4.
template <class Float, class Integer, class Vector>
struct words_of_floats {
  using integers = words<Integer>;
  using vector = Vector;
  using mask = typename integers::mask;
  using word = Float;
  using way_apart = typename integers::way_apart;
  static constexpr int lanes = integers::lanes;
  static constexpr word last = std::numeric_limits<Float>::infinity();
  static constexpr int rounding = 4;  // the processor's number for "as it is set"; nothing is rounded here

  GNP_SORT_STEP static typename integers::vector bits(vector a) {
    return reinterpret_cast<typename integers::vector>(a);
  }
  GNP_SORT_STEP static vector numbers(typename integers::vector a) { return reinterpret_cast<vector>(a); }
  GNP_SORT_STEP static vector lower(vector a, vector b) {
    if constexpr (sizeof(Float) == 4) {
      return __builtin_ia32_minps512_mask(a, b, a, short(-1), rounding);
    } else {
      return __builtin_ia32_minpd512_mask(a, b, a, mask(-1), rounding);
    }
  }
  GNP_SORT_STEP static vector upper(vector a, vector b, vector rest, mask m) {
    if constexpr (sizeof(Float) == 4) {
      return __builtin_ia32_maxps512_mask(a, b, rest, static_cast<short>(m), rounding);
    } else {
      return __builtin_ia32_maxpd512_mask(a, b, rest, m, rounding);
    }
  }
  GNP_SORT_STEP static vector compressed(vector a, mask m) { return numbers(integers::compressed(bits(a), m)); }
  GNP_SORT_STEP static way_apart way(mask m) { return integers::way(m); }
  GNP_SORT_STEP static vector apart(vector a, way_apart m) { return numbers(integers::apart(bits(a), m)); }
  template <int Comparison>
  GNP_SORT_STEP static mask compare(vector a, vector b) {
    if constexpr (sizeof(Float) == 4) {
      return mask(__builtin_ia32_cmpps512_mask(a, b, Comparison, mask(-1), rounding));
    } else {
      return mask(__builtin_ia32_cmppd512_mask(a, b, Comparison, mask(-1), rounding));
    }
  }
  GNP_SORT_STEP static vector load(const void* from, vector rest, mask m) {
    return numbers(integers::load(from, bits(rest), m));
  }
  GNP_SORT_STEP static void store(void* to, vector a, mask m) { integers::store(to, bits(a), m); }
  template <int Bits>
  GNP_SORT_STEP static vector exchanged(vector a) {
    return numbers(integers::template exchanged<Bits>(bits(a)));
  }
};
template <>
struct words<float> : words_of_floats<float, std::int32_t, vector_float> {
  using memory = memory_float;
};
template <>
struct words<double> : words_of_floats<double, std::int64_t, vector_double> {
  using memory = memory_double;
};

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
#else
#define GNP_VECTOR_SORTS 0
#endif
