// SPDX-License-Identifier: MIT
// The reduction kernels, as text. They load and compute elements as every kernel does (access.hpp), gather them
// in registers, and combine states within a group of threads. If several blocks share a result, the one that
// finishes last combines what the others left in memory, always in the same order. Several reductions of the
// same elements are one reduction whose state has a part for each (reduce_source.hpp).
//
// Written for the constants of access.hpp and: kept (axes that stay), items (vectors a thread loads at once).
#pragma once

#include <gnp/cuda/arguments.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel's second parameter.
GNP_KERNEL_ARGUMENTS(
    reduction_arguments,
    unsigned long long outputs = 1;       // in vectors along columns
    unsigned long long length = 1;        // elements of an output; along rows, in vectors
    unsigned long long whole = 1;         // of those, vectors that are full
    unsigned long long rest = 0;          // elements after them in each row, if several rows are an output
    unsigned long long splits = 1;        // blocks that share an output, each a batch in turn
    unsigned long long states = 0;        // memory for a state from each block
    unsigned long long counters = 0;      // an output's blocks that are done; zero before and after
    double parameter[8] = {};             // of each reduction that the kernel makes
    unsigned long long results[8] = {};)  // where those after the first go, in the layout of the first

/// The most axes that reductions of slightly different shapes in one kernel can have.
inline constexpr int most_overhang_axes = 4;

/// The third parameter of a kernel with reductions of slightly different shapes, such as differences along the
/// rows of an array and along its columns: how many elements along each axis all of them have, and how many
/// each of them has.
GNP_KERNEL_ARGUMENTS(overhang_arguments, unsigned long long common[4] = {};
                     unsigned long long extent[8][4] = {};)

/// Elements of a reduction that the others do not have. They are few, so each is located and loaded by itself.
inline constexpr const char* overhang_place_text = R"(
// Along axis d, of the elements that lie past the common ones along `past`, but not along an axis before it.
inline index_t overhang_size(const overhang_arguments& o, int part, int past, int d) {
  const unsigned long long all = o.extent[part][d], common = o.common[d];
  return static_cast<index_t>(d < past ? common : d == past ? all - common : all);
}
inline index_t overhang_count(const overhang_arguments& o, int part, int past) {
  index_t count = 1;
  #pragma unroll
  for (int d = kept; d < rank; ++d) count *= overhang_size(o, part, past, d);
  return count;
}
// Where element n of an output's is; false if it has fewer.
inline bool overhang_place(const overhang_arguments& o, int part, index_t n, place& at) {
  int past = kept;
  #pragma unroll
  for (int d = kept; d < rank; ++d) {
    if (past < d) continue;
    const index_t count = overhang_count(o, part, d);
    if (n < count) continue;
    n -= count;
    past = d + 1;
  }
  if (past == rank) return false;
  at.valid = 1;
  #pragma unroll
  for (int d = rank - 1; d >= kept; --d) {
    const index_t size = overhang_size(o, part, past, d);
    at.c[d] = static_cast<offset_t>(n % size + (d == past ? o.common[d] : 0));
    n /= size;
  }
  return true;
}
)";
inline constexpr const char* overhang_text = R"(
    for (index_t n = split * group + threadIdx.x % group;; n += static_cast<index_t>(r.splits) * group) {
      constexpr int items = 1;
      constexpr int i = 0;
      constexpr int e = 0;
      place at[items];
      at[0] = start;
      if (!overhang_place(o, $k, n, at[0])) break;
$loads      const part_$k::T value[1] = {$compute};
      const offset_t position[1] = {0};
      total.s$k = part_$k::reducer::combine(total.s$k, batch_of<part_$k::reducer>(value, position));
    }
)";

inline constexpr const char* reduction_text = R"(
using state = reducer::state;
inline state state_of(element_t x, offset_t position) {
  const element_t xs[1] = {x};
  const offset_t at[1] = {position};
  return batch_of<reducer>(xs, at);
}

// Has every other block of this output left its states?
inline bool is_last(const reduction_arguments& r, unsigned long long output) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    unsigned* counter = reinterpret_cast<unsigned*>(r.counters) + output;
    last = atomicAdd(counter, 1u) == r.splits - 1;
    if (last) *counter = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
}
)";

/// What the kernels of rows have in common.
inline constexpr const char* reduced_group_text = R"(
constexpr int group = $group;  // threads that share an output

