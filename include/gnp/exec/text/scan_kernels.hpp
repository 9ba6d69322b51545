// SPDX-License-Identifier: MIT
// The scan kernels, as text: each element is read once and written once. A block scans a tile in registers,
// publishes the tile's total, and finds the total before its tile by looking back over the totals of earlier
// tiles (Merrill and Garland's decoupled look-back). The totals are always grouped in the same way, so that the
// result does not depend on how far a block had to look. They are joined in order, so that the operation need
// not be commutative.
//
// Written for the constants of access.hpp and: kept (axes the scan does not run along), A and op (its type and
// operation). A tile is 8 warps high.
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel's second parameter.
GNP_KERNEL_ARGUMENTS(scan_arguments,
                     unsigned long long outputs = 1;   // along columns in vectors
                     unsigned long long length = 1;    // along rows in vectors
                     unsigned long long tiles = 1;     // that a scan is cut into
                     unsigned long long strips = 1;    // along columns: blocks side by side
                     unsigned long long totals = 0;    // what tiles publish; along rows, one notice each
                     unsigned long long prefixes = 0;  // along rows a notice of each 32 tiles
                     unsigned long long flags = 0;     // along columns
)

inline constexpr const char* scan_text = R"(
constexpr unsigned all_lanes = 0xffffffffu;

struct alignas(4) words { unsigned word[(sizeof(A) + 3) / 4]; };
template <class Shuffle> inline A moved(const A& x, const Shuffle& shuffle) {
  union carrier { words w; A x; carrier() : w() {} } value;
  value.x = x;
  for (int i = 0; i < sizeof(words) / 4; ++i) value.w.word[i] = shuffle(value.w.word[i]);
  return value.x;
}
inline A from_above(const A& x, int distance) { return moved(x, [distance](unsigned w) { return __shfl_up_sync(all_lanes, w, distance); }); }
inline A from_lane(const A& x, int lane) { return moved(x, [lane](unsigned w) { return __shfl_sync(all_lanes, w, lane); }); }

inline unsigned flag_of(const unsigned* flag) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
inline void raise(unsigned* flag, unsigned value) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
}
constexpr unsigned unknown = 0;
constexpr unsigned total_known = 1;
constexpr unsigned prefix_known = 2;  // the total of this tile and all before it

inline void store_vector(const arguments& p, const place& at, const A (&x)[vector]) {
  if (at.valid == 0) return;
  pack<result_t> result;
  for (int e = 0; e < vector; ++e) result.v[e] = cast<result_t>(x[e]);
  store<result_t, $access>(p, at, result);
}
)";

/// For scans along contiguous memory.
inline constexpr const char* vector_of_row_text = R"(
// Vector number n of this scan; of none where it ends before that.
inline place vector_at(const arguments& p, const scan_arguments& s, const place& start, unsigned long long n) {
  place at = start;
  at.valid = 0;
  if (n < s.length) locate_vector<kept>(p, at, static_cast<index_t>(n));
  return at;
}
)";

/// Of them, those of many short rows: a vector of each row belongs to one lane, and the lanes of a row take
/// several rows at a time, so that enough data is in flight.
inline constexpr const char* scan_short_rows_text = R"(
constexpr int lanes = $group;  // that share a row

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ scan_arguments s) {
  wait_for_results();
  constexpr int apart = 256 / lanes;
  const int lane = threadIdx.x % lanes;
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * (apart * items) + threadIdx.x / lanes;
  place at[items];
  for (int i = 0; i < items; ++i) {
    const unsigned long long row = first + i * apart;
    place start;
    locate<0, kept>(p, start, static_cast<index_t>(row < s.outputs ? row : 0));
    at[i] = vector_at(p, s, start, lane);
    if (row >= s.outputs) at[i].valid = 0;
  }
$loads  for (int i = 0; i < items; ++i) {
    A x[vector];
    for (int e = 0; e < vector; ++e) {
      const A value = e < at[i].valid ? op::lift($compute) : op::identity();
      x[e] = e == 0 ? value : op::join(x[e > 0 ? e - 1 : 0], value);
    }
    if constexpr (lanes > 1) {
      A upto = x[vector - 1];
      #pragma unroll
      for (int distance = 1; distance < lanes; distance *= 2) {
        const A left = from_above(upto, distance);
        if (lane >= distance) upto = op::join(left, upto);
      }
      const A before = from_above(upto, 1);
      if (lane > 0) {
        for (int e = 0; e < vector; ++e) x[e] = op::join(before, x[e]);
      }
    }
    store_vector(p, at[i], x);
  }
}
)";

