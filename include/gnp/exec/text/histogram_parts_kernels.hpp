// SPDX-License-Identifier: MIT
// Counting into more bins than shared memory has counters for, as text. Additions to counters in global memory
// happen one by one, at a rate that does not depend on how the counters are spread. So if there are many
// values, their bins are roughly sorted first. Bins belong to parts of 2^part_bits neighbours. One pass counts
// the values of each part (histogram_kernels.hpp). A second pass makes a list for each part, which has, in any
// order, the bins of its values within the part. A third pass counts the lists in shared memory, one part at a
// time.
//
// Written for the constants of access.hpp and: part_bits, threads, finder.
#pragma once

#include <gnp/exec/text/histogram_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// For each of 256 numbers, the sum of those before it. Called by the whole block.
inline constexpr const char* part_starts_text = R"(
template <class T> inline void add_up_to(const T* sizes, T* starts) {
  if (threadIdx.x < 32) {
    const int first = static_cast<int>(threadIdx.x) * 8;
    T sum = 0;
    for (int i = 0; i < 8; ++i) sum += sizes[first + i];
    T upto = sum;
    for (int distance = 1; distance < 32; distance *= 2) {
      const T before = __shfl_up_sync(0xffffffffu, upto, distance);
      if (threadIdx.x >= distance) upto += before;
    }
    T start = upto - sum;
    for (int i = 0; i < 8; ++i) {
      starts[first + i] = start;
      start += sizes[first + i];
    }
  }
  __syncthreads();
}
// Where each part's list begins, from how many values each has.
inline void find_lists(const binned_values& b, unsigned long long* lists) {
  __shared__ unsigned long long sizes[256];
  if (threadIdx.x < 256) sizes[threadIdx.x] = threadIdx.x < b.parts ? reinterpret_cast<const unsigned long long*>(b.part_sizes)[threadIdx.x] : 0ull;
  __syncthreads();
  add_up_to(sizes, lists);
}
)";

/// A block takes tiles of values, orders each tile by part in shared memory, and appends it to the lists.
inline constexpr const char* spread_values_text = R"(
extern "C" __global__ void __launch_bounds__(threads) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ binned_values b, const __grid_constant__ bin_layout bins) {
  wait_for_results();
  constexpr int vectors = items;
  constexpr int each = vectors * vector;
  constexpr unsigned none = 0xffffffffu;
  __shared__ unsigned long long lists[256];
  __shared__ unsigned long long reserved[256];  // where the tile's values of each part go
  __shared__ unsigned sizes[256];
  __shared__ unsigned starts[256];
  __shared__ unsigned sorted[threads * each];
  find_lists(b, lists);
  const index_t length = static_cast<index_t>(b.length);
  for (index_t tile = static_cast<index_t>(blockIdx.x) * (vectors * threads); tile < length; tile += static_cast<index_t>(gridDim.x) * (vectors * threads)) {
    if (threadIdx.x < 256) sizes[threadIdx.x] = 0u;
    __syncthreads();
    unsigned found[each];
    if (tile + vectors * threads <= static_cast<index_t>(b.whole)) {
      place at[items];
      for (int i = 0; i < items; ++i) {
        locate_vector<0>(p, at[i], tile + i * threads + threadIdx.x);
        at[i].valid = vector;
      }
$loads      for (int i = 0; i < items; ++i) {
        for (int e = 0; e < vector; ++e) found[i * vector + e] = static_cast<unsigned>(finder::find($compute, bins));
      }
    } else {
      for (int k = 0; k < each; ++k) found[k] = none;
      for (int k = 0; k < vectors; ++k) {
        const index_t n = tile + k * threads + threadIdx.x;
        if (n >= length) break;
        constexpr int items = 1;
        constexpr int i = 0;
        place at[items];
        locate_vector<0>(p, at[0], n);
$loads        for (int e = 0; e < vector; ++e) {
          if (e < at[0].valid) found[k * vector + e] = static_cast<unsigned>(finder::find($compute, bins));
        }
      }
    }
    unsigned rank[each];
    for (int k = 0; k < each; ++k) {
      // Values of one part would queue for its counter.
      const unsigned part = found[k] == none ? none : found[k] >> part_bits;
      int alike = 0;
      __match_all_sync(0xffffffffu, part, &alike);
      if (alike) {
        const unsigned lane = threadIdx.x % 32;
        unsigned first = 0u;
        if (lane == 0 && part != none) first = atomicAdd(&sizes[part], 32u);
        rank[k] = __shfl_sync(0xffffffffu, first, 0) + lane;
      } else if (part != none) {
        rank[k] = atomicAdd(&sizes[part], 1u);
      }
    }
    __syncthreads();
    add_up_to(sizes, starts);
    if (threadIdx.x < b.parts && sizes[threadIdx.x] != 0u)
      reserved[threadIdx.x] = lists[threadIdx.x] + atomicAdd(reinterpret_cast<unsigned long long*>(b.cursors) + threadIdx.x, static_cast<unsigned long long>(sizes[threadIdx.x]));
    for (int k = 0; k < each; ++k) {
      if (found[k] != none) sorted[starts[found[k] >> part_bits] + rank[k]] = found[k];
    }
    __syncthreads();
    const unsigned total = starts[255] + sizes[255];
    unsigned short* const values = reinterpret_cast<unsigned short*>(b.lists);
    for (unsigned i = threadIdx.x; i < total; i += threads) {
      const unsigned part = sorted[i] >> part_bits;
      values[reserved[part] + (i - starts[part])] = static_cast<unsigned short>(sorted[i] & ((1u << part_bits) - 1u));
    }
    __syncthreads();
  }
}
)";

