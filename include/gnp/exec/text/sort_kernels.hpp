// SPDX-License-Identifier: MIT
// The kernels that sort by the bytes of the keys, least significant first, as text: one kernel counts how often
// each byte of the keys has each value, and then one pass for each byte moves every element to its place. A
// block ranks a tile in registers and shared memory, tells how many elements of each value it has, and finds
// how many come before by looking back over the tiles before it (Adinets and Merrill's onesweep). Rows are
// sorted side by side: no tile looks beyond its row. Rows that fit a block are sorted by one
// (sort_rows_kernels.hpp).
//
// Written for order (an order of expr/scalar/order.hpp), count_t (a number of elements of a row, with two bits
// to spare), place_t (a place in a row, as it is carried along), with_places (to sort places, not elements),
// threads and items.
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The first parameter of the kernels.
GNP_KERNEL_ARGUMENTS(sort_arguments,
                     unsigned long long length = 0;                             // of a row
                     unsigned long long rows = 0; unsigned long long flip = 0;  // all ones to sort downwards
                     unsigned long long parts = 1;                              // blocks that share a row
                     int byte = 0;   // of the keys: what this pass sorts by
                     int first = 0;  // the first pass: places are not there yet
                     int last = 0;   // the last pass: places are the result
)

inline constexpr const char* sort_head_text = R"(
constexpr unsigned all_lanes = 0xffffffffu;
using bits_t = order::bits;
using key_t = order::key;
constexpr int key_bytes = sizeof(key_t);
inline key_t key_of(const bits_t& x, const sort_arguments& s) { return order::of(x, static_cast<order::part>(s.flip)); }
)";

/// Ranks a tile's digits.
inline constexpr const char* sort_tile_text = R"(
constexpr int warps = threads / 32;
constexpr int tile_size = threads * items;
struct tile_counts {
  unsigned of_warp[warps][256];  // of each digit, and then where the warp's next one goes
  unsigned total[256];
  unsigned start[256];  // where the digit begins in the sorted tile
};

// Makes of each of a thread's digits its rank in the tile, whose elements lie in the order of warp, item, lane.
// Equal digits keep that order. For the whole block, which has nothing in `counts` any more.
inline void rank_tile(unsigned (&ranks)[items], tile_counts& counts) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  unsigned* const mine = counts.of_warp[warp];
  for (int b = lane; b < 256; b += 32) mine[b] = 0u;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned digit = ranks[i];
    const unsigned peers = __match_any_sync(all_lanes, digit);
    const unsigned before = mine[digit];
    __syncwarp();
    if ((peers >> lane) == 1u) mine[digit] = before + __popc(peers);
    __syncwarp();
    ranks[i] = digit << 16 | (before + __popc(peers & ((1u << lane) - 1u)));  // of its warp's
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += threads) {
    unsigned sum = 0u;
    for (int w = 0; w < warps; ++w) {
      const unsigned its = counts.of_warp[w][b];
      counts.of_warp[w][b] = sum;
      sum += its;
    }
    counts.total[b] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    unsigned sum = 0u;
    for (int b = 0; b < 8; ++b) sum += counts.total[lane * 8 + b];
    unsigned upto = sum;
    for (int distance = 1; distance < 32; distance *= 2) {
      const unsigned before = __shfl_up_sync(all_lanes, upto, distance);
      if (lane >= distance) upto += before;
    }
    unsigned start = upto - sum;
    for (int b = 0; b < 8; ++b) {
      counts.start[lane * 8 + b] = start;
      start += counts.total[lane * 8 + b];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned digit = ranks[i] >> 16;
    ranks[i] = (ranks[i] & 0xffffu) + mine[digit] + counts.start[digit];
  }
}
)";

/// How often each byte of a row's keys has each value: counts[row][byte][value], zero before.
inline constexpr const char* sort_count_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ sort_arguments s, const bits_t* from, count_t* counts) {
  wait_for_results();
  __shared__ unsigned count[key_bytes * 256];
  for (int i = threadIdx.x; i < key_bytes * 256; i += 256) count[i] = 0u;
  __syncthreads();
  const unsigned long long row = blockIdx.x / s.parts;
  const unsigned long long part = blockIdx.x % s.parts;
  const bits_t* const values = from + row * s.length;
  constexpr int loads = 8;
  for (unsigned long long i = part * (256 * loads) + threadIdx.x; i - threadIdx.x < s.length; i += s.parts * (256 * loads)) {
    bits_t x[loads];
#pragma unroll
    for (int l = 0; l < loads; ++l) {
      if (i + l * 256 < s.length) x[l] = values[i + l * 256];
    }
#pragma unroll
    for (int l = 0; l < loads; ++l) {
      const bool valid = i + l * 256 < s.length;
      const unsigned active = __ballot_sync(all_lanes, valid);
      if (!valid) continue;
      const key_t key = key_of(x[l], s);
#pragma unroll
      for (int b = 0; b < key_bytes; ++b) {
        const unsigned value = key_byte(key, b);
        // All the same is common, and the one case in which counting one by one is slow.
        if (__all_sync(active, value == __shfl_sync(active, value, 0))) {
          if (threadIdx.x % 32 == 0) atomicAdd(&count[b * 256 + value], static_cast<unsigned>(__popc(active)));
        } else {
          atomicAdd(&count[b * 256 + value], 1u);
        }
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < key_bytes * 256; i += 256) {
    if (count[i] != 0u) atomicAdd(&counts[row * (key_bytes * 256) + i], static_cast<count_t>(count[i]));
  }
}
)";

/// Counts to where each value begins. A block for each byte of each row.
inline constexpr const char* sort_starts_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(count_t* counts) {
  wait_for_results();
  __shared__ count_t sums[8];
  count_t* const mine = counts + blockIdx.x * 256ull + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const count_t count = *mine;
  count_t upto = count;
  for (int distance = 1; distance < 32; distance *= 2) {
    const count_t before = __shfl_up_sync(all_lanes, upto, distance);
    if (lane >= distance) upto += before;
  }
  if (lane == 31) sums[threadIdx.x / 32] = upto;
  __syncthreads();
  for (int w = 0; w < threadIdx.x / 32; ++w) upto += sums[w];
  *mine = upto - count;
}
)";

