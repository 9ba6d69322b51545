// SPDX-License-Identifier: MIT
// The compaction kernel, as text: it writes the elements of an expression that are kept, without gaps, in one
// pass. A block counts the elements of its tile that are kept, finds out how many are kept before its tile by
// looking back over the counts of earlier tiles (decoupled look-back, as in scans), and writes its own from
// shared memory in whole lines.
//
// Written for the constants of access.hpp, the functions compute() and keeps(), and staged_t: the form in which
// an element passes through shared memory. For positions along one axis it is their place in the tile, so that
// a tile takes a quarter of the space.
#pragma once

#include <cstdint>
#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel's second parameter.
GNP_KERNEL_ARGUMENTS(compact_arguments, unsigned long long vectors = 0;  // the number of vectors
                     unsigned long long capacity = 0;                    // elements that there is room for
                     unsigned long long notices = 0;)                    // a word for each tile

/// A notice: the number of elements that are kept, with the kind of notice in the two highest bits.
inline constexpr std::uint64_t notice_count = (std::uint64_t{1} << 62) - 1;

inline constexpr const char* compact_text = R"(
constexpr unsigned all_lanes = 0xffffffffu;
constexpr unsigned long long count_of_tile = 1ull << 62;
constexpr unsigned long long count_of_all = 2ull << 62;  // of this tile and those before it
constexpr unsigned long long count_bits = (1ull << 62) - 1;

inline void publish(unsigned long long* to, unsigned long long word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}
inline unsigned long long published(const unsigned long long* from) {
  unsigned long long word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}

// How many elements stay in the tiles before this one, by a whole warp.
inline unsigned long long stay_before(const unsigned long long* notices, long long tile) {
  const int lane = threadIdx.x % 32;
  unsigned long long sum = 0;
  for (long long base = tile - 1;;) {
    const long long i = base - lane;
    const unsigned long long word = i >= 0 ? published(notices + i) : count_of_all;
    const unsigned known = __ballot_sync(all_lanes, word >= count_of_all);
    const unsigned missing = __ballot_sync(all_lanes, word < count_of_tile);
    const unsigned nearest = known & (0u - known);  // no bit where none is known
    if ((missing & (nearest - 1u)) != 0) {
      __nanosleep(100);
      continue;
    }
    const bool counts = known == 0 || (1u << lane) <= nearest;
    unsigned long long part = counts ? word & count_bits : 0;
    #pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) part += __shfl_xor_sync(all_lanes, part, distance);
    sum += part;
    if (known != 0) return sum;
    base -= 32;
  }
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ compact_arguments s) {
  wait_for_results();
  constexpr int tile = 256 * items * vector;
  __shared__ alignas(16) unsigned char memory[tile * sizeof(staged_t)];
  __shared__ unsigned in_warp[8];
  __shared__ unsigned long long before_tile;
  staged_t* const staged = reinterpret_cast<staged_t*>(memory);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const unsigned long long first = (static_cast<unsigned long long>(blockIdx.x) * 8 + warp) * (32 * items) + lane;
  place at[items];
  for (int i = 0; i < items; ++i) {
    at[i].valid = 0;
    if (first + i * 32 < s.vectors) locate_vector<0>(p, at[i], static_cast<index_t>(first + i * 32));
  }
$loads
  // Which elements stay, and how many of the warp's do before this thread's.
  unsigned stay[items];
  unsigned before[items];
  unsigned total = 0;
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    stay[i] = 0;
    #pragma unroll
    for (int e = 0; e < vector; ++e) if (e < at[i].valid && $keeps) stay[i] |= 1u << e;
    before[i] = total;
    #pragma unroll
    for (int e = 0; e < vector; ++e) {
      const unsigned those = __ballot_sync(all_lanes, (stay[i] >> e & 1u) != 0);
      before[i] += __popc(those & ((1u << lane) - 1u));
      total += __popc(those);
    }
  }
  if (lane == 0) in_warp[warp] = total;
  __syncthreads();
  unsigned offset = 0;
  unsigned in_tile = 0;
  #pragma unroll
  for (int w = 0; w < 8; ++w) {
    if (w < warp) offset += in_warp[w];
    in_tile += in_warp[w];
  }
  unsigned long long* const notices = reinterpret_cast<unsigned long long*>(s.notices);
  if (threadIdx.x == 0) publish(notices + blockIdx.x, (blockIdx.x == 0 ? count_of_all : count_of_tile) | in_tile);
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    unsigned to = offset + before[i];
    #pragma unroll
    for (int e = 0; e < vector; ++e) if ((stay[i] >> e & 1u) != 0) staged[to++] = $staged;
  }
  if (warp == 0) {
    const unsigned long long sum = blockIdx.x == 0 ? 0 : stay_before(notices, blockIdx.x);
    if (lane == 0) {
      before_tile = sum;
      if (blockIdx.x != 0) publish(notices + blockIdx.x, count_of_all | (sum + in_tile));
    }
  }
  __syncthreads();
  value_t* const to = reinterpret_cast<value_t*>(p.data[0]) + before_tile;
  const unsigned long long room = s.capacity > before_tile ? s.capacity - before_tile : 0;
  for (unsigned t = threadIdx.x; t < in_tile; t += 256) if (t < room) to[t] = $written;
}
)";

}}}  // namespace gnp::GNP_ABI::detail
