// SPDX-License-Identifier: MIT
// The kernel shapes of more than one axis, as text. The generator puts the loads of the inputs for $loads, the
// tiles for $tiles and their filling for $fills, the size of a block for $threads, the call of the expression
// for $compute, the condition on which its value is stored for $stored, and the destination's access for
// $access.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Which vectors a thread takes, and where each of them is.
struct vector_places {
  const char* first;   // of a thread
  const char* step;    // to the next
  const char* locate;  // vector n
};
inline constexpr vector_places places_in_rows{
    "static_cast<index_t>(blockIdx.x) * ($threads * items) + threadIdx.x / 32 * (32 * items) + threadIdx.x % "
    "32",
    "32", "locate_vector<copied ? 1 : 0>(p, at, n)"};
inline constexpr vector_places places_in_patches{"first_in_patch(p)", "32",
                                                 "locate_vector<copied ? 1 : 0>(p, at, n)"};
inline constexpr vector_places places_through_rows{
    "first_through_rows(p)", "32 * static_cast<index_t>(p.size[rank - 1])", "locate_through_rows(p, at, n)"};

inline constexpr const char* located_text = R"(
inline place located(const arguments& p, index_t n) {
  place at;
  at.valid = 0;
  if (copied) at.c[0] = 0;
  if (n < static_cast<index_t>(p.count)) $locate;
  return at;
}
)";

/// Threads take vectors one after the other. If there is more than one axis, rows are whole vectors, or vectors
/// run through the ends of rows. If nothing changes along the first axis, a thread stores its result at each
/// place along it.
inline constexpr const char* elementwise_text = R"(
extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ arguments p) {
  wait_for_results();
  // Vectors per thread, a warp's width apart: more than one where a vector is few bytes.
  place at[items];
  const index_t first = $first;
  if (first >= static_cast<index_t>(p.count)) return;
  for (int i = 0; i < items; ++i) at[i] = located(p, first + i * $step);
$loads  for (int i = 0; i < items; ++i) {
    if (at[i].valid == 0) return;
    pack<value_t> result;
    $computed;
    if (!copied && $stored) store<value_t, $access>(p, at[i], result);
    for (; copied && at[i].c[0] < static_cast<offset_t>(p.size[0]); ++at[i].c[0]) store<value_t, $access>(p, at[i], result);
  }
}
)";

/// The same, but a thread takes a vector of each of several consecutive rows, and computes all of them before
/// it stores any, so that what it reads for all of them is loaded once.
inline constexpr const char* rows_above_text = R"(
extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ arguments p) {
  wait_for_results();
  const index_t n = static_cast<index_t>(blockIdx.x) * $threads + threadIdx.x;
  if (n >= static_cast<index_t>(p.count)) return;
  place at[items];
  locate_vector<0>(p, at[0], n);
  at[0].c[0] *= items;
  const offset_t left = static_cast<offset_t>(p.size[0]) - at[0].c[0];
  #pragma unroll
  for (int i = 1; i < items; ++i) {
    at[i] = at[0];
    if (i < left) at[i].c[0] += i;  // or the first row once more, which is not stored
  }
$loads  pack<value_t> result[items];
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    $computed;
  }
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i < left) store<value_t, $access>(p, at[i], result[i]);
  }
}
)";

/// The first vector of a thread if the warps of a block take rows above each other: a stencil's neighbours
/// are then mostly in the block's own cache. What divides by the vectors of the outermost axis, which nothing
/// else needs, divides by a row's patches.
inline constexpr const char* patches_text = R"(
// Past a row's end, and below the last row, it is past all vectors.
inline index_t first_in_patch(const arguments& p) {
  const index_t length = static_cast<index_t>(p.size[rank - 1]);
  const index_t across = (length + 31) / 32;
  const index_t up = divided(static_cast<index_t>(blockIdx.x), static_cast<index_t>(p.magic[0]), static_cast<index_t>(p.shift[0]));
  const index_t row = up * ($threads / 32) + threadIdx.x / 32;
  const index_t column = (static_cast<index_t>(blockIdx.x) - up * across) * 32 + threadIdx.x % 32;
  return column < length ? row * length + column : static_cast<index_t>(p.count);
}
)";

