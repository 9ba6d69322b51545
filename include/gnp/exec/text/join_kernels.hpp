// SPDX-License-Identifier: MIT
// The kernels that write several arrays into one, as text: one after the other, or interleaved. A unit is a
// group of 1 to 16 bytes that stays together, whatever the elements are.
#pragma once

#include <gnp/cuda/arguments.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/exec/text/prelude.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most parts that one kernel can put one after the other: as many as the arguments of a launch hold.
inline constexpr int most_consecutive = 128;
/// The most parts that one kernel can interleave, because a thread has a vector of each in its registers.
inline constexpr int most_interleaved = 16;

/// Threads of a block, and how many vectors each of them takes of consecutive parts.
inline constexpr int consecutive_threads = 256;
inline constexpr int consecutive_items = 4;
inline constexpr int interleaving_threads = 128;

/// Where each part begins, in memory and among the units of the result. The last `begin` is the end.
GNP_KERNEL_ARGUMENTS(consecutive_arguments, unsigned long long to = 0; unsigned long long count = 0;
                     unsigned long long from[128] = {}; unsigned long long begin[129] = {};)

/// All parts have `units` units.
GNP_KERNEL_ARGUMENTS(interleaved_arguments, unsigned long long to = 0; unsigned long long units = 0;
                     unsigned long long from[16] = {};)

inline constexpr const char* consecutive_text = R"(
extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ consecutive_arguments a) {
  wait_for_results();
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * ($threads * $items);
  int part = 0;  // that the block's first unit is of
  for (int rest = static_cast<int>(a.count); rest > 1;) {
    const int half = rest / 2;
    if (a.begin[part + half] <= first) part += half;
    rest -= half;
  }
  const unsigned long long end = a.begin[a.count];
  unit x[$items];
  #pragma unroll
  for (int i = 0; i < $items; ++i) {
    const unsigned long long n = first + i * $threads + threadIdx.x;
    if (n >= end) break;
    while (n >= a.begin[part + 1]) ++part;
    x[i] = reinterpret_cast<const unit*>(a.from[part])[n - a.begin[part]];
  }
  #pragma unroll
  for (int i = 0; i < $items; ++i) {
    const unsigned long long n = first + i * $threads + threadIdx.x;
    if (n < end) reinterpret_cast<unit*>(a.to)[n] = x[i];
  }
}
)";

/// The same for large parts that begin and end anywhere. Vectors are aligned to the destination's memory; the
/// bytes of one lie in two vectors of a part's memory. The units at a part's ends are moved one by one.
inline constexpr const char* consecutive_anywhere_text = R"(
constexpr int words = 8;  // of two vectors
union pair {
  uint4 whole[2];
  unsigned word[words];
  // Its bytes from the skipped ones on, as a vector.
  uint4 without(int skipped) {
    #pragma unroll
    for (int i = 0; i + 2 < words; ++i) word[i] = (skipped & 8) != 0 ? word[i + 2] : word[i];
    #pragma unroll
    for (int i = 0; i + 1 < words; ++i) word[i] = (skipped & 4) != 0 ? word[i + 1] : word[i];
    #pragma unroll
    for (int i = 0; i < 4; ++i) word[i] = __funnelshift_r(word[i], word[i + 1], skipped % 4 * 8);
    return whole[0];
  }
};

extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ consecutive_arguments a) {
  wait_for_results();
  const unsigned long long size = a.begin[a.count] * sizeof(unit);
  const long long before = static_cast<long long>(a.to % 16);
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * ($threads * $items);
  int part = 0;  // that the block's first byte is of
  for (int rest = static_cast<int>(a.count); rest > 1;) {
    const int half = rest / 2;
    if (static_cast<long long>(a.begin[part + half] * sizeof(unit)) <= static_cast<long long>(first * 16) - before) part += half;
    rest -= half;
  }
  pair x[$items];
  int skipped[$items];  // -1: by units
  #pragma unroll
  for (int i = 0; i < $items; ++i) {
    const long long at = static_cast<long long>((first + i * $threads + threadIdx.x) * 16) - before;
    skipped[i] = -1;
    if (at < 0 || at + 16 > static_cast<long long>(size)) continue;
    while (at >= static_cast<long long>(a.begin[part + 1] * sizeof(unit))) ++part;
    const unsigned long long begin = a.from[part];
    const unsigned long long end = begin + (a.begin[part + 1] - a.begin[part]) * sizeof(unit);
    const unsigned long long source = begin + at - a.begin[part] * sizeof(unit);
    const unsigned long long aligned = source / 16 * 16;
    if (aligned < begin || aligned + 32 > end) continue;
    skipped[i] = static_cast<int>(source - aligned);
    x[i].whole[0] = reinterpret_cast<const uint4*>(aligned)[0];
    x[i].whole[1] = reinterpret_cast<const uint4*>(aligned)[1];
  }
  #pragma unroll
  for (int i = 0; i < $items; ++i) {
    const long long at = static_cast<long long>((first + i * $threads + threadIdx.x) * 16) - before;
    if (skipped[i] >= 0) {
      *reinterpret_cast<uint4*>(a.to + at) = x[i].without(skipped[i]);
      continue;
    }
    int there = 0;
    for (long long n = at < 0 ? 0 : at / static_cast<long long>(sizeof(unit)); n * sizeof(unit) < at + 16 && n * sizeof(unit) < size; ++n) {
      while (n >= a.begin[there + 1]) ++there;
      reinterpret_cast<unit*>(a.to)[n] = reinterpret_cast<const unit*>(a.from[there])[n - a.begin[there]];
    }
  }
}
)";

/// A warp takes one vector per lane of each part, and writes them, interleaved, to memory in whole lines.
inline constexpr const char* interleaved_text = R"(
constexpr int parts = $parts;
constexpr int vector = 16 / sizeof(unit);
constexpr int warps = $threads / 32;

union pack {
  uint4 whole;
  unit v[vector];
};

// One place is left out after every eight: lanes that write their vectors side by side use all banks then.
inline int staged_at(int i) { return i + i / 8; }

extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ interleaved_arguments a) {
  wait_for_results();
  __shared__ uint4 staged[warps][32 * parts + 4 * parts];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const unsigned long long first = (static_cast<unsigned long long>(blockIdx.x) * warps + warp) * 32;
  const unsigned long long n = first + lane;
  if ((first + 32) * vector > a.units) {
    for (int e = 0; e < vector && n * vector + e < a.units; ++e) {
      const unsigned long long i = n * vector + e;
      for (int k = 0; k < parts; ++k) reinterpret_cast<unit*>(a.to)[i * parts + k] = reinterpret_cast<const unit*>(a.from[k])[i];
    }
    return;
  }
  pack x[parts];
  #pragma unroll
  for (int k = 0; k < parts; ++k) x[k].whole = reinterpret_cast<const uint4*>(a.from[k])[n];
  #pragma unroll
  for (int k = 0; k < parts; ++k) {
    pack beside;
    #pragma unroll
    for (int e = 0; e < vector; ++e) beside.v[e] = x[(k * vector + e) % parts].v[(k * vector + e) / parts];
    staged[warp][staged_at(lane * parts + k)] = beside.whole;
  }
  __syncwarp();
  uint4* const to = reinterpret_cast<uint4*>(a.to) + first * parts;
  #pragma unroll
  for (int k = 0; k < parts; ++k) to[k * 32 + lane] = staged[warp][staged_at(k * 32 + lane)];
}
)";

/// The type of a unit with this many bytes.
[[gnu::cold]] GNP_INLINE std::string unit_text(int bytes) {
  const char* type = bytes == 1   ? "unsigned char"
                     : bytes == 2 ? "unsigned short"
                     : bytes == 4 ? "unsigned"
                     : bytes == 8 ? "uint2"
                                  : "uint4";
  return std::string("using unit = ") + type + ";\n";
}

[[gnu::cold]] GNP_INLINE std::string consecutive_source(int unit, bool anywhere = false) {
  return prelude_text + unit_text(unit) + consecutive_arguments_text +
         filled_in(
             anywhere ? consecutive_anywhere_text : consecutive_text,
             {{"threads", std::to_string(consecutive_threads)}, {"items", std::to_string(consecutive_items)}});
}
[[gnu::cold]] GNP_INLINE std::string interleaved_source(int unit, int parts) {
  return prelude_text + unit_text(unit) + interleaved_arguments_text +
         filled_in(interleaved_text,
                   {{"parts", std::to_string(parts)}, {"threads", std::to_string(interleaving_threads)}});
}

}}}  // namespace gnp::GNP_ABI::detail