/// Of the others, a block takes a tile of one scan, or each of its warps takes a whole scan.
inline constexpr const char* scan_rows_text = R"(
constexpr int warps = $group;  // that share a tile

// What a tile tells the others: each word of a value in 64 bits beside its flag, so that reading it takes no second look.
struct notice {
  unsigned long long word[sizeof(words) / 4];
};
inline void publish(notice* to, const A& value, unsigned flag) {
  union carrier { words w; A x; carrier() : w() {} } c;
  c.x = value;
  for (int i = 0; i < sizeof(words) / 4; ++i) {
    const unsigned long long word = (static_cast<unsigned long long>(flag) << 32) | c.w.word[i];
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to->word + i), "l"(word) : "memory");
  }
}
inline unsigned read(const notice* from, A& value) {
  union carrier { words w; A x; carrier() : w() {} } c;
  unsigned flag = unknown;
  for (int i = 0; i < sizeof(words) / 4; ++i) {
    unsigned long long word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from->word + i) : "memory");
    c.w.word[i] = static_cast<unsigned>(word);
    const unsigned its = static_cast<unsigned>(word >> 32);
    flag = i == 0 || its == flag ? its : unknown;  // half old, half new: not there yet
  }
  value = c.x;
  return flag;
}

// Joins what the lanes have, in their order, by a tree; lane 0 knows the answer.
inline A folded(A x) {
  #pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) x = op::join(x, from_lane(x, (threadIdx.x + distance) % 32));
  return x;
}

// What comes before a tile, by a whole warp. Tiles are looked at by groups of 32: one look gets the totals of those of the
// own group, another what groups have told, from the last prefix on. So few steps follow each other, however many tiles are
// under way. The last tile of a group tells what the group comes to, as soon as it knows, and then its prefix.
inline A look_back(const notice* tiles, notice* groups, long long tile, const A& own) {
  const int lane = threadIdx.x % 32;
  const long long group = tile / 32;
  const bool last = tile % 32 == 31;
  A value = op::identity();
  // Where many blocks follow each other, looking too early costs more than waiting does.
  const bool patient = gridDim.x > 512;
  if (patient) __nanosleep(1500);
  for (;;) {
    const unsigned flag = lane < tile % 32 ? read(tiles + group * 32 + lane, value) : total_known;
    if (__ballot_sync(all_lanes, flag == unknown) == 0) break;
    if (patient) __nanosleep(200);
  }
  const A inside = from_lane(folded(value), 0);
  if (last && lane == 0) publish(groups + group, op::join(inside, own), group == 0 ? prefix_known : total_known);
  if (group == 0) return inside;

  unsigned known;  // prefixes; the lanes look at the groups before, the nearest first
  for (;;) {
    const unsigned flag = lane < group ? read(groups + group - 1 - lane, value) : unknown;
    known = __ballot_sync(all_lanes, flag == prefix_known);
    const unsigned missing = __ballot_sync(all_lanes, flag == unknown);
    if (known != 0 && (missing & ((known & (0u - known)) - 1u)) == 0) break;
    if (patient) __nanosleep(200);
  }
  int l = __ffs(known) - 1;
  A prefix = from_lane(value, l);
  while (--l >= 0) prefix = op::join(prefix, from_lane(value, l));
  prefix = op::join(prefix, inside);
  if (last && lane == 0) publish(groups + group, op::join(prefix, own), prefix_known);
  return prefix;
}

