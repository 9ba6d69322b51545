// SPDX-License-Identifier: MIT
// Matrix products by the machine's BLAS.
#pragma once

#include <gnp/linalg/cpu/lapack/lapack.hpp>
#include <gnp/linalg/product/gemm_cpu.hpp>
#include <gnp/linalg/product/small_products.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Vectors and small matrices are left to gnp's own kernels, which are as fast for them. From 64^3 on OpenBLAS
/// is between 0.9 and 1.1 times as fast on one thread (AVX-512, 2026), but shares smaller matrices among
/// threads: float64 128^3 on two 0.058 ms, gnp 0.079.
GNP_INLINE const lapack_api* lapack_for_product(const gemm_job& j) {
  const double work = static_cast<double>(j.m) * static_cast<double>(j.n) * static_cast<double>(j.k);
  const bool worth_it =
      work >= static_cast<double>(gemm_grain) && j.m > 1 && j.n > 1 && !suits_small_products(j);
  index_t largest = (std::max)({j.m, j.n, j.k});
  for (const gemm_operand* o : {&j.a, &j.b, &j.c}) largest = (std::max)({largest, o->row, o->column});
  return lapack_from(worth_it ? 1 : 0, 1, largest);
}

/// Is b a's transpose, the same elements in memory? Then c is symmetric if nothing else is added to it, and
/// BLAS computes only half of it.
GNP_INLINE bool is_by_own_transpose(const gemm_job& j) {
  bool same = j.a.data == j.b.data && j.m == j.n && j.a.row == j.b.column && j.a.column == j.b.row;
  for (int d = 0; d < j.batch_rank; ++d) same = same && j.a.batch[d] == j.b.batch[d];
  return same;
}

/// Copies the lower triangle of a column-major matrix to the upper one, in squares that stay in the cache.
template <class T>
void copy_lower_to_upper(T* c, index_t n, index_t leading) {
  constexpr index_t square = 32;
  for (index_t column = 0; column < n; column += square) {
    const index_t columns_end = (std::min)(column + square, n);
    for (index_t row = column; row < n; row += square) {
      const index_t rows_end = (std::min)(row + square, n);
      for (index_t k = column; k < columns_end; ++k) {
        for (index_t i = (std::max)(row, k + 1); i < rows_end; ++i) c[k + i * leading] = c[i + k * leading];
      }
    }
  }
}

template <class T>
void multiply_by_lapack(const lapack_api& api, const gemm_job& j, T alpha, T beta) {
  const gemm_form a = form_of(j.m, j.k, j.a.row, j.a.column);
  const gemm_form b = form_of(j.k, j.n, j.b.row, j.b.column);
  const index_t c_leading = form_of(j.m, j.n, j.c.row, j.c.column).leading;
  const bool symmetric = beta == T(0) && is_by_own_transpose(j) && a.transposed != b.transposed;
  const auto multiply = [&](const char* a_data, const char* b_data, char* c_data) {
    if (symmetric) {
      api.syrk[dtype_of<T>]("L", a.transposed ? "T" : "N", &j.m, &j.k, &alpha, a_data, &a.leading, &beta,
                            c_data, &c_leading, 1, 1);
      return copy_lower_to_upper(reinterpret_cast<T*>(c_data), j.m, c_leading);
    }
    api.gemm[dtype_of<T>](a.transposed ? "T" : "N", b.transposed ? "T" : "N", &j.m, &j.n, &j.k, &alpha, a_data,
                          &a.leading, b_data, &b.leading, &beta, c_data, &c_leading, 1, 1);
  };
  const index_t batches = j.batch_count();
  const int threads = get_num_threads();
  if (batches < threads) {
    const lapack_call call(*api.library, threads);
    return for_each_batch(j, 0, batches, multiply);
  }
  const lapack_call call(*api.library, 1);
  const double work = static_cast<double>(j.m) * static_cast<double>(j.n) * static_cast<double>(j.k);
  parallel_for(batches, static_cast<index_t>(gemm_grain / (std::max)(work, 1.0)) + 1,
               [&](index_t first, index_t last) { for_each_batch(j, first, last, multiply); });
}

}}}  // namespace gnp::GNP_ABI::detail
