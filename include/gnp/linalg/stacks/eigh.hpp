// SPDX-License-Identifier: MIT
// eigh, of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/dense/tridiagonalise.hpp>
#include <gnp/libraries/cusolver.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/common/finite.hpp>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/common/triangle.hpp>
#include <gnp/linalg/cpu/lapack/eigh.hpp>
#include <gnp/linalg/gpu/jacobi.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Overwrites `a`, of which only the lower triangles are read, with the eigenvectors if they are wanted.
template <class T>
void eigh_on_cpu(const array<T>& a, const array<real_t<T>>& values, const matrix_stack& s, bool vectors,
                 const char* function) {
  const index_t n = s.rows;
  const eigen_status status(s.count, a.device());
  if (const lapack_api* api = lapack_for_eigh(n)) {
    eigh_by_lapack(*api, a, values, s, vectors, status);
    return status.check(s, function);
  }
#if GNP_HAS_EIGEN
  require_eigen(function);
  for_each_matrix(s.count, 9 * n * n * n, [&](index_t i) {
    matrix_map<T> m(a.data() + i * n * n, n, n);
    const bool finite = m.allFinite();
    status.finite().data()[i] = finite ? 0 : 1;
    status.converged().data()[i] = 0;
    if (!finite) return;
    const int exponent = scale_to_one(m);
    tridiagonal_form<T> form = tridiagonalise(block_of(m));
    if (vectors) {
      m.setIdentity();
      form.q.apply_to_identity(block_of(m));
    }
    const auto info = diagonalise(form, vectors, m);
    status.converged().data()[i] = static_cast<int>(info) == 0 ? 0 : 1;
    for (index_t k = 0; k < n; ++k) values.data()[i * n + k] = std::ldexp(form.diagonal[k], exponent);
  });
  status.check(s, function);
#else
  throw_no_eigen(function);
#endif
}

#if GNP_HAS_CUDA

/// Overwrites `a` with the eigenvectors if they are wanted; does not wait for the GPU.
template <class T>
void eigh_each(const array<T>& a, const array<real_t<T>>& values, const matrix_stack& s, bool vectors,
               const factor_status& status) {
  constexpr cuda_data_type type = cuda_type(dtype_of<T>);
  constexpr cuda_data_type real_type = cuda_type(dtype_of<real_t<T>>);
  const index_t n = s.rows;
  const auto mode = vectors ? cusolver_vectors::wanted : cusolver_vectors::none;
  cusolver_call call(a.device());
  T* data = call.writes(a);
  real_t<T>* w = call.writes(values);
  int* info = call.writes(status.on_device());
  std::size_t device_bytes = 0;
  std::size_t host_bytes = 0;
  if (s.count > 1 && cusolver().cusolverDnXsyevBatched != nullptr) {
    GNP_CUSOLVER_CALL(cusolverDnXsyevBatched_bufferSize, call.handle(), cusolver_params(), mode,
                      cublas_fill::lower, n, type, data, n, real_type, w, type, &device_bytes, &host_bytes,
                      s.count);
    call.reserve(device_bytes, host_bytes);
    GNP_CUSOLVER_CALL(cusolverDnXsyevBatched, call.handle(), cusolver_params(), mode, cublas_fill::lower, n,
                      type, data, n, real_type, w, type, call.work(), call.work_bytes(), call.host_work(),
                      call.host_work_bytes(), info, s.count);
    return;
  }
  GNP_CUSOLVER_CALL(cusolverDnXsyevd_bufferSize, call.handle(), cusolver_params(), mode, cublas_fill::lower, n,
                    type, data, n, real_type, w, type, &device_bytes, &host_bytes);
  call.reserve(device_bytes, host_bytes);
  for (index_t i = 0; i < s.count; ++i) {
    GNP_CUSOLVER_CALL(cusolverDnXsyevd, call.handle(), cusolver_params(), mode, cublas_fill::lower, n, type,
                      data + i * n * n, n, real_type, w + i * n, type, call.work(), call.work_bytes(),
                      call.host_work(), call.host_work_bytes(), info + i);
  }
}