extern "C" __global__ void __launch_bounds__(warps == 1 ? 256 : warps * 32, $resident) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ scan_arguments s) {
  wait_for_results();
  const int warp = warps == 1 ? 0 : threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  // Blocks start in the order of their numbers, so that a tile before one's own is always under way.
  const index_t row = warps == 1 ? static_cast<index_t>(blockIdx.x) * 8 + threadIdx.x / 32 : blockIdx.x / static_cast<unsigned>(s.tiles);
  const unsigned tile = warps == 1 ? 0 : blockIdx.x % static_cast<unsigned>(s.tiles);
  if (warps == 1 && row >= s.outputs) return;
  place start;
  locate<0, kept>(p, start, row);
  const unsigned long long first = (static_cast<unsigned long long>(tile) * warps + warp) * (32 * items) + lane;
  A x[items][vector];
  {
    place at[items];
    for (int i = 0; i < items; ++i) at[i] = vector_at(p, s, start, first + i * 32);
$loads    for (int i = 0; i < items; ++i) {
      for (int e = 0; e < vector; ++e) x[i][e] = e < at[i].valid ? op::lift($compute) : op::identity();
    }
  }

  // A warp's elements: within a vector, across the lanes, then vector by vector.
  A before[items];  // each vector, of this warp
  A warp_total;
  for (int i = 0; i < items; ++i) {
    for (int e = 1; e < vector; ++e) x[i][e] = op::join(x[i][e - 1], x[i][e]);
    A upto = x[i][vector - 1];
    #pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const A left = from_above(upto, distance);
      if (lane >= distance) upto = op::join(left, upto);
    }
    before[i] = from_above(upto, 1);
    if (lane == 0) before[i] = op::identity();
    if (i > 0) before[i] = op::join(warp_total, before[i]);
    const A all = from_lane(upto, 31);
    warp_total = i == 0 ? all : op::join(warp_total, all);
  }

  if constexpr (warps > 1) {
    __shared__ alignas(16) unsigned char memory[(warps + 1) * sizeof(A)];
    A* totals = reinterpret_cast<A*>(memory);
    if (lane == 0) totals[warp] = warp_total;
    __syncthreads();
    if (warp == 0 && s.tiles > 1) {
      notice* tiles = reinterpret_cast<notice*>(s.totals) + static_cast<unsigned long long>(row) * s.tiles;
      notice* groups = reinterpret_cast<notice*>(s.prefixes) + static_cast<unsigned long long>(row) * ((s.tiles + 31) / 32);
      const A total = folded(lane < warps ? totals[lane < warps ? lane : 0] : op::identity());
      if (lane == 0) publish(tiles + tile, total, total_known);
      const A prefix = look_back(tiles, groups, tile, total);
      if (lane == 0) totals[warps] = prefix;
    }
    A offset = op::identity();
    for (int w = 0; w < warp; ++w) offset = op::join(offset, totals[w]);
    if (s.tiles > 1) {
      __syncthreads();
      offset = op::join(totals[warps], offset);
    }
    for (int i = 0; i < items; ++i) before[i] = op::join(offset, before[i]);
  }
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) x[i][e] = op::join(before[i], x[i][e]);
  }
  for (int i = 0; i < items; ++i) store_vector(p, vector_at(p, s, start, first + i * 32), x[i]);
}
)";

/// For scans along strided memory: adjacent threads take adjacent scans, and warps take consecutive rows.
inline constexpr const char* scan_columns_text = R"(
constexpr int first_kept = rank - kept;
constexpr int across = 32 * vector;

