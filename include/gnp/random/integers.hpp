// SPDX-License-Identifier: MIT
// Random integers without bias (Lemire, "Fast random integer generation in an interval"): the upper half of a
// word times the number of choices. The few words that would favour some choices are drawn again.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/random/philox.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

inline std::uint64_t gnp_multiply_high(std::uint64_t a, std::uint64_t b) {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(a) * b) >> 64);
}

// clang-format off

// `choices` is at most 2^32; `excess` is 2^32 modulo `choices`. `attempt` has 14 bits, and each attempt
// succeeds more often than not.
GNP_SCALAR(narrow_integer_draw, random,
  template <class T> struct narrow_integer_draw {
    static constexpr int words = 1;
    static constexpr int pieces = 4;
    unsigned long long low;
    unsigned long long choices;
    unsigned excess;
    static inline narrow_integer_draw among(unsigned long long low, unsigned long long choices) {
      return narrow_integer_draw{low, choices, static_cast<unsigned>(0x100000000ull % choices)};
    }
    [[gnu::always_inline]] inline T one(const draw_place& place, unsigned word, unsigned i) const {
      unsigned long long product = word * choices;
      for (unsigned attempt = 0; static_cast<unsigned>(product) < excess && attempt < 16383u; ++attempt) {
        product = place.retry(i, attempt).x * choices;
      }
      return static_cast<T>(low + (product >> 32));
    }
    [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      out[0] = one(place, w.x, 0u);
      out[1] = one(place, w.y, 1u);
    }
  };)

// `choices` is 0 for all 2^64.
GNP_SCALAR(wide_integer_draw, random,
  template <class T> struct wide_integer_draw {
    static constexpr int words = 2;
    static constexpr int pieces = 4;
    unsigned long long low;
    unsigned long long choices;
    unsigned long long excess;
    static inline wide_integer_draw among(unsigned long long low, unsigned long long choices) {
      return wide_integer_draw{low, choices, choices == 0 ? 0 : (0 - choices) % choices};
    }
    [[gnu::always_inline]] static inline unsigned long long wide(unsigned x, unsigned y) { return x | (static_cast<unsigned long long>(y) << 32); }
    [[gnu::always_inline]] inline T one(const draw_place& place, unsigned long long word, unsigned i) const {
      for (unsigned attempt = 0; word * choices < excess && attempt < 16383u; ++attempt) {
        const words4 r = place.retry(i, attempt);
        word = wide(r.x, r.y);
      }
      return static_cast<T>(low + (choices == 0 ? word : gnp_multiply_high(word, choices)));
    }
    [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      out[0] = one(place, wide(w.x, w.y), 0u);
      out[1] = one(place, wide(w.z, w.w), 1u);
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
