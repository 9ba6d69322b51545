// SPDX-License-Identifier: MIT
// The histogram kernels, as text. A few bins are counted in shared memory, each in several places so that
// adjacent threads do not wait for each other. Many bins are counted directly in the result.
//
// Sums of weights have the same bits in every run. Additions of doubles in any order would not achieve that, so
// weights are added as integers. A first pass finds the largest exponent among the weights of each bin. On that
// scale a weight is two integers of `digits` bits, the second of which holds the remainder of the first, such
// that the sum over all values stays below 2^63.
//
// Written for the constants of access.hpp and: copies (of each counter in shared memory; 0: none), finder, and
// shift (how many neighbouring bins share a counter, as a power of two).
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_KERNEL_ARGUMENTS(
    binned_values,
    unsigned long long length = 0;   // of the values, in vectors
    unsigned long long whole = 0;    // of those, vectors that are full
    unsigned long long results = 0;  // counts, bits, largest exponents, or the sums' first integers
    unsigned long long rests = 0;    // the sums' second integers
    unsigned long long largest = 0;  // the largest exponents
    int digits = 0;
    // For histogram_parts_kernels.hpp: the number of parts, how many values each part has, how many of them its
    // list has by now, and the lists.
    int parts = 0;
    unsigned long long part_sizes = 0; unsigned long long cursors = 0; unsigned long long lists = 0;);

inline constexpr const char* count_values_text = R"(
constexpr int words = 1;
inline void add(unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin, double weight) {
  if constexpr (copies > 0) {
    atomicAdd(mine + bin * lanes + threadIdx.x % lanes, 1u);
  } else {
    unsigned long long* counts = reinterpret_cast<unsigned long long*>(b.results);
    // Values that are all alike would queue for one counter.
    const unsigned together = __activemask();
    int alike = 0;
    __match_all_sync(together, bin, &alike);
    if (!alike) {
      atomicAdd(counts + bin, 1ull);
    } else if (threadIdx.x % 32 == __ffs(together) - 1) {
      atomicAdd(counts + bin, static_cast<unsigned long long>(__popc(together)));
    }
  }
}
inline void hand_over(const unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin) {
  unsigned long long total = 0;
  for (int c = 0; c < lanes; ++c) total += mine[bin * lanes + (c + bin) % lanes];
  if (total != 0) atomicAdd(reinterpret_cast<unsigned long long*>(b.results) + bin, total);
}
)";

/// One bit for each bin, directly in the result. Most values find their bit already set, which saves the slow
/// operation of setting it.
inline constexpr const char* mark_values_text = R"(
constexpr int words = 1;
inline void add(unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin, double weight) {
  unsigned* const word = reinterpret_cast<unsigned*>(b.results) + bin / 32;
  const unsigned bit = 1u << bin % 32;
  if ((*word & bit) == 0u) atomicOr(word, bit);
}
inline void hand_over(const unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin) {}
)";

inline constexpr const char* largest_weight_text = R"(
constexpr int words = 1;
inline void add(unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin, double weight) {
  const unsigned exponent = static_cast<unsigned>(__double2hiint(weight)) >> 20 & 0x7ffu;
  unsigned* largest = copies > 0 ? mine + bin * lanes + threadIdx.x % lanes : reinterpret_cast<unsigned*>(b.results) + bin;
  if (exponent > *largest) atomicMax(largest, exponent);
}
inline void hand_over(const unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin) {
  unsigned most = 0;
  for (int c = 0; c < lanes; ++c) most = max(most, mine[bin * lanes + (c + bin) % lanes]);
  if (most != 0) atomicMax(reinterpret_cast<unsigned*>(b.results) + bin, most);
}
)";

