// SPDX-License-Identifier: MIT
// Numbers in vectors of 64 bytes (AVX-512): the processor's operations on them that sorts need.
#pragma once

#include <cstdint>
#include <gnp/cpu/loop.hpp>
#include <limits>
#include <type_traits>

// clang has other names for these instructions.
#if GNP_WIDE_LOOPS && !defined(__clang__)
#define GNP_VECTOR_SORTS 1

#define GNP_SORTS \
  __attribute__((optimize("O3"), target("avx512f,avx512vl,avx512bw,avx512dq,popcnt,prefer-vector-width=512")))
#define GNP_SORT_STEP GNP_SORTS __attribute__((always_inline)) inline
#define GNP_SORT_KEYS                     \
  __attribute__((optimize("O3"), flatten, \
                 target("avx512f,avx512vl,avx512bw,avx512dq,popcnt,prefer-vector-width=512")))

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

}}}}  // namespace gnp::GNP_ABI::detail::vector_sorts
#else
#define GNP_VECTOR_SORTS 0
#endif
