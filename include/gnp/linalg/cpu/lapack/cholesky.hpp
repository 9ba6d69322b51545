// SPDX-License-Identifier: MIT
// A = L Lᴴ and the inverse of L, by the machine's LAPACK.
#pragma once

#include <algorithm>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/cpu/lapack/lapack.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The library for matrices of n columns. For float64 it takes 0.2 times gnp's time with 16 columns, 0.26 with
/// 256 (one thread, AVX-512, 2026).
inline const lapack_api* lapack_for_cholesky(index_t n) { return lapack_from(n, 16, n); }

/// Factorises in place the matrices of a stack without gaps, of which one triangle holds A: "L" or "U", as seen
/// column by column. A status of 1 or more says which leading minor is not positive, one of -1 that something
/// is not finite.
template <class T>
void cholesky_by_lapack(const lapack_api& api, const array<T>& a, const matrix_stack& s, const char* triangle,
                        const factor_status& status) {
  const index_t n = s.rows;
  for_each_by_lapack(api, s.count, n * n * n / 3, [&](index_t i) {
    T* const matrix = a.data() + i * n * n;
    lapack_info info;
    api.potrf[dtype_of<T>](triangle, &n, matrix, &n, info.address(), 1);
    bool finite = true;
    for (index_t k = 0; k < n; ++k) finite = finite && scalar::isfinite(matrix[k * (n + 1)]);
    status.data()[i] = finite ? info.value("potrf") : -1;
  });
}

/// The same for matrices stored row by row, with zeros in the other triangle. A lower triangle stored row by
/// row is an upper triangle of the conjugate stored column by column. The same is true of its factor, so
/// nothing is moved.
template <class T>
void cholesky_row_by_row(const lapack_api& api, const array<T>& a, const matrix_stack& s, bool upper,
                         const factor_status& status) {
  cholesky_by_lapack(api, a, s, upper ? "L" : "U", status);
  const index_t n = s.rows;
  for (index_t row = 0; row < s.count * n; ++row) {
    T* const elements = a.data() + row * n;
    const index_t diagonal = row % n;
    upper ? std::fill(elements, elements + diagonal, T())
          : std::fill(elements + diagonal + 1, elements + n, T());
  }
}

/// Inverts in place a lower triangle, stored column by column, without a zero on its diagonal.
template <class T>
void invert_triangle_by_lapack(const lapack_api& api, T* triangle, index_t n) {
  const lapack_call call(*api.library, get_num_threads());
  lapack_info info;
  api.trtri[dtype_of<T>]("L", "N", &n, triangle, &n, info.address(), 1, 1);
  info.value("trtri");
}

}}}  // namespace gnp::GNP_ABI::detail