/// A block counts `share` values of the lists, which lie one after the other.
inline constexpr const char* count_lists_text = R"(
extern "C" __global__ void __launch_bounds__(512) gnp_kernel(const __grid_constant__ binned_values b, unsigned long long share) {
  wait_for_results();
  __shared__ unsigned counts[1 << part_bits];
  __shared__ unsigned long long lists[257];
  find_lists(b, lists);
  if (threadIdx.x == 0) lists[256] = lists[255] + (b.parts == 256 ? reinterpret_cast<const unsigned long long*>(b.part_sizes)[255] : 0ull);
  __syncthreads();
  const unsigned long long begin = blockIdx.x * share;
  const unsigned long long end = min(begin + share, lists[256]);
  const unsigned short* const values = reinterpret_cast<const unsigned short*>(b.lists);
  for (int part = 0; part < b.parts && lists[part] < end; ++part) {
    const unsigned long long first = max(lists[part], begin);
    const unsigned long long last = min(lists[part + 1], end);
    if (first >= last) continue;
    for (int i = threadIdx.x; i < 1 << part_bits; i += 512) counts[i] = 0u;
    __syncthreads();
    // Eight at a time where their memory is aligned.
    const unsigned long long whole = min(last, (first + 7ull) / 8ull * 8ull);
    const unsigned long long rest = max(whole, last / 8ull * 8ull);
    if (first + threadIdx.x < whole) atomicAdd(&counts[values[first + threadIdx.x]], 1u);
    for (unsigned long long i = whole + threadIdx.x * 8ull; i < rest; i += 512 * 8) {
      const uint4 eight = *reinterpret_cast<const uint4*>(values + i);
      const unsigned pairs[4] = {eight.x, eight.y, eight.z, eight.w};
      for (int w = 0; w < 4; ++w) {
        atomicAdd(&counts[pairs[w] & 0xffffu], 1u);
        atomicAdd(&counts[pairs[w] >> 16], 1u);
      }
    }
    if (rest + threadIdx.x < last) atomicAdd(&counts[values[rest + threadIdx.x]], 1u);
    __syncthreads();
    unsigned long long* const results = reinterpret_cast<unsigned long long*>(b.results) + (static_cast<unsigned long long>(part) << part_bits);
    for (int i = threadIdx.x; i < 1 << part_bits; i += 512) {
      if (counts[i] != 0u) atomicAdd(results + i, static_cast<unsigned long long>(counts[i]));
    }
    __syncthreads();
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