/// The places of a thread's vectors if these run through rows. Their distance is such that all of them begin at
/// the same place in a row, so that what repeats in each row is loaded once.
inline constexpr const char* through_rows_text = R"(
inline index_t first_through_rows(const arguments& p) {
  const index_t warp = static_cast<index_t>(blockIdx.x) * ($threads / 32) + threadIdx.x / 32;
  const index_t together = divided(warp, static_cast<index_t>(p.magic[rank - 1]), static_cast<index_t>(p.shift[rank - 1]));
  const index_t length = static_cast<index_t>(p.size[rank - 1]);
  return (together * items * length + warp - together * length) * 32 + threadIdx.x % 32;
}
inline void locate_through_rows(const arguments& p, place& at, index_t n) {
  at.c[0] = 0;
  at.c[rank - 1] = static_cast<offset_t>(n) * vector;
  const offset_t left = static_cast<offset_t>(p.size[0] * p.size[rank - 1]) - at.c[rank - 1];
  at.valid = static_cast<int>(left < vector ? left : vector);
}
)";

/// Square tiles of the last two axes. Transposed inputs are read into shared memory along the second to last
/// axis. Everything else proceeds along the last axis, so that both sides of the transposition move whole
/// vectors.
inline constexpr const char* tiles_text = R"(
constexpr int edge = $edge;
constexpr int x = rank - 1;
constexpr int y = rank - 2;
constexpr int rows_at_once = 256 * vector / edge;

// One element more than the edge per row keeps the elements of a column in different banks.
template <class T> struct tile {
  alignas(16) unsigned char memory[edge * (edge + 1) * sizeof(T)];
  T* row(int i) { return reinterpret_cast<T*>(memory) + i * (edge + 1); }
};

inline place corner_of_tile(const arguments& p, unsigned long long n) {
  place corner;
  const unsigned long long tiles_x = (p.size[x] + edge - 1) / edge;
  const unsigned long long tiles_y = (p.size[y] + edge - 1) / edge;
  corner.c[x] = static_cast<offset_t>(n % tiles_x) * edge;
  n /= tiles_x;
  corner.c[y] = static_cast<offset_t>(n % tiles_y) * edge;
  n /= tiles_y;
  #pragma unroll
  for (int d = y - 1; d >= 0; --d) {
    corner.c[d] = static_cast<offset_t>(n % p.size[d]);
    n /= p.size[d];
  }
  return corner;
}

template <class T, int Slot> inline void fill(tile<T>& t, const arguments& p, const place& corner, int first_row, int column) {
  place at = corner;
  at.c[y] += column;
  const offset_t left = static_cast<offset_t>(p.size[y]) - at.c[y];
  at.valid = static_cast<int>(left < vector ? left : vector);
  for (int row = first_row; row < edge; row += rows_at_once) {
    at.c[x] = corner.c[x] + row;
    if (left <= 0 || at.c[x] >= static_cast<offset_t>(p.size[x])) continue;
    pack<T> v;
    load_run(v, reinterpret_cast<const T*>(p.data[Slot]) + offset_of<Slot, transposed>(p, at), at.valid);
    for (int e = 0; e < vector; ++e) t.row(row)[column + e] = v.v[e];
  }
}

// Past the end of the axis, a column repeats an element: what is computed of it is not stored, but has to be computable.
template <class T> inline pack<T> column_of(tile<T>& t, int row, int column, int valid) {
  pack<T> v;
  for (int e = 0; e < vector; ++e) v.v[e] = t.row(e < valid ? column + e : column)[row];
  return v;
}
)";

inline constexpr const char* tile_text = R"(
extern "C" __global__ void __launch_bounds__(256) gnp_kernel(const __grid_constant__ arguments p) {
  wait_for_results();
$tiles  const place corner = corner_of_tile(p, blockIdx.x);
  const int first_row = threadIdx.x / (edge / vector);
  const int column = threadIdx.x % (edge / vector) * vector;
$fills  __syncthreads();

  place at = corner;
  at.c[x] += column;
  const offset_t left = static_cast<offset_t>(p.size[x]) - at.c[x];
  if (left <= 0) return;
  at.valid = static_cast<int>(left < vector ? left : vector);
  for (int row = first_row; row < edge; row += rows_at_once) {
    at.c[y] = corner.c[y] + row;
    if (at.c[y] >= static_cast<offset_t>(p.size[y])) break;
$loads    pack<value_t> result;
    for (int e = 0; e < vector; ++e) result.v[e] = $compute;
    store<value_t, $access>(p, at, result);
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