inline state combined_in_group(state total) {
  #pragma unroll
  for (int distance = (group < 32 ? group : 32) / 2; distance > 0; distance /= 2)
    total = reducer::combine(total, from_lane_below(total, distance));
  if constexpr (group > 32) {
    __shared__ alignas(16) unsigned char memory[8 * sizeof(state)];
    state* warps = reinterpret_cast<state*>(memory);
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = total;
    __syncthreads();
    total = threadIdx.x < 8 ? warps[threadIdx.x] : reducer::identity();
    for (int distance = 4; distance > 0; distance /= 2) total = reducer::combine(total, from_lane_below(total, distance));
  }
  return total;
}
)";

/// The states of all blocks of an output, combined by the one that finishes last; false in the others.
inline constexpr const char* reduced_blocks_text = R"(
inline bool combine_blocks(const reduction_arguments& r, unsigned long long output, unsigned split, state& total) {
  state* states = reinterpret_cast<state*>(r.states) + output * r.splits;
  if (threadIdx.x == 0) states[split] = total;
  if (!is_last(r, output)) return false;
  total = reducer::identity();
  #pragma unroll 4
  for (unsigned s = threadIdx.x; s < r.splits; s += 256) total = reducer::combine(total, states[s]);
  total = combined_in_group(total);
  return true;
}
)";

/// Many short rows: a group of threads takes several rows at once, with all elements of each, so that enough
/// data is in flight.
inline constexpr const char* reduce_short_rows_text = R"(
constexpr int rows = $rows;
constexpr int vectors = items;  // of a row that a thread takes

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ reduction_arguments r) {
  wait_for_results();
  constexpr int apart = 256 / group;
  constexpr int items = rows * vectors;
  const int lane = threadIdx.x % group;
  const index_t last = static_cast<index_t>(r.outputs) - 1;
  const index_t first = static_cast<index_t>(blockIdx.x) * (apart * rows) + threadIdx.x / group;
  const index_t length = static_cast<index_t>(r.length);
  place start[rows];
  place at[items];
  for (int row = 0; row < rows; ++row) {
    const index_t output = first + row * apart;
    locate<0, kept>(p, start[row], output < last ? output : last);
    for (int k = 0; k < vectors; ++k) {
      const index_t n = k * group + lane;
      at[row * vectors + k] = start[row];
      locate_vector<kept>(p, at[row * vectors + k], n < length ? n : 0);
      at[row * vectors + k].valid = vector;
    }
  }
$loads  for (int row = 0; row < rows; ++row) {
    element_t values[vectors * vector];
    offset_t positions[vectors * vector];
    for (int k = 0; k < vectors; ++k) {
      const int i = row * vectors + k;
      for (int e = 0; e < vector; ++e) {
        values[k * vector + e] = $compute;
        positions[k * vector + e] = $position;
      }
    }
    state total = batch_of<reducer>(values, positions);
    if (group > 1 && lane >= length) total = reducer::identity();
    if constexpr (group > 1) total = combined_in_group(total);
    if (lane == 0 && first + row * apart <= last) {
      offset_t offset = 0;
      for (int d = 0; d < kept; ++d) offset += start[row].c[d] * static_cast<offset_t>(p.stride[0][d]);
      store_results(p, r, offset, total);
    }
  }
}
)";

/// Elements of an output follow each other in memory: a group of threads walks along them.
inline constexpr const char* reduce_rows_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ reduction_arguments r$more) {
  wait_for_results();
  const unsigned long long tile = r.splits == 1 ? blockIdx.x : blockIdx.x / static_cast<unsigned>(r.splits);
  const unsigned split = r.splits == 1 ? 0 : blockIdx.x % static_cast<unsigned>(r.splits);
  const index_t output = static_cast<index_t>(tile) * (256 / group) + threadIdx.x / group;
  state total = reducer::identity();
  place start;
  if (output < r.outputs) {
    locate<0, kept>(p, start, output);
    const index_t length = static_cast<index_t>(r.length);
    const index_t whole = static_cast<index_t>(r.whole);
    const index_t step = static_cast<index_t>(r.splits) * (items * group);
    index_t n = split * (items * group) + threadIdx.x % group;
    for (; $goes_on; n += step) {
      place at[items];
      for (int i = 0; i < items; ++i) {
        at[i] = start;
        locate_vector<kept>(p, at[i], $next);
        at[i].valid = vector;
      }
$loads      element_t values[items * vector];
      offset_t positions[items * vector];
      for (int i = 0; i < items; ++i) {
        for (int e = 0; e < vector; ++e) {
          values[i * vector + e] = $compute;
          positions[i * vector + e] = $position;
        }
      }
$stores      total = reducer::combine(total, batch_of<reducer>(values, positions));
    }
$then$walk_rest      constexpr int items = 1;
      constexpr int i = 0;
      place at[items];
      at[0] = start;
$locate_rest$loads_of_rest$stores      for (int e = 0; e < vector; ++e) {
        if (e < at[0].valid) total = reducer::combine(total, state_of($compute, $position));
      }
    }
$overhangs  }
  total = combined_in_group(total);
  if constexpr (group == 256) {
    if (r.splits > 1 && !combine_blocks(r, output, split, total)) return;
  }
  if (threadIdx.x % group == 0 && output < r.outputs) {
    offset_t offset = 0;
    for (int d = 0; d < kept; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[0][d]);
    store_results(p, r, offset, total);
  }
}
)";