/// Are stacks of matrices of n columns decomposed by the kernel for singular values? On an H200 (CUDA 13.0),
/// 1000 x 32 x 32 float32 take 0.36 ms, cusolverDnXsyevBatched 0.64; 1000 x 48 x 48 take 1.6 ms with both.
template <class T>
bool takes_jacobi(const gpu& device, const matrix_stack& s) {
  constexpr index_t largest = 32;
  return s.count > 1 && (s.rows <= largest || cusolver().cusolverDnXsyevBatched == nullptr) &&
         jacobi_fits(device, s.rows, s.rows, dtype_of<T>);
}

/// The same for a stack of small matrices. A shift makes them positive definite; then their eigenvalues are
/// singular values, and their eigenvectors the right singular vectors.
template <class T>
void eigh_by_jacobi(const array<T>& a, const array<real_t<T>>& values, const matrix_stack& s, bool vectors,
                    const factor_status& status) {
  using real = real_t<T>;
  const index_t n = s.rows;
  const array<T> whole = column_major_empty<T>({s.count, n, n}, a.device(), "eigh");
  const array<T> lower = a.view({0, {s.count, n, n}, column_major_strides({s.count, n, n})});
  whole.assign(lower + conj(matrix_transpose(lower)));
  // The shift is no less than the largest eigenvalue's magnitude. `whole` still has the diagonal twice.
  const array<real> shift = sqrt(sum(square(absolute(whole)), {.axis = {1, 2}})).reshape(shape_t{s.count, 1});
  const array<T> diagonal = whole.view({0, {s.count, n}, {n * n, n + 1}});
  diagonal.assign(diagonal * real(0.5) + shift);
  const shape_t vectors_shape = vectors ? whole.shape() : shape_t{0, 0, 0};
  const array<T> left = column_major_empty<T>(vectors_shape, a.device(), "eigh");
  const array<T> right = column_major_empty<T>(vectors_shape, a.device(), "eigh");
  const array<real> singular(shape_t{s.count, n}, a.device(), "eigh");
  jacobi_on_gpu(whole, check_square(whole.shape(), "eigh"), singular, left, right, vectors, status);
  values.view({0, {s.count, n}, {n, 1}}).assign(flip(singular, 1) - shift);
  if (vectors) lower.assign(flip(right, 2));
}

template <class T>
void eigh_on_gpu(const array<T>& a, const array<real_t<T>>& values, const matrix_stack& s, bool vectors,
                 const char* function) {
  const eigen_status status(s.count, a.device());
  const array<real_t<T>> undo(s.with(1), a.device(), function);
  rescale_on_gpu(a, s, undo, status.finite().on_device());
  if (takes_jacobi<T>(gpu_at(a.device().ordinal()), s)) {
    eigh_by_jacobi(a, values, s, vectors, status.converged());
  } else {
    eigh_each(a, values, s, vectors, status.converged());
  }
  values.assign(values * undo);
  status.check(s, function);
}

#endif

template <class T>
eigh_result<T> eigh_of(const array<T>& x, char uplo, bool vectors, const char* function) {
  const watched_work watched(
      x.device(), [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  const matrix_stack s = check_square(x.shape(), function);
  if (uplo != 'L' && uplo != 'l' && uplo != 'U' && uplo != 'u') {
    throw error(std::string(function) + ": UPLO must be 'L' or 'U', got '" + uplo + "'");
  }
  const use_device guard(x.device());
  const array<real_t<T>> values(s.with(s.rows), x.device(), function);
  // The upper triangle of A stored by rows is the lower one of the conjugate stored by columns.
  const bool upper = uplo == 'U' || uplo == 'u';
  const array<T> a = column_major_empty<T>(x.shape(), x.device(), function);
  if (upper) {
    matrix_transpose(a).assign(upper_triangle(x));
  } else {
    a.assign(lower_triangle(x));
  }
  if (s.empty()) return {values, a};
  if (x.device().is_cpu()) {
    eigh_on_cpu(a, values, s, vectors, function);
  } else {
#if GNP_HAS_CUDA
    eigh_on_gpu(a, values, s, vectors, function);
#endif
  }
  if (!vectors) return {values, array<T>(shape_t{0}, x.device())};
  if constexpr (is_complex(dtype_of<T>)) {
    if (upper) {
      array<T> conjugated(x.shape(), x.device(), function);
      conjugated.assign(conj(a));
      return {values, conjugated};
    }
  }
  return {values, a.is_contiguous() ? a : a.copy()};
}

}}}  // namespace gnp::GNP_ABI::detail
