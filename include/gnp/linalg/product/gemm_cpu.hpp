// SPDX-License-Identifier: MIT
// Matrix products on the CPU, a share of the rows and columns for each thread; and a plain loop for integers,
// and for everything where there is no Eigen.
#pragma once

#include <algorithm>
#include <gnp/cpu/threads.hpp>
#include <gnp/dense/block.hpp>
#include <gnp/linalg/product/gemm_job.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What products are summed in: integers in 32 or 64 bits that may wrap.
template <class T>
using gemm_sum = std::conditional_t<is_integer(dtype_of<T>),
                                    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>, T>;

/// One product, in a plain loop. b's rows are contiguous.
template <class T>
void multiply_plainly(const gemm_job& j, T alpha, T beta) {
  using sum = gemm_sum<T>;
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

#if GNP_HAS_EIGEN
/// The first column of c += alpha a b. The kernels take vectors without gaps.
template <class T>
void multiply_vector(const gemm_job& j, const gemm_form& a, T alpha) {
  const auto* b = reinterpret_cast<const T*>(j.b.data);
  auto* c = reinterpret_cast<T*>(j.c.data);
  std::vector<T> contiguous;
  if (j.b.row != 1) {
    for (index_t k = 0; k < j.k; ++k) contiguous.push_back(b[k * j.b.row]);
    b = contiguous.data();
  }
  const auto* matrix = reinterpret_cast<const T*>(j.a.data);
  if (a.transposed || (j.m == 1 && j.a.column == 1)) {
    add_product<matrix_op::transposed>(c, alpha, {matrix, j.k, j.m, a.leading}, b);
  } else {
    add_product<matrix_op::none>(c, alpha, {matrix, j.m, j.k, a.leading}, b);
  }
}

/// One product; c's columns are contiguous.
template <class T>
void multiply_in_blocks(const gemm_job& j, T alpha, T beta) {
  if (j.m == 1 && j.n > 1 && j.c.column == 1) {
    gemm_job other_way = j;
    transpose(other_way);
    return multiply_in_blocks(other_way, alpha, beta);
  }
  const gemm_form a = form_of(j.m, j.k, j.a.row, j.a.column);
  const gemm_form b = form_of(j.k, j.n, j.b.row, j.b.column);
  const dense_block<T> c{reinterpret_cast<T*>(j.c.data), j.m, j.n, j.n == 1 ? j.m : j.c.column};
  scale_block(c, beta);
  if (j.n == 1 && j.m + j.k >= small_product) return multiply_vector(j, a, alpha);
  const auto stored = [](const char* data, bool transposed, index_t rows, index_t columns, index_t leading) {
    if (transposed) std::swap(rows, columns);
    return dense_block<const T>{reinterpret_cast<const T*>(data), rows, columns, leading};
  };
  const auto x = stored(j.a.data, a.transposed, j.m, j.k, a.leading);
  const auto y = stored(j.b.data, b.transposed, j.k, j.n, b.leading);
  constexpr matrix_op plain = matrix_op::none;
  constexpr matrix_op transposed = matrix_op::transposed;
  if (a.transposed) {
    b.transposed ? add_product<transposed, transposed>(c, alpha, x, y)
                 : add_product<transposed, plain>(c, alpha, x, y);
  } else {
    b.transposed ? add_product<plain, transposed>(c, alpha, x, y) : add_product<plain, plain>(c, alpha, x, y);
  }
}
#endif

/// f(matrix) for each matrix of a stack.
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

/// The first of the rows, or columns, of a part of `length` of them. Parts are of whole blocks, what is left
/// over goes to the last: none is so small that another kernel takes it, so that the number of parts changes no
/// result.
inline constexpr index_t part_block = 16;
constexpr index_t part_begin(index_t length, index_t parts, index_t part) {
  return part == parts ? length : length / part_block * part / parts * part_block;
}

/// Into how many parts of the rows and of the columns to divide a matrix among threads.
struct part_grid {
  index_t rows = 1;
  index_t columns = 1;
};
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
    // To pack a number takes as long as some 16 multiplications; each part packs its rows and columns.
    const double time = height * width + 16 * (height + width);
    if (time < least) {
      least = time;
      best = g;
    }
  }
  return best;
}

/// run(part) for each part of a job that threads share: matrices of a stack, else rectangles of a matrix.
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

#if GNP_HAS_EIGEN
/// By gnp's own kernels and Eigen's: a simplified job of operands that are usable.
template <class T>
void multiply_by_kernels(const gemm_job& j, T alpha, T beta) {
  for_each_part(j, [=](const gemm_job& part) { multiply_in_blocks(part, alpha, beta); });
}
#endif

/// By a plain loop: a job in which b's rows are contiguous.
template <class T>
void multiply_by_loop(gemm_job& j, T alpha, T beta) {
  collapse_batch(j);
  for_each_part(j, [=](const gemm_job& part) { multiply_plainly(part, alpha, beta); });
}

}}}  // namespace gnp::GNP_ABI::detail
