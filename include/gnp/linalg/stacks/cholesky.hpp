// SPDX-License-Identifier: MIT
// cholesky, of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/libraries/cusolver.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/common/finite.hpp>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/common/triangle.hpp>
#include <gnp/linalg/cpu/lapack/cholesky.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Factorises in place the matrices of a stack without gaps, stored column by column, whose lower triangles
/// hold A. A status of 1 or more says which leading minor is not positive, one of -1 that something is not
/// finite.
template <class T>
void cholesky_on_cpu(const array<T>& a, const matrix_stack& s, const factor_status& status) {
  if (const lapack_api* api = lapack_for_cholesky(s.rows)) return cholesky_by_lapack(*api, a, s, "L", status);
#if GNP_HAS_EIGEN
  require_eigen("cholesky");
  const index_t n = s.rows;
  for_each_matrix(s.count, n * n * n / 3, [&](index_t i) {
    matrix_map<T> m(a.data() + i * n * n, n, n);
    const index_t failed = Eigen::internal::llt_inplace<T, Eigen::Lower>::blocked(m);
    status.data()[i] = !m.diagonal().allFinite() ? -1 : failed >= 0 ? static_cast<int>(failed) + 1 : 0;
  });
#else
  throw_no_eigen("cholesky");
#endif
}

#if GNP_HAS_CUDA

// The lower triangle takes half the upper one's time (H200, CUDA 13.0, float32 1024: 0.34 and 0.83 ms).
template <class T>
void cholesky_on_gpu(const array<T>& a, const matrix_stack& s, const factor_status& status) {
  const array<bool> finite = finite_matrices(a, s);
  const index_t n = s.rows;
  constexpr cublas_fill triangle = cublas_fill::lower;
  constexpr cuda_data_type type = cuda_type(dtype_of<T>);
  if (s.count > 1) {
    const array<std::int64_t> matrices = matrix_addresses(a, s);
    cusolver_call call(a.device());
    call.writes(a);
    check_cusolver(cusolver().potrf_batched[dtype_of<T>](call.handle(), triangle, static_cast<int>(n),
                                                         reinterpret_cast<void**>(call.writes(matrices)),
                                                         static_cast<int>(n), call.writes(status.on_device()),
                                                         static_cast<int>(s.count)),
                   "cusolverDnpotrfBatched");
  } else {
    cusolver_call call(a.device());
    T* data = call.writes(a);
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    GNP_CUSOLVER_CALL(cusolverDnXpotrf_bufferSize, call.handle(), cusolver_params(), triangle, n, type, data, n,
                      type, &device_bytes, &host_bytes);
    call.reserve(device_bytes, host_bytes);
    GNP_CUSOLVER_CALL(cusolverDnXpotrf, call.handle(), cusolver_params(), triangle, n, type, data, n, type,
                      call.work(), call.work_bytes(), call.host_work(), call.host_work_bytes(),
                      call.writes(status.on_device()));
  }
  mark_non_finite(finite, status.on_device());
}

#endif

template <class T>
array<T> cholesky_of(const array<T>& x, bool upper) {
  const watched_work watched(
      x.device(), [&] { return facts_of("cholesky", dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  const matrix_stack s = check_square(x.shape(), "cholesky");
  const use_device guard(x.device());
  array<T> result(x.shape(), x.device(), "cholesky");
  if (s.empty()) return result;
  const factor_status status(s.count, x.device());
  const auto check = [&] {
    status.check([&s](index_t i, int info) {
      throw_linalg("cholesky",
                   info < 0 ? "array must not contain infs or NaNs" : "the matrix is not positive definite", s,
                   i);
    });
  };
  const lapack_api* const api = x.device().is_cpu() ? lapack_for_cholesky(s.rows) : nullptr;
  if (api != nullptr) {
    result.assign(x);
    cholesky_row_by_row(*api, result, s, upper, status);
    check();
    return result;
  }
  const array<T> a = column_major_empty<T>(x.shape(), x.device(), "cholesky");
  if (upper) {
    matrix_transpose(a).assign(conj(upper_triangle(x)));
  } else {
    a.assign(lower_triangle(x));
  }
  if (x.device().is_cpu()) {
    cholesky_on_cpu(a, s, status);
  } else {
#if GNP_HAS_CUDA
    cholesky_on_gpu(a, s, status);
#endif
  }
  // The batched functions use the other triangle as work space.
  if (upper) {
    result.assign(conj(upper_triangle(matrix_transpose(a))));
  } else {
    result.assign(lower_triangle(a));
  }
  check();
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
