// SPDX-License-Identifier: MIT
// The kernels that sort by the bytes of the keys, least significant first, as text: one kernel counts how often
// each byte of the keys has each value, and then one pass for each byte moves every element to its place. A
// byte that all keys of a row share, such as the upper bytes of small integers, costs no more than a check. A
// block ranks a tile in registers and shared memory, publishes how many elements of each value it has, and
// finds how many come before them by looking back over earlier tiles (Adinets and Merrill's onesweep). Rows are
// sorted independently: no tile looks beyond its row. A row that fits in a block is sorted by one block
// (sort_rows_kernels.hpp).
//
// Places are moved with the keys that they belong to. With keys of 64 bits, the passes over the upper half
// carry only that half, and the last pass before them stores only that half, so that a third less is moved.
//
// Written for order (an order of expr/scalar/order.hpp), carried_t (bits_t, or unsigned for the upper halves of
// keys), count_t (a number of elements of a row, with two bits to spare), place_t (a place in a row, as it is
// carried along), with_places (to sort places, not elements), threads, items and resident (blocks that share a
// multiprocessor).
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The first parameter of the kernels.
GNP_KERNEL_ARGUMENTS(sort_arguments,
                     unsigned long long length = 0;                             // of a row
                     unsigned long long rows = 0; unsigned long long flip = 0;  // all ones to sort downwards
                     unsigned long long parts = 1;                              // blocks that share a row
                     int byte = 0;  // of the keys: what this pass sorts by
)

/// Where a pass finds elements and where it leaves them. The first pass reads the original, the last one writes
/// to `even`, and the passes between them alternate. When places are sorted, the last pass writes them to
/// `result`, and no elements.
GNP_KERNEL_ARGUMENTS(sort_memory, unsigned long long original = 0; unsigned long long even = 0;
                     unsigned long long odd = 0; unsigned long long places_even = 0;
                     unsigned long long places_odd = 0; unsigned long long result = 0;)

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
  unsigned total[256];  // of each digit
  unsigned start[256];  // where the digit begins in the sorted tile
};
using warp_counts = unsigned[warps][256];  // of each digit, and then where the warp's next one goes

// The lanes whose digit is this lane's: a vote on each bit, in four instructions, where the compiler makes seven of
// __ballot_sync() and a choice. (The one instruction that finds them takes a turn for each of the warp's digits.)
inline unsigned lanes_with(unsigned digit) {
  unsigned same = all_lanes;
#pragma unroll
  for (int b = 0; b < 8; ++b) {
    asm volatile("{ .reg .pred p; .reg .b32 v; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 v, p, 0xffffffff; @!p not.b32 v, v; and.b32 %0, %0, v; }"
                 : "+r"(same) : "r"(digit & (1u << b)));
  }
  return same;
}

// Adds to a counter in shared memory in the lanes that want to, without a branch after which the warp would have to
// come together again. Returns what was there; in the other lanes nothing of use.
inline unsigned added_if(bool wanted, unsigned* counter, unsigned more) {
  unsigned before;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p atom.shared.add.u32 %0, [%1], %2; }"
               : "=r"(before) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(counter))), "r"(more), "r"(static_cast<unsigned>(wanted)) : "memory");
  return before;
}

// Makes of each of a thread's digits its rank in the tile, whose elements lie in the order of warp, item, lane.
// Equal digits keep that order. For the whole block, which has nothing in `counts` and `by_warp` any more, nor
// afterwards in by_warp. counted(digit, count) is called by one thread for each digit as soon as the tile's are counted.
template <class Counted> inline void rank_tile(unsigned (&ranks)[items], tile_counts& counts, warp_counts& by_warp, const Counted& counted) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  unsigned* const mine = by_warp[warp];
  for (int b = lane; b < 256; b += 32) mine[b] = 0u;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < items; ++i) atomicAdd(&mine[ranks[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += threads) {
    unsigned sum = 0u;
#pragma unroll
    for (int w = 0; w < warps; ++w) {
      const unsigned its = by_warp[w][b];
      by_warp[w][b] = sum;
      sum += its;
    }
    counts.total[b] = sum;
    counted(b, sum);
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
  for (int b = lane; b < 256; b += 32) mine[b] += counts.start[b];
  __syncwarp();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    // The first of the lanes with a digit counts for all of them. What it hands to them is what it has added to, so
    // that the next item's turn comes after this one's.
    const unsigned same = lanes_with(ranks[i]);
    const unsigned before = same & ((1u << lane) - 1u);
    const unsigned start = added_if(before == 0u, &mine[ranks[i]], static_cast<unsigned>(__popc(same)));
    ranks[i] = __shfl_sync(all_lanes, start, __ffs(same) - 1) + __popc(before);
  }
  __syncthreads();
}

// f(i, j) for each of a thread's items: j = first + i * step, where that is less than `valid`.
template <class F> inline void for_items(int first, int step, int valid, const F& f) {
  if (valid == tile_size) {
#pragma unroll
    for (int i = 0; i < items; ++i) f(i, first + i * step);
  } else {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (first + i * step < valid) f(i, first + i * step);
    }
  }
}
)";

