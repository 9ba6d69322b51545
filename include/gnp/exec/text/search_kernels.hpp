// SPDX-License-Identifier: MIT
// The kernel that looks for many elements in a sorted table, as text. Every search begins with the same few
// elements of the table, so a block keeps the keys of every stride-th element in shared memory. Written for
// order and with_equal (whether to skip equal elements, too).
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr int search_threads = 1024;
/// The keys of this many elements of the table are in shared memory. Each doubling saves every search a sector
/// of the table, as long as there is still room for the first-level cache.
constexpr int most_pivots(dtype type) { return (1 << 15) / static_cast<int>(itemsize(type)); }

/// The kernel's first parameter.
GNP_KERNEL_ARGUMENTS(search_arguments,
                     unsigned long long count = 0;   // queries
                     unsigned long long size = 0;    // of the table
                     unsigned long long stride = 1;  // of the elements in shared memory
)

inline constexpr const char* search_text = R"(
using bits_t = order::bits;
using key_t = order::key;
constexpr int most_pivots = $pivots;
inline bool passes(const key_t& in_table, const key_t& query) { return with_equal ? !(query < in_table) : in_table < query; }

extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ search_arguments s, const bits_t* table, const bits_t* queries, long long* result) {
  wait_for_results();
  __shared__ key_t pivots[most_pivots];
  const int count = static_cast<int>(s.size / s.stride);  // pivot p is the last of its stretch of the table
  for (int p = threadIdx.x; p < count; p += $threads) {
    pivots[p] = order::of(table[(p + 1) * s.stride - 1], order::part(0));
  }
  __syncthreads();
  const unsigned long long step = gridDim.x * $threadsull;
  for (unsigned long long i = blockIdx.x * $threadsull + threadIdx.x; i < s.count; i += step) {
    const key_t query = order::of(queries[i], order::part(0));
    int passed = 0;
    for (int rest = count; rest > 0;) {
      const int half = rest / 2;
      if (passes(pivots[passed + half], query)) {
        passed += half + 1;
        rest -= half + 1;
      } else {
        rest = half;
      }
    }
    unsigned long long low = passed * s.stride;
    unsigned long long rest = (passed < count ? low + s.stride - 1 : s.size) - low;
    while (rest > 0) {
      const unsigned long long half = rest / 2;
      if (passes(order::of(table[low + half], order::part(0)), query)) {
        low += half + 1;
        rest -= half + 1;
      } else {
        rest = half;
      }
    }
    result[i] = static_cast<long long>(low);
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
