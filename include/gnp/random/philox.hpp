// SPDX-License-Identifier: MIT
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"), and which calls and elements
// use which of its numbers.
//
// Philox turns a counter of 128 bits and a key of 64 into four words of 32 bits. The key is the seed. An array
// is made in groups of four elements: group g reads the counter
//     { g / 65536, 0, g % 65536, call }        for elements made of one word each, and the two counters
//     { 2 * (g / 65536) + 0 or 1, 0, g % 65536, call }    for elements made of two.
// `call` counts the calls made to the generator, so that what one call returns does not depend on the sizes
// requested before, and no two calls share numbers. The first call reads cuRAND's Philox sequence in its legacy
// order. Samplers that reject draw again from counters that belong to the element: `retry`.
#pragma once

#include <gnp/expr/scalar/text.hpp>
#include <gnp/random/generator_state.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// A product rounded to its type, which the compiler must not contract with a following sum. g++ contracts by
// default where the machine has fused multiply-add, and then the CPU's numbers would differ from the GPU's.
// (clang contracts within one expression only.)
template <class T>
inline T gnp_rounded(T x) {
#if defined(__CUDACC__)
  volatile T rounded = x;  // nvcc does not know the builtin
  return rounded;
#elif defined(__GNUC__) && !defined(__clang__)
  return __builtin_assoc_barrier(x);
#else
  return x;
#endif
}

// clang-format off

GNP_SCALAR(words4, random, struct words4 { unsigned x; unsigned y; unsigned z; unsigned w; };)

// The keys of the ten rounds are computed once, on the host; otherwise they would be a fifth of the work.
GNP_SCALAR(philox, random,
  [[gnu::always_inline]] inline words4 philox_round(words4 c, unsigned key0, unsigned key1) {
    const unsigned long long a = 0xD2511F53ull * c.x;
    const unsigned long long b = 0xCD9E8D57ull * c.z;
    return words4{static_cast<unsigned>(b >> 32) ^ c.y ^ key0, static_cast<unsigned>(b),
                  static_cast<unsigned>(a >> 32) ^ c.w ^ key1, static_cast<unsigned>(a)};
  }
  [[gnu::always_inline]] inline words4 philox(words4 c, const unsigned (&keys)[20]) {
    c = philox_round(c, keys[0], keys[1]);
    c = philox_round(c, keys[2], keys[3]);
    c = philox_round(c, keys[4], keys[5]);
    c = philox_round(c, keys[6], keys[7]);
    c = philox_round(c, keys[8], keys[9]);
    c = philox_round(c, keys[10], keys[11]);
    c = philox_round(c, keys[12], keys[13]);
    c = philox_round(c, keys[14], keys[15]);
    c = philox_round(c, keys[16], keys[17]);
    return philox_round(c, keys[18], keys[19]);
  })

// The numbers of one call from a certain group on. Groups are counted from there, in 30 bits.
GNP_SCALAR(random_source, random,
  struct random_source {
    unsigned keys[20];
    unsigned call;
    unsigned call_high;
    unsigned long long first_column;

    [[gnu::always_inline]] inline words4 at(unsigned long long column, unsigned row) const {
      return philox(words4{static_cast<unsigned>(column), static_cast<unsigned>(column >> 32) | call_high, row, call},
                    keys);
    }
    [[gnu::always_inline]] inline words4 group(unsigned g) const { return at(first_column + (g >> 16), g & 65535u); }
    [[gnu::always_inline]] inline words4 half_group(unsigned half) const {
      const unsigned g = half >> 1;
      return at(2u * (first_column + (g >> 16)) | (half & 1u), g & 65535u);
    }
    [[gnu::always_inline]] inline words4 retry(unsigned g, unsigned element, unsigned attempt) const {
      return at(first_column + (g >> 16), (g & 65535u) | ((4u * attempt + element + 1u) << 16));
    }
  };)

// An element's place, by which a sampler finds more words.
GNP_SCALAR(draw_place, random,
  struct draw_place {
    const random_source& source;
    unsigned group;
    unsigned element;
    [[gnu::always_inline]] inline words4 retry(unsigned offset, unsigned attempt) const { return source.retry(group, element + offset, attempt); }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many groups one source counts: the number of half groups, and one more, fits 32 bits.
inline constexpr std::uint64_t groups_of_a_source = std::uint64_t{1} << 30;
/// Groups whose counters differ only in their third word.
inline constexpr std::uint64_t groups_of_a_column = std::uint64_t{1} << 16;

/// One call's share of a generator.
struct numbers_of_call {
  std::uint64_t seed = 0;
  std::uint64_t call = 0;
  std::uint64_t first = 0;  // the group that an array begins with, a multiple of groups_of_a_column
  // Set if a graph's body makes the call. Then the numbers above are valid only while it is recorded, and each
  // replay has its own.
  std::shared_ptr<const recorded_draw> recorded{};

  std::uint64_t first_element() const { return 4 * first; }

  /// Its numbers, counted from a group that is a multiple of groups_of_a_source.
  GNP_DECLARED scalar::random_source from(std::uint64_t group) const;
  /// Work that takes several draws has its own generator for them; this is call k of that generator.
  GNP_DECLARED numbers_of_call inner(std::uint64_t k) const;
};

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/numbers_of_call.hpp>
#endif
