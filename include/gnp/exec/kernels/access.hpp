// SPDX-License-Identifier: MIT
// The text between prelude and kernel: the kernel's arguments, and how a thread reaches its elements.
//
// Written for these constants, which the generator puts before it: rank, vector (elements per thread), slots
// (distinct operands, the destination first), constants, index_t and offset_t (32 or 64 bits).
#pragma once

#include <gnp/core/config.hpp>

namespace gnp::inline GNP_ABI::detail {

/// The kernel's one parameter; gpu_run.hpp packs it in the same order.
inline constexpr const char* arguments_text = R"(
struct arguments {
  unsigned long long count;
  unsigned long long size[rank];
  unsigned long long magic[rank];
  unsigned long long shift[rank];
  unsigned long long data[slots];
  long long stride[slots][rank];
  alignas(16) unsigned char constant[constants > 0 ? constants : 1][16];
};
template <class T> inline T constant(const arguments& p, int i) { return *reinterpret_cast<const T*>(p.constant[i]); }
)";

inline constexpr const char* access_text = R"(
enum lane_access { run, repeated, every_other, strided, transposed, counted };

template <int Bytes> struct raw { using type = unsigned char; };
template <> struct raw<2> { using type = unsigned short; };
template <> struct raw<4> { using type = unsigned; };
template <> struct raw<8> { using type = uint2; };
template <> struct raw<16> { using type = uint4; };

// The elements of one thread, as what they are and as what memory moves them in.
template <class T> struct pack {
  static constexpr int bytes = sizeof(T) * vector;
  static constexpr int pieces = bytes > 16 ? bytes / 16 : 1;
  using piece = typename raw<bytes / pieces>::type;
  union {
    piece whole[pieces];
    T v[vector];
  };
  pack() {}
};

// An element on its way into the expression. Small signed integers pass through a register of their own, so that
// they are not computed several to a word: with NVRTC 13.0 and eight bytes loaded at once, x / 2 was off by 128 (sm_90).
template <class T> inline T element(const pack<T>& x, int e) { return x.v[e]; }
template <> inline signed char element(const pack<signed char>& x, int e) {
  int value = x.v[e];
  asm("" : "+r"(value));
  return static_cast<signed char>(value);
}
template <> inline short element(const pack<short>& x, int e) {
  int value = x.v[e];
  asm("" : "+r"(value));
  return static_cast<short>(value);
}

// Where a thread's elements start, and how many of `vector` there are.
struct place {
  offset_t c[rank];
  int valid;
};

template <int Slot, lane_access Access> inline offset_t offset_of(const arguments& p, const place& at) {
  offset_t sum = Access == run ? at.c[rank - 1] : at.c[rank - 1] * static_cast<offset_t>(p.stride[Slot][rank - 1]);
  #pragma unroll
  for (int d = 0; d + 1 < rank; ++d) sum += at.c[d] * static_cast<offset_t>(p.stride[Slot][d]);
  return sum;
}

template <class T> inline void load_run(pack<T>& x, const T* from, int valid) {
  if (valid >= vector) {
    const auto* pieces = reinterpret_cast<const typename pack<T>::piece*>(from);
    for (int i = 0; i < pack<T>::pieces; ++i) x.whole[i] = pieces[i];
  } else {
    for (int e = 0; e < vector; ++e) x.v[e] = from[e < valid ? e : 0];
  }
}

// Stride 2: two whole vectors, from the aligned address at the first element or one before it.
template <class T> inline void load_every_other(pack<T>& x, const T* from, int valid) {
  const int odd = reinterpret_cast<unsigned long long>(from) / sizeof(T) % vector;
  if (valid >= vector) {
    pack<T> low, high;
    load_run(low, from - odd, vector);
    load_run(high, from - odd + vector, vector);
    for (int e = 0; e < vector / 2; ++e) {
      x.v[e] = odd ? low.v[2 * e + 1] : low.v[2 * e];
      x.v[vector / 2 + e] = odd ? high.v[2 * e + 1] : high.v[2 * e];
    }
  } else {
    for (int e = 0; e < vector; ++e) x.v[e] = from[e < valid ? 2 * e : 0];
  }
}

template <class T, int Slot, lane_access Access> inline pack<T> loaded(const arguments& p, const place& at) {
  const offset_t offset = offset_of<Slot, Access>(p, at);
  const offset_t stride = static_cast<offset_t>(p.stride[Slot][rank - 1]);
  pack<T> x;
  if constexpr (Access == counted) {
    for (int e = 0; e < vector; ++e) x.v[e] = static_cast<long long>(p.data[Slot]) + offset + e * stride;
  } else {
    const T* from = reinterpret_cast<const T*>(p.data[Slot]) + offset;
    if constexpr (Access == run) load_run(x, from, at.valid);
    if constexpr (Access == every_other) load_every_other(x, from, at.valid);
    if constexpr (Access == strided) for (int e = 0; e < vector; ++e) x.v[e] = from[e < at.valid ? e * stride : 0];
    if constexpr (Access == repeated) {
      const T value = *from;
      for (int e = 0; e < vector; ++e) x.v[e] = value;
    }
  }
  return x;
}

template <class T, lane_access Access> inline void store(const arguments& p, const place& at, const pack<T>& x) {
  T* to = reinterpret_cast<T*>(p.data[0]) + offset_of<0, Access>(p, at);
  if (Access == run && at.valid >= vector) {
    auto* pieces = reinterpret_cast<typename pack<T>::piece*>(to);
    for (int i = 0; i < pack<T>::pieces; ++i) pieces[i] = x.whole[i];
  } else {
    const offset_t stride = Access == run ? 1 : static_cast<offset_t>(p.stride[0][rank - 1]);
    for (int e = 0; e < vector; ++e) if (e < at.valid) to[e * stride] = x.v[e];
  }
}
)";

}  // namespace gnp::inline GNP_ABI::detail