/// Counts how often each byte of a row's keys has each value: counts[row][byte][value], which must be zero
/// before.
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
    key_t key[loads];
    if (i - threadIdx.x + 256 * loads <= s.length) {
#pragma unroll
      for (int l = 0; l < loads; ++l) key[l] = key_of(values[i + l * 256], s);
#pragma unroll
      for (int b = 0; b < key_bytes; ++b) {
        // All the same is common in upper bytes, and the one case in which counting one by one is slow.
        const unsigned one = __shfl_sync(all_lanes, key_byte(key[0], b), 0);
        unsigned others = 0u;
#pragma unroll
        for (int l = 0; l < loads; ++l) others |= key_byte(key[l], b) ^ one;
        if (__any_sync(all_lanes, others != 0u)) {
#pragma unroll
          for (int l = 0; l < loads; ++l) atomicAdd(&count[b * 256 + key_byte(key[l], b)], 1u);
        } else if (threadIdx.x % 32 == 0) {
          atomicAdd(&count[b * 256 + one], 32u * loads);
        }
      }
    } else {
      for (int l = 0; l < loads; ++l) {
        if (i + l * 256 >= s.length) break;
        const key_t last = key_of(values[i + l * 256], s);
#pragma unroll
        for (int b = 0; b < key_bytes; ++b) atomicAdd(&count[b * 256 + key_byte(last, b)], 1u);
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < key_bytes * 256; i += 256) {
    if (count[i] != 0u) atomicAdd(&counts[row * (key_bytes * 256) + i], static_cast<count_t>(count[i]));
  }
}
)";

/// Converts counts to the place where each value begins, and sets a bit of `mixed` for each byte that is not
/// the same in all keys of a row. There is one block for each byte of each row.
inline constexpr const char* sort_starts_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ sort_arguments s, count_t* counts, unsigned* mixed) {
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
  if (__syncthreads_or(count != 0 && count != s.length) && threadIdx.x == 0) atomicOr(mixed + blockIdx.x / key_bytes, 1u << blockIdx.x % key_bytes);
}
)";

/// One pass, for the rows that need it. `notices` is what each tile publishes about each digit; it must be zero
/// before.
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

constexpr int widest = with_places && sizeof(place_t) > sizeof(carried_t) ? sizeof(place_t) : sizeof(carried_t);
constexpr bool upper_half = sizeof(carried_t) != sizeof(bits_t);
constexpr bool has_halves = with_places && sizeof(key_t) == 8;

// (Templates, so that a key of two words, which is a struct, needs no shift.)
template <class Key> inline unsigned upper_half_of(const Key& key) {
  if constexpr (sizeof(Key) == 8) return static_cast<unsigned>(key >> 32); else return 0u;
}
template <class X> inline carried_t carried(const X& x, const sort_arguments& s) {
  if constexpr (upper_half) return upper_half_of(key_of(x, s));
  else return x;
}
template <class X> inline unsigned digit_of(const X& x, const sort_arguments& s) {
  if constexpr (upper_half) return key_byte(x, s.byte - 4);
  else return key_byte(key_of(x, s), s.byte);
}

