// SPDX-License-Identifier: MIT
// How a thread takes elements that begin anywhere from the vectors of memory that contain them, as text.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* window_text = R"(
// The elements from a thread's first one to the last that is `Reach` further than its vector, of views of one array
// that are shifted by that much at most. In memory's vectors first; then they are moved to the front, unless it is
// known how far from the front they are: `Before` is that many bytes, or -1.
template <int Size, int Reach, int Before> struct window {
  static constexpr int piece_bytes = Size * vector < 16 ? Size * vector : 16;
  static constexpr int bytes = Size * (vector + Reach);
  static constexpr int pieces = ((Before < 0 ? piece_bytes - Size : Before) + bytes + piece_bytes - 1) / piece_bytes;
  static constexpr int words = pieces * piece_bytes / 4;
  static constexpr int skipped = Before < 0 ? 0 : Before;
  using piece = typename raw<piece_bytes>::type;
  union {
    piece whole[pieces];
    unsigned word[words];
  };
  int before;
  window() {}

  static bool within(const unsigned long long* block, const void* first_element) {
    const auto address = reinterpret_cast<unsigned long long>(first_element);
    const unsigned long long first = address - address % piece_bytes;
    const unsigned long long end = (address + bytes + piece_bytes - 1) / piece_bytes * piece_bytes;
    return first >= block[0] && end <= block[1];
  }
  void load(const void* first_element) {
    before = Before < 0 ? static_cast<int>(reinterpret_cast<unsigned long long>(first_element) % piece_bytes) : Before;
    const piece* from = reinterpret_cast<const piece*>(static_cast<const char*>(first_element) - before);
    #pragma unroll
    for (int i = 0; i < pieces; ++i) {
      if (i + 1 < pieces || before + bytes > i * piece_bytes) whole[i] = from[i];
    }
  }
  void move() {
    if (Before >= 0) return;
    if (piece_bytes == 16 && Size < 16) {
      #pragma unroll
      for (int i = 0; i + 2 < words; ++i) word[i] = (before & 8) != 0 ? word[i + 2] : word[i];
    }
    if (piece_bytes >= 8 && Size < 8) {
      #pragma unroll
      for (int i = 0; i + 1 < words; ++i) word[i] = (before & 4) != 0 ? word[i + 1] : word[i];
    }
    if (Size < 4) {
      #pragma unroll
      for (int i = 0; i + 1 < words; ++i) word[i] = __funnelshift_r(word[i], word[i + 1], before * 8);
      word[words - 1] >>= before % 4 * 8;
    }
  }
};

template <class T, int Ahead, class Window> inline pack<T> cut(const Window& from) {
  constexpr int words = pack<T>::bytes / 4;
  constexpr int skip = Window::skipped + Ahead * sizeof(T);
  union {
    typename pack<T>::piece whole[pack<T>::pieces];
    unsigned word[words];
  };
  #pragma unroll
  for (int i = 0; i < words; ++i) {
    constexpr int last = Window::words - 1;
    const int low = i + skip / 4;
    word[i] = skip % 4 == 0 ? from.word[low] : __funnelshift_r(from.word[low], from.word[low < last ? low + 1 : last], skip % 4 * 8);
  }
  pack<T> x;
  #pragma unroll
  for (int i = 0; i < pack<T>::pieces; ++i) x.whole[i] = whole[i];
  return x;
}
)";

}}}  // namespace gnp::GNP_ABI::detail
