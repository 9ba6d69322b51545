// SPDX-License-Identifier: MIT
// Matrix products on the CPU, with a share of the rows and columns for each thread. Also the plain loop for
// integers, and for all types if there is no Eigen.
#pragma once

#include <algorithm>
#include <gnp/cpu/threads.hpp>
#include <gnp/linalg/product/gemm_job.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The type in which products are summed: for integers, 32 or 64 bits that may wrap.
template <class T>
using gemm_sum = std::conditional_t<is_integer(dtype_of<T>),
                                    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>, T>;

/// The product of integers with a few columns, whose sums stay in registers: loops over so few columns would
/// take longer than their products.
template <int Columns, class T>
void multiply_by_few_columns(const gemm_job& j) {
  using sum = gemm_sum<T>;
  const auto* a = reinterpret_cast<const T*>(j.a.data);
  const auto* const first = reinterpret_cast<const T*>(j.b.data);
  auto* c = reinterpret_cast<T*>(j.c.data);
  const index_t a_step = j.a.column;
  const index_t b_step = j.b.row;
  for (index_t i = 0; i < j.m; ++i, a += j.a.row, c += j.c.row) {
    sum sums[static_cast<std::size_t>(Columns)] = {};
    const T* x = a;
    const T* b = first;
    for (index_t k = 0; k < j.k; ++k, x += a_step, b += b_step) {
      for (int v = 0; v < Columns; ++v) sums[v] += static_cast<sum>(*x) * static_cast<sum>(b[v]);
    }
    for (int v = 0; v < Columns; ++v) c[v * j.c.column] = static_cast<T>(sums[v]);
  }
}

/// One product, in a plain loop. b's rows are contiguous.
template <class T>
void multiply_plainly(const gemm_job& j, T alpha, T beta) {
  using sum = gemm_sum<T>;
  if constexpr (is_integer(dtype_of<T>)) {
    if (j.n == 1) return multiply_by_few_columns<1, T>(j);
    if (j.n == 2) return multiply_by_few_columns<2, T>(j);
    if (j.n == 3) return multiply_by_few_columns<3, T>(j);
    if (j.n == 4) return multiply_by_few_columns<4, T>(j);
  }
  constexpr index_t columns = 512;  // of c at a time, and four rows: the sums stay in the first-level cache
  constexpr index_t rows = 4;
  const auto* a = reinterpret_cast<const T*>(j.a.data);
  const auto* b = reinterpret_cast<const T*>(j.b.data);
  auto* c = reinterpret_cast<T*>(j.c.data);
  sum sums[rows][columns];
  for (index_t j0 = 0; j0 < j.n; j0 += columns) {
    const index_t width = (std::min)(columns, j.n - j0);
    for (index_t i0 = 0; i0 < j.m; i0 += rows) {
      const index_t height = (std::min)(rows, j.m - i0);
      for (index_t r = 0; r < height; ++r) std::fill(sums[r], sums[r] + width, sum());
      for (index_t k = 0; k < j.k; ++k) {
        const T* b_row = b + k * j.b.row + j0;
        for (index_t r = 0; r < height; ++r) {
          const sum x = static_cast<sum>(a[(i0 + r) * j.a.row + k * j.a.column]);
          sum* s = sums[r];
          if constexpr (std::is_same_v<T, bool>) {
            if (!x) continue;
            for (index_t v = 0; v < width; ++v) s[v] |= b_row[v];
          } else {
            for (index_t v = 0; v < width; ++v) s[v] += x * static_cast<sum>(b_row[v]);
          }
        }
      }
      for (index_t r = 0; r < height; ++r) {
        for (index_t v = 0; v < width; ++v) {
          T& out = c[(i0 + r) * j.c.row + (j0 + v) * j.c.column];
          if constexpr (!is_gemm_type_v<T>) {
            out = static_cast<T>(sums[r][v]);
          } else {
            out = beta == T(0) ? alpha * sums[r][v] : alpha * sums[r][v] + beta * out;
          }
        }
      }
    }
  }
}

/// Calls f(matrix) for each matrix of a stack.
template <class F>
void for_each_matrix(const gemm_job& j, index_t first, index_t last, const F& f) {
  gemm_job matrix = j;
  matrix.batch_rank = 0;
  for_each_batch(j, first, last, [&](char* a, char* b, char* c) {
    matrix.a.data = a;
    matrix.b.data = b;
    matrix.c.data = c;
    f(matrix);
  });
}