extern "C" __global__ void __launch_bounds__(threads, resident) gnp_kernel(const __grid_constant__ sort_arguments s, const __grid_constant__ sort_memory m,
    const count_t* starts, const unsigned* mixed, count_t* notices) {
  wait_for_results();
  // Blocks start in the order of their numbers, so that a tile before one's own is always under way.
  const unsigned long long row = blockIdx.x / s.parts;
  const unsigned passes = max(mixed[row], 1u);  // elements that are all alike have to be moved, too
  if ((passes >> s.byte & 1u) == 0u) return;
  const bool first = (passes & ((1u << s.byte) - 1u)) == 0u;
  const int more = __popc(passes >> s.byte) - 1;  // passes to come
  const bool even = more % 2 == 0;
  // The next pass is by the upper half.
  const bool leaves_half = !upper_half && has_halves && more != 0 && (passes >> s.byte & (0xfu >> s.byte) & ~1u) == 0u;
  const carried_t* from = reinterpret_cast<const carried_t*>(first && !upper_half ? m.original : even ? m.odd : m.even);
  carried_t* to = reinterpret_cast<carried_t*>(even ? m.even : m.odd);
  __shared__ tile_counts counts;
  __shared__ count_t base[256];
  __shared__ union {
    warp_counts by_warp;
    alignas(16) unsigned char sorted[tile_size * widest];
  } memory;
  carried_t* const sorted = reinterpret_cast<carried_t*>(memory.sorted);
  const unsigned long long tile = blockIdx.x % s.parts;
  const unsigned long long begin = tile * tile_size;
  const int valid = s.length - begin < tile_size ? static_cast<int>(s.length - begin) : tile_size;
  const int at = threadIdx.x / 32 * (32 * items) + threadIdx.x % 32;
  const unsigned long long offset = row * s.length;
  from += offset + begin;
  to += offset;

  carried_t x[items];
  unsigned rank[items];  // a digit first
  // What is past the row's end is last, and stays last: its tile is the last one, and nobody asks for its counts.
#pragma unroll
  for (int i = 0; i < items; ++i) rank[i] = 255u;
  if (upper_half && first) {
    const bits_t* const original = reinterpret_cast<const bits_t*>(m.original) + offset + begin;
    for_items(at, 32, valid, [&](int i, int j) { x[i] = carried(original[j], s); });
  } else {
    for_items(at, 32, valid, [&](int i, int j) { x[i] = from[j]; });
  }
  for_items(at, 32, valid, [&](int i, int) { rank[i] = digit_of(x[i], s); });
  count_t* const notice = notices + blockIdx.x * 256ull;
  rank_tile(rank, counts, memory.by_warp, [&](int b, unsigned count) { publish(notice + b, (tile == 0 ? prefix_known : total_known) | count); });
  for_items(at, 32, valid, [&](int i, int) { sorted[rank[i]] = x[i]; });
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
  [[maybe_unused]] unsigned* const halves = reinterpret_cast<unsigned*>(even ? m.even : m.odd) + offset;
  // Neighbours in the sorted tile go to neighbouring places but where a digit begins.
  for_items(threadIdx.x, threads, valid, [&](int i, int j) {
    const carried_t value = sorted[j];
    digit[i] = digit_of(value, s);
    const count_t place = base[digit[i]] + j;
    if constexpr (has_halves && !upper_half) {
      if (leaves_half) {
        halves[place] = upper_half_of(key_of(value, s));
        return;
      }
    }
    if (!with_places || more != 0) to[place] = value;
  });
  if constexpr (with_places) {
    place_t* const moved = reinterpret_cast<place_t*>(memory.sorted);
    const place_t* const places_from = reinterpret_cast<const place_t*>(even ? m.places_odd : m.places_even) + offset + begin;
    place_t* const places_to = reinterpret_cast<place_t*>(even ? m.places_even : m.places_odd) + offset;
    long long* const result = reinterpret_cast<long long*>(m.result) + offset;
    __syncthreads();
    if (first) {
      for_items(at, 32, valid, [&](int i, int j) { moved[rank[i]] = static_cast<place_t>(begin + j); });
    } else {
      for_items(at, 32, valid, [&](int i, int j) { moved[rank[i]] = places_from[j]; });
    }
    __syncthreads();
    if (more == 0) {
      for_items(threadIdx.x, threads, valid, [&](int i, int j) {
        result[static_cast<count_t>(base[digit[i]] + j)] = static_cast<long long>(moved[j]);
      });
    } else {
      for_items(threadIdx.x, threads, valid, [&](int i, int j) { places_to[static_cast<count_t>(base[digit[i]] + j)] = moved[j]; });
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