/// One pass. `notices` is zero before: what each tile tells the others of each digit.
inline constexpr const char* sort_pass_text = R"(
constexpr int flag_shift = sizeof(count_t) * 8 - 2;
constexpr count_t total_known = count_t(1) << flag_shift;
constexpr count_t prefix_known = count_t(2) << flag_shift;  // the total of this tile and all before it
constexpr count_t of_count = total_known - 1;

// A notice is one word, count and flag, so that no other memory has to be seen in order.
inline void publish(count_t* notice, count_t value) {
  if constexpr (sizeof(count_t) == 4) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(notice), "r"(static_cast<unsigned>(value)) : "memory");
  } else {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(notice), "l"(static_cast<unsigned long long>(value)) : "memory");
  }
}
inline count_t notice_at(const count_t* notice) {
  if constexpr (sizeof(count_t) == 4) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(notice) : "memory");
    return static_cast<count_t>(value);
  } else {
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(notice) : "memory");
    return static_cast<count_t>(value);
  }
}
// How many elements of a digit the tiles before this one have; the first tile's notice is a prefix.
inline count_t look_back(const count_t* own) {
  count_t prefix = 0;
  for (const count_t* at = own - 256;;) {
    const count_t word = notice_at(at);
    if (word < total_known) continue;
    prefix += word & of_count;
    if (word >= prefix_known) return prefix;
    at -= 256;
  }
}

constexpr int widest = with_places && sizeof(place_t) > sizeof(bits_t) ? sizeof(place_t) : sizeof(bits_t);

extern "C" __global__ void __launch_bounds__(threads, 2) gnp_kernel(const __grid_constant__ sort_arguments s, const bits_t* from, bits_t* to,
    const place_t* places_from, place_t* places_to, long long* result, const count_t* starts, count_t* notices) {
  wait_for_results();
  __shared__ tile_counts counts;
  __shared__ count_t base[256];
  __shared__ alignas(16) unsigned char memory[tile_size * widest];
  bits_t* const sorted = reinterpret_cast<bits_t*>(memory);
  // Blocks start in the order of their numbers, so that a tile before one's own is always under way.
  const unsigned long long row = blockIdx.x / s.parts;
  const unsigned long long tile = blockIdx.x % s.parts;
  const unsigned long long begin = tile * tile_size;
  const int valid = s.length - begin < tile_size ? static_cast<int>(s.length - begin) : tile_size;
  const int at = threadIdx.x / 32 * (32 * items) + threadIdx.x % 32;
  const unsigned long long offset = row * s.length;

  bits_t x[items];
  unsigned rank[items];  // a digit first
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (at + i * 32 < valid) x[i] = from[offset + begin + at + i * 32];
  }
  // What is past the row's end is last, and stays last: its tile is the last one, and nobody asks for its counts.
#pragma unroll
  for (int i = 0; i < items; ++i) rank[i] = at + i * 32 < valid ? key_byte(key_of(x[i], s), s.byte) : 255u;
  rank_tile(rank, counts);

  count_t* const notice = notices + blockIdx.x * 256ull;
  for (int b = threadIdx.x; b < 256; b += threads) {
    publish(notice + b, (tile == 0 ? prefix_known : total_known) | counts.total[b]);
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (at + i * 32 < valid) sorted[rank[i]] = x[i];
  }
  for (int b = threadIdx.x; b < 256; b += threads) {
    count_t prefix = 0;
    if (tile > 0) {
      prefix = look_back(notice + b);
      publish(notice + b, prefix_known | (prefix + counts.total[b]));
    }
    base[b] = starts[(row * key_bytes + s.byte) * 256 + b] + prefix - counts.start[b];
  }
  __syncthreads();
  unsigned digit[items];
  // Neighbours in the sorted tile go to neighbouring places but where a digit begins.
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int j = threadIdx.x + i * threads;
    if (j < valid) {
      const bits_t value = sorted[j];
      digit[i] = key_byte(key_of(value, s), s.byte);
      if (!with_places || !s.last) to[offset + base[digit[i]] + j] = value;
    }
  }
  if constexpr (with_places) {
    place_t* const moved = reinterpret_cast<place_t*>(memory);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const unsigned long long k = begin + at + i * 32;
      if (at + i * 32 < valid) moved[rank[i]] = s.first ? static_cast<place_t>(k) : places_from[offset + k];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int j = threadIdx.x + i * threads;
      if (j < valid) {
        const unsigned long long place = offset + base[digit[i]] + j;
        if (s.last) {
          result[place] = static_cast<long long>(moved[j]);
        } else {
          places_to[place] = moved[j];
        }
      }
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