inline constexpr const char* add_weights_text = R"(
constexpr int words = 4;
// Shared memory adds 32 bits at a time.
inline void add_in_halves(unsigned* low, unsigned* high, long long value) {
  const unsigned lower = static_cast<unsigned>(value);
  const unsigned before = atomicAdd(low, lower);
  const unsigned upper = static_cast<unsigned>(static_cast<unsigned long long>(value) >> 32) + (before + lower < lower ? 1u : 0u);
  if (upper != 0) atomicAdd(high, upper);
}
inline void add(unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin, double weight) {
  const unsigned most = reinterpret_cast<const unsigned*>(b.largest)[bin];
  long long part = 0;
  long long rest = 0;
  if (most == 0x7ffu) {
    // Where a weight is not finite, only those that are not count: infinities by their sign, and NaN.
    part = weight == infinity() ? 1ll : weight == -infinity() ? 1ll << 40 : 0ll;
    rest = weight != weight ? 1ll : 0ll;
  } else {
    const double scaled = ldexp(weight, b.digits + 1022 - static_cast<int>(most > 1u ? most : 1u));
    const double whole = trunc(scaled);
    part = static_cast<long long>(whole);
    rest = __double2ll_rn(ldexp(scaled - whole, b.digits));
  }
  if constexpr (copies > 0) {
    unsigned* place = mine + bin * lanes + threadIdx.x % lanes;
    const unsigned long long step = bins * lanes;
    if (part != 0) add_in_halves(place, place + step, part);
    if (rest != 0) add_in_halves(place + 2 * step, place + 3 * step, rest);
  } else {
    if (part != 0) atomicAdd(reinterpret_cast<unsigned long long*>(b.results) + bin, static_cast<unsigned long long>(part));
    if (rest != 0) atomicAdd(reinterpret_cast<unsigned long long*>(b.rests) + bin, static_cast<unsigned long long>(rest));
  }
}
inline void hand_over(const unsigned* mine, const binned_values& b, unsigned long long bins, unsigned long long bin) {
  unsigned long long sums[2] = {0, 0};
  for (int c = 0; c < lanes; ++c) {
    const unsigned* place = mine + bin * lanes + (c + bin) % lanes;
    const unsigned long long step = bins * lanes;
    for (int s = 0; s < 2; ++s) sums[s] += static_cast<unsigned long long>(place[(2 * s + 1) * step]) << 32 | place[2 * s * step];
  }
  if (sums[0] != 0) atomicAdd(reinterpret_cast<unsigned long long*>(b.results) + bin, sums[0]);
  if (sums[1] != 0) atomicAdd(reinterpret_cast<unsigned long long*>(b.rests) + bin, sums[1]);
}
)";

inline constexpr const char* histogram_text = R"(
extern "C" __global__ void __launch_bounds__(threads) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ binned_values b, const __grid_constant__ bin_layout bins) {
  wait_for_results();
  extern __shared__ unsigned mine[];
  const unsigned long long count = (static_cast<unsigned long long>(bins.count) + (1ull << shift) - 1) >> shift;
  if constexpr (copies > 0) {
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(count) * (copies * words); i += threads) mine[i] = 0;
    __syncthreads();
  }
  const auto take = [&](const value_t& value, double weight) {
    const long long bin = finder::find(value, bins);
    if (bin >= 0) add(mine, b, count, static_cast<unsigned long long>(bin) >> shift, weight);
  };
  const index_t length = static_cast<index_t>(b.length);
  const index_t whole = static_cast<index_t>(b.whole);
  const index_t step = static_cast<index_t>(gridDim.x) * (items * threads);
  index_t n = static_cast<index_t>(blockIdx.x) * (items * threads) + threadIdx.x;
  for (; n + (items - 1) * threads < whole; n += step) {
    place at[items];
    for (int i = 0; i < items; ++i) {
      locate_vector<0>(p, at[i], n + i * threads);
      at[i].valid = vector;
    }
$loads    for (int i = 0; i < items; ++i) {
      for (int e = 0; e < vector; ++e) take($compute, $weight);
    }
  }
  for (; n < length; n += threads) {
    constexpr int items = 1;
    constexpr int i = 0;
    place at[items];
    locate_vector<0>(p, at[0], n);
$loads    for (int e = 0; e < vector; ++e) {
      if (e < at[0].valid) take($compute, $weight);
    }
  }
  if constexpr (copies > 0) {
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < count; bin += threads) hand_over(mine, b, count, bin);
  }
}
)";

/// Turns the two integers of each bin into its sum.
inline constexpr const char* histogram_sums_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ binned_values b, double* sums, unsigned long long bins) {
  wait_for_results();
  for (unsigned long long bin = blockIdx.x * 256ull + threadIdx.x; bin < bins; bin += gridDim.x * 256ull) {
    const unsigned most = reinterpret_cast<const unsigned*>(b.largest)[bin];
    const long long part = reinterpret_cast<const long long*>(b.results)[bin];
    const long long rest = reinterpret_cast<const long long*>(b.rests)[bin];
    if (most == 0x7ffu) {
      const bool rises = (part & ((1ll << 40) - 1)) != 0;
      const bool falls = part >> 40 != 0;
      sums[bin] = rest != 0 || (rises && falls) ? quiet_nan() : rises ? infinity() : -infinity();
    } else {
      const double upper = static_cast<double>(part);
      const double lower = static_cast<double>(part - static_cast<long long>(upper)) + ldexp(static_cast<double>(rest), -b.digits);
      sums[bin] = ldexp(upper + lower, static_cast<int>(most > 1u ? most : 1u) - 1022 - b.digits);
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