/// How a thread takes what is left of a row after these rounds: whole vectors and, after them, a shorter one.
/// If several rows make a result, the shorter ones of them all come after all whole vectors, and all blocks of
/// the result share them.
struct row_rest {
  const char* walk;
  const char* locate;
};
inline constexpr row_rest rest_of_row{"    for (; n < length; n += group) {\n",
                                      "      locate_vector<kept>(p, at[0], n);\n"};
inline constexpr row_rest rest_of_rows{
    "    bool in_ends = false;\n"
    "    for (;; n += in_ends ? static_cast<index_t>(r.splits) * group : group) {\n"
    "      if (!in_ends && n >= whole) {\n"
    "        in_ends = true;\n"
    "        n = whole + split * group + threadIdx.x % group;\n"
    "      }\n"
    "      if (n >= length) break;\n",
    "      locate_vector<kept>(p, at[0], in_ends ? (n - whole) * static_cast<index_t>(p.size[rank - 1]) : n);\n"
    "      at[0].valid = vector;\n"
    "      if (in_ends) {\n"
    "        at[0].c[rank - 1] = static_cast<offset_t>(p.size[rank - 1]) * vector;\n"
    "        at[0].valid = static_cast<int>(r.rest);\n"
    "      }\n"};

/// How a thread walks along a row, a few vectors per round. The position of the largest element does not change
/// if an element is taken twice, so in the last round of such a reduction, a thread's first vector replaces
/// those past the end of the row. Other reductions stop before that, and take what is left one by one.
struct row_walk {
  const char* goes_on;
  const char* vector;
  const char* then;
};
inline constexpr row_walk walk_to_the_end{"n + (items - 1) * group < whole", "n + i * group", ""};
inline constexpr row_walk walk_past_the_end{"n < whole", "n + i * group < whole ? n + i * group : n",
                                            "    n = split == 0 ? whole + threadIdx.x % group : length;\n"};

/// To one element, of inputs that lie across each other: blocks take square tiles, one after the other. What
/// lies across passes through shared memory; a thread has a vector in each of `items` rows of a tile.
inline constexpr const char* reduce_tiles_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ reduction_arguments r) {
  wait_for_results();
$tiles  const int first_row = threadIdx.x / (edge / vector);
  const int column = threadIdx.x % (edge / vector) * vector;
  state total = reducer::identity();
  for (unsigned long long n = blockIdx.x; n < r.length; n += r.splits) {
    const place corner = corner_of_tile(p, n);
    const offset_t columns = static_cast<offset_t>(p.size[x]) - corner.c[x];
    const offset_t rows = static_cast<offset_t>(p.size[y]) - corner.c[y];
    place at[items];
    for (int i = 0; i < items; ++i) {
      const int row = first_row + i * rows_at_once;
      at[i] = corner;
      at[i].c[x] += column;
      at[i].c[y] += row;
      at[i].valid = row >= rows || column >= columns ? 0 : columns - column < vector ? static_cast<int>(columns - column) : vector;
    }
$loads    __syncthreads();  // all have taken what they need of the tile before
$fills    __syncthreads();
$columns    if (columns >= edge && rows >= edge) {
      element_t values[items * vector];
      offset_t positions[items * vector];
      for (int i = 0; i < items; ++i) {
        for (int e = 0; e < vector; ++e) {
          values[i * vector + e] = $compute;
          positions[i * vector + e] = $position;
        }
      }
      total = reducer::combine(total, batch_of<reducer>(values, positions));
    } else {
      for (int i = 0; i < items; ++i) {
        for (int e = 0; e < vector; ++e) {
          if (e < at[i].valid) total = reducer::combine(total, state_of($compute, $position));
        }
      }
    }
  }
  total = combined_in_group(total);
  if (r.splits > 1 && !combine_blocks(r, 0, blockIdx.x, total)) return;
  if (threadIdx.x == 0) store_results(p, r, 0, total);
}
)";

