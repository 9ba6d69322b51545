// SPDX-License-Identifier: MIT
// The kernel of a reduction over pairs (exec/reduce/pairs.hpp), as text: a product of matrices with any
// function in the place of the product and any reduction in the place of the sum. A block has a tile of
// results. It copies a few elements of each of its rows and columns to shared memory, and each thread computes
// with all pairs of its `pairs` rows and `pairs` columns.
//
// Written for the constants of reduce_kernels.hpp. The last two of the kept axes are those of rows and columns.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* reduce_pairs_text = R"(
constexpr int pairs = $pairs;
constexpr int tile = 16 * pairs;         // the rows of a block, and its columns
constexpr int step = items * vector;     // elements of each that are in shared memory
constexpr int spaced = step + vector;    // (eight rows of 16-byte vectors are in different banks)

using part_t = typename reducer::part;

// The first element of a row or column along the reduced axis.
template <class T, int Slot> inline const T* beginning(const arguments& p, const place& at) {
  offset_t offset = 0;
  for (int d = 0; d < kept; ++d) offset += at.c[d] * static_cast<offset_t>(p.stride[Slot][d]);
  return reinterpret_cast<const T*>(p.data[Slot]) + offset;
}
template <class T, int Slot> inline T one_from(const arguments& p, const T* from, index_t n) {
  return from[static_cast<offset_t>(n) * static_cast<offset_t>(p.stride[Slot][kept])];
}
template <class T, int Slot, lane_access Access> inline pack<T> several_from(const arguments& p, const T* from, index_t n) {
  pack<T> x;
  if constexpr (Access == run) {
    load_vector(x, from + n);
  } else {
    for (int e = 0; e < vector; ++e) x.v[e] = one_from<T, Slot>(p, from, n + e);
  }
  return x;
}
template <class T> inline pack<T> pack_of(T first) {
  pack<T> x;
  x.v[0] = first;
  return x;
}

extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ reduction_arguments r) {
  wait_for_results();
  const offset_t rows = static_cast<offset_t>(p.size[kept - 2]);
  const offset_t columns = static_cast<offset_t>(p.size[kept - 1]);
  const index_t tiles_across = static_cast<index_t>((columns + tile - 1) / tile);
  const index_t tiles_down = static_cast<index_t>((rows + tile - 1) / tile);
  const index_t block = blockIdx.x;
  const offset_t first_row = static_cast<offset_t>(block / tiles_across % tiles_down) * tile;
  const offset_t first_column = static_cast<offset_t>(block % tiles_across) * tile;
  place start;
  locate<0, kept - 2>(p, start, block / tiles_across / tiles_down);

  // A thread copies one vector of one row and one column. What is beyond the last row or column is computed from the
  // last one, and not stored.
  const bool copies = threadIdx.x < tile * items;
  const int line = copies ? threadIdx.x / items : 0;
  const int place_in_line = threadIdx.x % items * vector;
  start.c[kept - 2] = first_row + line < rows ? first_row + line : rows - 1;
  start.c[kept - 1] = first_column + line < columns ? first_column + line : columns - 1;
$beginnings
  // In a block, a warp computes four rows of eight results.
  const int warp = threadIdx.x / 32;
  const int row = warp / 2 * 4 + threadIdx.x % 32 / 8;
  const int column = warp % 2 * 8 + threadIdx.x % 8;
  state total[pairs][pairs];
  for (int a = 0; a < pairs; ++a) for (int b = 0; b < pairs; ++b) total[a][b] = reducer::identity();
  const index_t length = static_cast<index_t>(r.length);
  const index_t whole = length / step * step;
  // Adds up the values of the k-th vectors in shared memory, which come after `done` others.
  const auto add_vectors = [&](index_t done, int k, part_t (&part)[pairs][pairs]) {
$loads    for (int a = 0; a < pairs; ++a) {
      for (int b = 0; b < pairs; ++b) {
        part_t parts[vector];
        for (int e = 0; e < vector; ++e) parts[e] = reducer::lift($compute);
        #pragma unroll
        for (int left = vector; left > 1; left = (left + 1) / 2) {
          for (int i = 0; i < left / 2; ++i) parts[i] = reducer::join(parts[i], parts[i + (left + 1) / 2]);
        }
        part[a][b] = k == 0 ? parts[0] : reducer::join(part[a][b], parts[0]);
      }
    }
  };
  const auto add_parts = [&](const part_t (&part)[pairs][pairs]) {
    for (int a = 0; a < pairs; ++a) {
      for (int b = 0; b < pairs; ++b) total[a][b] = reducer::combine(total[a][b], reducer::whole(part[a][b]));
    }
  };
  if (whole > 0) {
    const index_t n = place_in_line;
$fetches  }
  for (index_t done = 0; done < whole; done += step) {
    __syncthreads();
    if (copies) {
$copies    }
    __syncthreads();
    if (done + step < whole) {
      const index_t n = done + step + place_in_line;
$fetches    }
    part_t part[pairs][pairs];
    #pragma unroll $unrolled
    for (int k = 0; k < items; ++k) add_vectors(done, k, part);
    add_parts(part);
  }
  if (whole < length) {
    __syncthreads();
    if (copies) {
      for (int i = 0; i < vector; ++i) {
        const index_t n = whole + place_in_line + i < length ? whole + place_in_line + i : length - 1;
$copies_of_one      }
    }
    __syncthreads();
    const int left = static_cast<int>(length - whole);
    if (left >= vector) {
      part_t part[pairs][pairs];
      #pragma unroll 1
      for (int k = 0; k < left / vector; ++k) add_vectors(whole, k, part);
      add_parts(part);
    }
    #pragma unroll 1
    for (int i = left / vector * vector; i < left; ++i) {
$loads_of_one      for (int a = 0; a < pairs; ++a) {
        for (int b = 0; b < pairs; ++b) {
          constexpr int e = 0;
          total[a][b] = reducer::combine(total[a][b], state_of($compute, 0));
        }
      }
    }
  }
  for (int a = 0; a < pairs; ++a) {
    for (int b = 0; b < pairs; ++b) {
      start.c[kept - 2] = first_row + row + a * 16;
      start.c[kept - 1] = first_column + column + b * 16;
      if (start.c[kept - 2] >= rows || start.c[kept - 1] >= columns) continue;
      offset_t offset = 0;
      for (int d = 0; d < kept; ++d) offset += start.c[d] * static_cast<offset_t>(p.stride[0][d]);
      store_results(p, r, offset, total[a][b]);
    }
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
