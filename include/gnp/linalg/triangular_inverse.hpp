// SPDX-License-Identifier: MIT
// The inverse of a lower triangle.
#pragma once

#include <gnp/linalg/cublas.hpp>
#include <gnp/linalg/solvers_eigen.hpp>
#include <gnp/routines/creation.hpp>

namespace gnp::inline GNP_ABI::detail {

/// Of a square matrix, stored column by column, of which what is above the diagonal is not read.
template <class T>
array<T> inverse_of_lower_triangle(const array<T>& triangle) {
  const index_t n = triangle.shape()[0];
  const array<T> result = column_major_copy<T>(eye<T>(n), "lstsq");
  if (triangle.device().is_cpu()) {
#if GNP_HAS_EIGEN
    const matrix_map<T> l(triangle.data(), n, n);
    matrix_map<T> inverse(result.data(), n, n);
    parallel_columns(n, n * n / 3, [&](index_t begin, index_t end) {
      // The columns from `begin` on are zero above their own diagonal entry.
      auto columns = inverse.block(begin, begin, n - begin, end - begin);
      l.bottomRightCorner(n - begin, n - begin).template triangularView<Eigen::Lower>().solveInPlace(columns);
    });
#else
    throw_no_eigen("lstsq");
#endif
    return result;
  }
#if GNP_HAS_CUDA
  stream_state* stream = current_stream(activate(triangle.device().ordinal()));
  use_on_stream(*triangle.block().get(), stream);
  use_on_stream(*result.block().get(), stream);
  const auto size = static_cast<int>(n);
  const T one(1);
  resource_of<cublas_stream>(stream).with_handle([&](cublas_handle handle) {
    check_cublas(cublas().trsm[dtype_of<T>](handle, cublas_side::left, cublas_fill::lower,
                                            cublas_operation::as_is, cublas_diagonal::not_unit, size, size,
                                            &one, triangle.data(), size, result.data(), size),
                 "cublastrsm");
  });
#endif
  return result;
}

}  // namespace gnp::inline GNP_ABI::detail