/// Elements of an output are strided. Adjacent threads take adjacent outputs. The groups of such threads take
/// different rows: each its own part of all rows, one row after the other ($in_parts), or all groups together,
/// row by row.
inline constexpr const char* reduce_columns_text = R"(
constexpr int across = $group;  // threads side by side
constexpr int above = 256 / across;
constexpr int first_kept = rank - kept;
constexpr bool in_parts = $in_parts;
constexpr int apart = in_parts ? 1 : above;  // the rows that a thread takes at once

// The states of the threads above each other, in those of the lowest row.
inline void combine_rows(state (&total)[vector], int row, int column) {
  if constexpr (above > 1) {
    __shared__ alignas(16) unsigned char memory[256 * vector * sizeof(state)];
    state* states = reinterpret_cast<state*>(memory);
    __syncthreads();
    for (int e = 0; e < vector; ++e) states[(row * vector + e) * across + column] = total[e];
    #pragma unroll
    for (int step = above / 2; step > 0; step /= 2) {
      __syncthreads();
      if (row >= step) continue;
      for (int e = 0; e < vector; ++e) {
        total[e] = reducer::combine(total[e], states[((row + step) * vector + e) * across + column]);
        states[(row * vector + e) * across + column] = total[e];
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ reduction_arguments r) {
  wait_for_results();
  const unsigned long long tile = r.splits == 1 ? blockIdx.x : blockIdx.x / static_cast<unsigned>(r.splits);
  const unsigned split = r.splits == 1 ? 0 : blockIdx.x % static_cast<unsigned>(r.splits);
  const int column = threadIdx.x % across;
  const int row = threadIdx.x / across;
  const index_t output = static_cast<index_t>(tile) * across + column;
  state total[vector];
  for (int e = 0; e < vector; ++e) total[e] = reducer::identity();
  place start;
  start.valid = 0;
  if (output < r.outputs) {
    locate_vector<first_kept>(p, start, output);
$once    const index_t length = static_cast<index_t>(r.length);
    const index_t threads = static_cast<index_t>(r.splits) * above;
    const index_t part = in_parts ? (length + items * threads - 1) / (items * threads) * items : 0;
    const index_t step = in_parts ? items : items * threads;
    index_t n = in_parts ? (split * above + row) * part : split * (items * above) + row;
    const index_t last = in_parts && n + part < length ? n + part : length;
    for (; n + (items - 1) * apart < last; n += step) {
      place at[items];
      for (int i = 0; i < items; ++i) {
        at[i] = start;
        locate<0, first_kept>(p, at[i], n + i * apart);
      }
$loads$unrolled      for (int e = 0; e < vector; ++e) {
        element_t values[items];
        offset_t positions[items];
$unrolled        for (int i = 0; i < items; ++i) {
          values[i] = $compute;
          positions[i] = $position;
        }
        total[e] = reducer::combine(total[e], batch_of<reducer>(values, positions));
      }
    }
    for (; n < last; n += apart) {
      constexpr int items = 1;
      constexpr int i = 0;
      place at[items];
      at[0] = start;
      locate<0, first_kept>(p, at[0], n);
$loads_of_one      for (int e = 0; e < vector; ++e) total[e] = reducer::combine(total[e], state_of($compute, $position));
    }
  }
  combine_rows(total, row, column);
  if (r.splits > 1) {
    // States of threads side by side are side by side.
    constexpr unsigned step = vector * across;
    state* states = reinterpret_cast<state*>(r.states) + static_cast<unsigned long long>(blockIdx.x) * step + column;
    if (row == 0) {
      for (int e = 0; e < vector; ++e) states[e * across] = total[e];
    }
    if (!is_last(r, tile)) return;
    for (int e = 0; e < vector; ++e) total[e] = reducer::identity();
    states -= split * step;
    for (unsigned s = row; s < r.splits; s += above) {
      for (int e = 0; e < vector; ++e) total[e] = reducer::combine(total[e], states[s * step + e * across]);
    }
    combine_rows(total, row, column);
  }
  if (row != 0) return;
  offset_t offset = 0;
  for (int d = first_kept; d < rank; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[0][d]);
  for (int e = 0; e < vector; ++e) {
    if (e < start.valid) {
      store_results(p, r, offset + e * static_cast<offset_t>(p.stride[0][rank - 1]), total[e]);
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
