// SPDX-License-Identifier: MIT
// What all kernels that reduce have in common, as text: a few elements become a state, and states travel
// between the lanes of a warp.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* folding_text = R"(
template <class R, class T, int Count> inline typename R::state batch_of(const T (&x)[Count]) {
  if constexpr (requires { R::batch(x); }) {
    return R::batch(x);
  } else {
    typename R::part parts[Count];
    for (int i = 0; i < Count; ++i) parts[i] = R::lift(x[i]);
    #pragma unroll
    for (int left = Count; left > 1; left = (left + 1) / 2) {
      for (int i = 0; i < left / 2; ++i) parts[i] = R::join(parts[i], parts[i + (left + 1) / 2]);
    }
    return R::whole(parts[0]);
  }
}
// Positions are less than the elements, so that they fit where offsets do.
template <class R, class T, int Count> inline typename R::state batch_of(const T (&x)[Count], const offset_t (&position)[Count]) {
  if constexpr (requires { R::batch(x, position); }) { return R::batch(x, position); } else { return batch_of<R>(x); }
}

// Any value, shuffled word by word, but for unused bytes at its end: those would be kept through all of a kernel.
template <class T> constexpr int words_of() {
  if constexpr (requires { T::used_bytes; }) { return T::used_bytes / 4; } else { return (sizeof(T) + 3) / 4; }
}
template <class T> union in_words {
  struct { unsigned word[(sizeof(T) + 3) / 4]; } words;
  T value;
  inline in_words() : words() {}
};
// Most values are one word or two, for which an array and a loop would only be work for the compiler.
#define from_another_lane(name, shuffled) \
template <class T> inline T name(const T& x, int n) { \
  if constexpr (alignof(T) >= 4 && sizeof(T) <= 8) { \
    T y = x; \
    unsigned* const words = reinterpret_cast<unsigned*>(&y); \
    { const unsigned word = words[0]; words[0] = shuffled; } \
    if constexpr (sizeof(T) == 8) { const unsigned word = words[1]; words[1] = shuffled; } \
    return y; \
  } else { \
    in_words<T> s; \
    s.value = x; \
    for (int i = 0; i < words_of<T>(); ++i) { const unsigned word = s.words.word[i]; s.words.word[i] = shuffled; } \
    return s.value; \
  } \
}
from_another_lane(from_lane_below, __shfl_down_sync(0xffffffffu, word, n))   // by this distance
from_another_lane(from_lane_across, __shfl_xor_sync(0xffffffffu, word, n))   // by this distance
from_another_lane(from_first_lane, __shfl_sync(0xffffffffu, word, 0, n))     // of this many
)";

}}}  // namespace gnp::GNP_ABI::detail