/// Is it a sum of products for each pair of vectors, which a reduction computes in less time? A single short
/// one would take less than to prepare the reduction.
inline bool is_inner_product(const gemm_job& j) {
  constexpr index_t longest_short = 32;
  return j.m == 1 && j.n == 1 && (j.k > longest_short || j.batch_count() > 1);
}

/// The first row (or column) of a part, where `length` rows are divided into `parts`. Parts consist of whole
/// blocks; the remainder goes to the last part. So no part is so small that it would get another kernel, and
/// the number of parts does not change the result.
inline constexpr index_t part_block = 16;
constexpr index_t part_begin(index_t length, index_t parts, index_t part) {
  return part == parts ? length : length / part_block * part / parts * part_block;
}

/// Into how many parts of the rows and of the columns to divide a matrix among threads.
struct part_grid {
  index_t rows = 1;
  index_t columns = 1;
};
GNP_DECLARED part_grid grid_of(const gemm_job& j, index_t threads);

/// Calls run(part) for each part of a job, on all threads. A part is a matrix of a stack or, if there are few
/// matrices, a rectangle of a matrix.
template <class F>
void for_each_part(const gemm_job& j, const F& run) {
  const index_t threads = thread_count().load(std::memory_order_relaxed);
  const index_t batches = j.batch_count();
  if (batches >= threads) {
    const double work = static_cast<double>(j.m) * static_cast<double>(j.n) * static_cast<double>(j.k);
    return parallel_for(batches, static_cast<index_t>(gemm_grain / (std::max)(work, 1.0)) + 1,
                        [&](index_t first, index_t last) { for_each_matrix(j, first, last, run); });
  }
  const part_grid grid = grid_of(j, threads);
  for_each_matrix(j, 0, batches, [&](const gemm_job& matrix) {
    parallel_for(grid.rows * grid.columns, 1, [&](index_t first, index_t last) {
      for (index_t at = first; at < last; ++at) {
        const index_t row = at % grid.rows;
        const index_t column = at / grid.rows;
        const index_t i = part_begin(j.m, grid.rows, row);
        const index_t v = part_begin(j.n, grid.columns, column);
        gemm_job part = matrix;
        part.m = part_begin(j.m, grid.rows, row + 1) - i;
        part.n = part_begin(j.n, grid.columns, column + 1) - v;
        part.a.data += i * part.a.row * j.itemsize;
        part.b.data += v * part.b.column * j.itemsize;
        part.c.data += (i * part.c.row + v * part.c.column) * j.itemsize;
        run(part);
      }
    });
  });
}

struct lapack_api;
/// The machine's library, if it should compute the product of a simplified job; otherwise null.
GNP_DECLARED const lapack_api* lapack_for_product(const gemm_job& j);
/// c = alpha a b + beta c for each matrix of a simplified job.
template <class T>
void multiply_by_lapack(const lapack_api& api, const gemm_job& j, T alpha, T beta);
/// Computes a simplified job with usable operands, with gnp's own kernels and Eigen's. False if there is no
/// usable Eigen.
template <class T>
bool multiply_by_kernels(const gemm_job& j, T alpha, T beta);

/// Computes a job in which b's rows are contiguous, with a plain loop.
template <class T>
void multiply_by_loop(gemm_job& j, T alpha, T beta) {
  collapse_batch(j);
  for_each_part(j, [=](const gemm_job& part) { multiply_plainly(part, alpha, beta); });
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE part_grid grid_of(const gemm_job& j, index_t threads) {
  const auto m = static_cast<double>(j.m);
  const auto n = static_cast<double>(j.n);
  const double worth = m * n * static_cast<double>(j.k) / gemm_grain;
  const index_t most = worth < static_cast<double>(threads) ? static_cast<index_t>(worth) : threads;
  part_grid best;
  double least = std::numeric_limits<double>::infinity();
  for (index_t some = 1; some <= most; ++some) {
    part_grid g;
    g.rows = std::clamp(j.m / part_block, index_t{1}, some);
    g.columns = std::clamp(j.n / part_block, index_t{1}, most / g.rows);
    const double height = m / static_cast<double>(g.rows);
    const double width = n / static_cast<double>(g.columns);
    // Packing a number takes about as long as 16 multiplications; each part packs its rows and columns.
    const double time = height * width + 16 * (height + width);
    if (time < least) {
      least = time;
      best = g;
    }
  }
  return best;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
