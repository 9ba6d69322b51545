// SPDX-License-Identifier: MIT
// The kernels that sort rows of a few elements, all of them in one launch, as text: up to 256 elements by some
// lanes of a warp in their registers, more by a block that keeps its row in shared memory. Written for what
// sort_kernels.hpp is, and lanes (of a row). Sources and results are apart.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A network of comparisons (Batcher's bitonic sort) of lanes * items elements, of which element e is number
/// e / lanes of lane e % lanes. Elements are compared by key and place, so that no two are equal.
inline constexpr const char* sort_lanes_text = R"(
struct ranked {
  key_t key;
  unsigned place;
};
inline bool comes_before(const ranked& a, const ranked& b) { return a.key < b.key || (a.key == b.key && a.place < b.place); }

// Narrow keys are compared together with their places.
template <bool Narrow> struct entry { using type = ranked; };
template <> struct entry<true> { using type = unsigned long long; };
constexpr bool narrow = sizeof(key_t) <= 4;
using entry_t = entry<narrow>::type;
inline bool comes_before(unsigned long long a, unsigned long long b) { return a < b; }

// Element e of a row; past its end the largest key of all, whose places come after those of the row's own.
template <class Entry> inline Entry entered(const bits_t* row, unsigned e, bool valid, const sort_arguments& s) {
  if constexpr (narrow) {
    return (valid ? static_cast<Entry>(key_of(row[e], s)) << 32 : 0xffffffff00000000ull) | e;
  } else {
    Entry x;
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(&x.key);
    for (int b = 0; b < key_bytes; ++b) bytes[b] = 255;
    if (valid) x.key = key_of(row[e], s);
    x.place = e;
    return x;
  }
}
inline unsigned place_of(const ranked& x) { return x.place; }
inline unsigned place_of(unsigned long long x) { return static_cast<unsigned>(x); }

struct words { unsigned word[(sizeof(entry_t) + 3) / 4]; };
inline entry_t of_lane(const entry_t& x, int distance) {
  union carrier { words w; entry_t x; carrier() : w() {} } value;
  value.x = x;
#pragma unroll
  for (int i = 0; i < sizeof(words) / 4; ++i) value.w.word[i] = __shfl_xor_sync(all_lanes, value.w.word[i], distance);
  return value.x;
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ sort_arguments s, const bits_t* from, bits_t* to, long long* result) {
  wait_for_results();
  const int lane = threadIdx.x % lanes;
  const unsigned long long row = (blockIdx.x * 256ull + threadIdx.x) / lanes;
  const bool there = row < s.rows;
  const unsigned long long offset = row * s.length;
  entry_t x[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned e = i * lanes + lane;
    x[i] = entered<entry_t>(from + offset, e, there && e < s.length, s);
  }
#pragma unroll
  for (int size = 2; size <= lanes * items; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      if (distance >= lanes) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
          const int other = i ^ (distance / lanes);
          if (other > i) {
            const bool upwards = ((i * lanes) & size) == 0;
            if (comes_before(x[other], x[i]) == upwards) {
              const entry_t swapped = x[i];
              x[i] = x[other];
              x[other] = swapped;
            }
          }
        }
      } else {
#pragma unroll
        for (int i = 0; i < items; ++i) {
          const unsigned e = i * lanes + lane;
          const entry_t other = of_lane(x[i], distance);
          const bool takes_less = ((e & size) == 0) == ((e & distance) == 0);
          if (comes_before(other, x[i]) == takes_less) x[i] = other;
        }
      }
    }
  }
  if (!there) return;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned e = i * lanes + lane;
    if (e >= s.length) continue;
    const unsigned place = place_of(x[i]);
    if constexpr (with_places) {
      result[offset + e] = place;
    } else {
      to[offset + e] = from[offset + place];
    }
  }
}
)";

/// A row in a block: all bytes of the keys one after the other.
inline constexpr const char* sort_block_text = R"(
constexpr int widest = with_places && sizeof(bits_t) < 2 ? 2 : sizeof(bits_t);

extern "C" __global__ void __launch_bounds__(threads) gnp_kernel(const __grid_constant__ sort_arguments s, const bits_t* from, bits_t* to, long long* result) {
  wait_for_results();
  __shared__ tile_counts counts;
  __shared__ alignas(16) unsigned char memory[tile_size * widest];
  bits_t* const sorted = reinterpret_cast<bits_t*>(memory);
  const unsigned long long offset = blockIdx.x * s.length;
  const int length = static_cast<int>(s.length);
  const int at = threadIdx.x / 32 * (32 * items) + threadIdx.x % 32;
  bits_t x[items];
  unsigned place[items];
  unsigned rank[items];  // a digit first
#pragma unroll
  for (int i = 0; i < items; ++i) {
    place[i] = at + i * 32;
    if (at + i * 32 < length) x[i] = from[offset + at + i * 32];
  }
#pragma unroll 1
  for (int byte = 0; byte < key_bytes; ++byte) {
    // What is past the row's end stays there.
#pragma unroll
    for (int i = 0; i < items; ++i) rank[i] = at + i * 32 < length ? key_byte(key_of(x[i], s), byte) : 255u;
    rank_tile(rank, counts);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (at + i * 32 < length) sorted[rank[i]] = x[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (at + i * 32 < length) x[i] = sorted[at + i * 32];
    }
    __syncthreads();
    if constexpr (with_places) {
      unsigned short* const moved = reinterpret_cast<unsigned short*>(memory);
#pragma unroll
      for (int i = 0; i < items; ++i) moved[rank[i]] = static_cast<unsigned short>(place[i]);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < items; ++i) place[i] = moved[at + i * 32];
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int e = at + i * 32;
    if (e >= length) continue;
    if constexpr (with_places) {
      result[offset + e] = place[i];
    } else {
      to[offset + e] = x[i];
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