// The last of the tiles before this one whose prefix is known; those between have their totals known. For a warp.
inline long long known_tile(const unsigned* flags, long long tile) {
  const int lane = threadIdx.x % 32;
  for (long long base = tile - 1;;) {
    const long long i = base - lane;
    const unsigned flag = i >= 0 ? flag_of(flags + i) : prefix_known;
    const unsigned known = __ballot_sync(all_lanes, flag == prefix_known);
    const unsigned missing = __ballot_sync(all_lanes, flag == unknown);
    const unsigned nearer = known == 0 ? all_lanes : (known & (0u - known)) - 1u;
    if ((missing & nearer) != 0) continue;
    if (known != 0) return base - (__ffs(known) - 1);
    base -= 32;
  }
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ scan_arguments s) {
  wait_for_results();
  // Strip by strip, so that the tiles above are under way (blocks start in the order of their numbers).
  const unsigned strip = blockIdx.x % static_cast<unsigned>(s.strips);
  const unsigned tile = blockIdx.x / static_cast<unsigned>(s.strips);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const unsigned long long output = static_cast<unsigned long long>(strip) * 32 + lane;
  const unsigned long long first = (static_cast<unsigned long long>(tile) * 8 + warp) * items;
  place start;
  start.valid = 0;
  if (output < s.outputs) locate_vector<first_kept>(p, start, static_cast<index_t>(output));
  place at[items];
  for (int i = 0; i < items; ++i) {
    at[i] = start;
    if (first + i < s.length) {
      locate<0, first_kept>(p, at[i], static_cast<index_t>(first + i));
    } else {
      at[i].valid = 0;
    }
  }
$loads
  A x[items][vector];
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) {
      const A value = e < at[i].valid ? op::lift($compute) : op::identity();
      x[i][e] = i == 0 ? value : op::join(x[i > 0 ? i - 1 : 0][e], value);
    }
  }

  __shared__ alignas(16) unsigned char memory[9 * across * sizeof(A)];
  A* warps = reinterpret_cast<A*>(memory);
  for (int e = 0; e < vector; ++e) warps[warp * across + e * 32 + lane] = x[items - 1][e];
  __syncthreads();
  A offset[vector];
  for (int e = 0; e < vector; ++e) {
    offset[e] = op::identity();
    for (int w = 0; w < warp; ++w) offset[e] = op::join(offset[e], warps[w * across + e * 32 + lane]);
  }
  if (s.tiles > 1) {
    if (warp == 0) {
      const unsigned long long base = static_cast<unsigned long long>(strip) * s.tiles;
      unsigned* flags = reinterpret_cast<unsigned*>(s.flags) + base;
      A* totals = reinterpret_cast<A*>(s.totals) + base * across;
      A* prefixes = reinterpret_cast<A*>(s.prefixes) + base * across;
      const auto place_of = [lane](unsigned long long t, int e) { return t * across + e * 32 + lane; };
      A total[vector];
      A prefix[vector];
      for (int e = 0; e < vector; ++e) {
        prefix[e] = op::identity();
        total[e] = warps[e * 32 + lane];
        for (int w = 1; w < 8; ++w) total[e] = op::join(total[e], warps[w * across + e * 32 + lane]);
      }
      if (tile > 0) {
        for (int e = 0; e < vector; ++e) totals[place_of(tile, e)] = total[e];
        __syncwarp();
        if (lane == 0) raise(flags + tile, total_known);
        const long long known = known_tile(flags, tile);
        __syncwarp();
        for (int e = 0; e < vector; ++e) {
          prefix[e] = prefixes[place_of(known, e)];
          for (long long t = known + 1; t < tile; ++t) prefix[e] = op::join(prefix[e], totals[place_of(t, e)]);
        }
      }
      for (int e = 0; e < vector; ++e) {
        prefixes[place_of(tile, e)] = op::join(prefix[e], total[e]);
        warps[8 * across + e * 32 + lane] = prefix[e];
      }
      __syncwarp();
      if (lane == 0) raise(flags + tile, prefix_known);
    }
    __syncthreads();
    for (int e = 0; e < vector; ++e) offset[e] = op::join(warps[8 * across + e * 32 + lane], offset[e]);
  }
  for (int i = 0; i < items; ++i) {
    for (int e = 0; e < vector; ++e) x[i][e] = op::join(offset[e], x[i][e]);
  }
  for (int i = 0; i < items; ++i) store_vector(p, at[i], x[i]);
}
)";

}}}  // namespace gnp::GNP_ABI::detail
