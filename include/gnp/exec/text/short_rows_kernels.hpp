// SPDX-License-Identifier: MIT
// How a block of a row program reads and writes short rows, as text, if each row has one thread. Written for
// the constants of row_program_kernels.hpp.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// For contiguous rows that have one thread each: the rows of a block pass through shared memory.
inline constexpr const char* staged_rows_text = R"(
constexpr int row_length = items * vector;
constexpr int block_length = threads * rows_each * row_length;

// Where a slot's rows are: one after the other's in the same place, or, where threads come back for more rows, each
// in a place of its own.
template <int Place> inline uint4* place_of_rows() {
  __shared__ uint4 rows[block_length * $itemsize / 16];
  return rows;
}
template <class T, int Slot> inline T* rows_of_threads() {
  return reinterpret_cast<T*>(place_of_rows<rows_each == 1 ? 0 : Slot>());
}

// The elements of a block's rows: where among them a thread's begin, how many of them there are, after how many.
inline int first_of_thread(int part) { return (part * threads + threadIdx.x) * row_length; }
inline index_t elements_before() { return static_cast<index_t>(blockIdx.x) * block_length; }
inline int elements_here(const row_arguments& r) {
  const index_t left = static_cast<index_t>(r.rows) * row_length - elements_before();
  return left < block_length ? static_cast<int>(left) : block_length;
}

// Copies them: whole vectors, and what is left of the last row.
template <class T> inline void copy_rows(T* to, const T* from, int count) {
  constexpr int each = 16 / sizeof(T);
  constexpr int most = (rows_each * row_length + each - 1) / each;
  const int whole_vectors = count / each;
  uint4 x[most];
  for (int i = 0; i < most; ++i) {
    const int n = i * threads + threadIdx.x;
    if (n < whole_vectors) x[i] = reinterpret_cast<const uint4*>(from)[n];
  }
  for (int i = 0; i < most; ++i) {
    const int n = i * threads + threadIdx.x;
    if (n < whole_vectors) reinterpret_cast<uint4*>(to)[n] = x[i];
  }
  const int n = whole_vectors * each + threadIdx.x;
  if (n < count) to[n] = from[n];
}

template <class T, int Slot> inline void load_rows(const arguments& p, const row_arguments& r, pack<T> (&x)[items], int part) {
  if (part == 0) {
    copy_rows(rows_of_threads<T, Slot>(), reinterpret_cast<const T*>(p.data[Slot]) + elements_before(), elements_here(r));
    __syncthreads();
  }
  // Threads after the last row take the first one, as its elements are some that may be indices.
  const int first = first_of_thread(part) < elements_here(r) ? first_of_thread(part) : 0;
  for (int i = 0; i < items; ++i) load_vector(x[i], rows_of_threads<T, Slot>() + first + i * vector);
  if (rows_each == 1) __syncthreads();
}
template <class T> inline void keep(const pack<T>& x, int i, int part) {
  store_vector(rows_of_threads<T, 0>() + first_of_thread(part) + i * vector, x);
}
template <class T> inline void store_rows(const arguments& p, const row_arguments& r) {
  __syncthreads();
  copy_rows(reinterpret_cast<T*>(p.data[0]) + elements_before(), rows_of_threads<const T, 0>(), elements_here(r));
}
)";

}}}  // namespace gnp::GNP_ABI::detail
