// SPDX-License-Identifier: MIT
// The kernels that sort rows of a few elements, all of them in one launch, as text: up to 256 elements by some
// lanes of a warp in their registers, more by a block that keeps its row in shared memory. Also the kernel that
// finds the first few elements of a row of any length. Written for the same as sort_kernels.hpp, and for lanes
// (of a row). Sources and results do not overlap.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Elements as key and place, so that no two elements of a row are equal, and how they move from lane to lane.
inline constexpr const char* sort_entries_text = R"(
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

// What is at a place of a row; where there is none the largest key of all, and a place after those of the row.
template <class Entry> inline Entry entered(const bits_t* row, unsigned place, bool valid, const sort_arguments& s) {
  if constexpr (narrow) {
    return (valid ? static_cast<Entry>(key_of(row[place], s)) << 32 : 0xffffffff00000000ull) | place;
  } else {
    Entry x;
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(&x.key);
    for (int b = 0; b < key_bytes; ++b) bytes[b] = 255;
    if (valid) x.key = key_of(row[place], s);
    x.place = place;
    return x;
  }
}
inline unsigned place_of(const ranked& x) { return x.place; }
inline unsigned place_of(unsigned long long x) { return static_cast<unsigned>(x); }

struct words { unsigned word[(sizeof(entry_t) + 3) / 4]; };
template <class Shuffle> inline entry_t moved(const entry_t& x, const Shuffle& shuffle) {
  union carrier { words w; entry_t x; carrier() : w() {} } value;
  value.x = x;
#pragma unroll
  for (int i = 0; i < sizeof(words) / 4; ++i) value.w.word[i] = shuffle(value.w.word[i]);
  return value.x;
}
// A comparison of a network: keeps the lesser or the greater of the lane's own and another's.
inline void compare(entry_t& x, int distance, bool keeps_lesser) {
  const entry_t other = moved(x, [distance](unsigned w) { return __shfl_xor_sync(all_lanes, w, distance); });
  if (comes_before(other, x) == keeps_lesser) x = other;
}
)";

/// A network of comparisons (Batcher's bitonic sort) for lanes * items elements. Element e is number e / lanes
/// of lane e % lanes.
inline constexpr const char* sort_lanes_text = R"(
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
          compare(x[i], distance, ((e & size) == 0) == ((e & distance) == 0));
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

/// The first few (at most 32) elements of each row's order. Each warp goes through its part of a row and keeps
/// the best elements so far, one in each lane; it only stops at an element that is better than the last of
/// them. If several warps share a row, each finds a list of places, and the next launch goes through these
/// lists.
inline constexpr const char* select_text = R"(
constexpr unsigned nowhere = 0xffffffffu;

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ sort_arguments s, const bits_t* from, const unsigned* list, unsigned* next_list,
    long long* result, unsigned long long row_length, int taken) {
  wait_for_results();
  const int lane = threadIdx.x % 32;
  const unsigned long long warp = blockIdx.x * 8ull + threadIdx.x / 32;
  const unsigned long long row = warp / s.parts;
  const unsigned long long part = warp % s.parts;
  if (row >= s.rows) return;
  const bits_t* const values = from + row * row_length;
  const unsigned long long step = ((s.length + s.parts - 1) / s.parts + 127) / 128 * 128;
  const unsigned long long begin = part * step;
  const unsigned long long end = begin + step < s.length ? begin + step : s.length;
  entry_t best = entered<entry_t>(values, nowhere, false, s);  // ascending from lane to lane
  entry_t last = best;
  for (unsigned long long base = begin; base < end; base += 128) {
    entry_t x[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const unsigned long long e = base + c * 32 + lane;
      const unsigned place = e >= end ? nowhere : list == nullptr ? static_cast<unsigned>(e) : list[row * s.length + e];
      x[c] = entered<entry_t>(values, place, place != nowhere, s);
    }
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (!__any_sync(all_lanes, comes_before(x[c], last))) continue;
      // Sorted downwards, the lesser of each pair are the best of both, rising and then falling.
#pragma unroll
      for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
        for (int distance = size / 2; distance > 0; distance /= 2) {
          compare(x[c], distance, ((lane & size) == 0) != ((lane & distance) == 0));
        }
      }
      if (comes_before(x[c], best)) best = x[c];
#pragma unroll
      for (int distance = 16; distance > 0; distance /= 2) compare(best, distance, (lane & distance) == 0);
      last = moved(best, [taken](unsigned w) { return __shfl_sync(all_lanes, w, taken - 1); });
    }
  }
  if (lane >= taken) return;
  if (result != nullptr) {
    result[row * taken + lane] = place_of(best);
  } else {
    next_list[warp * taken + lane] = place_of(best);
  }
}
)";

/// A row in a block, sorted by all bytes of the keys, one after the other.
inline constexpr const char* sort_block_text = R"(
constexpr int widest = with_places && sizeof(bits_t) < 2 ? 2 : sizeof(bits_t);

extern "C" __global__ void __launch_bounds__(threads) gnp_kernel(const __grid_constant__ sort_arguments s, const bits_t* from, bits_t* to, long long* result) {
  wait_for_results();
  __shared__ tile_counts counts;
  __shared__ union {
    warp_counts by_warp;
    alignas(16) unsigned char sorted[tile_size * widest];
  } memory;
  bits_t* const sorted = reinterpret_cast<bits_t*>(memory.sorted);
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
    rank_tile(rank, counts, memory.by_warp, [](int, unsigned) {});
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
      unsigned short* const moved = reinterpret_cast<unsigned short*>(memory.sorted);
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
