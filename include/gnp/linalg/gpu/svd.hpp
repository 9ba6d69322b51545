// SPDX-License-Identifier: MIT
// Singular value decompositions on a GPU: which method for which matrix.
//
// cuSOLVER's own choices are not good enough (H200, CUDA 13.0): gesvdj, which PyTorch and JAX use, leaves U and
// V four to forty times further from orthogonal than gesvd; gesvd takes four times as long as gesvdp; gesvdp is
// wrong by more than the matrix itself for float32 of condition 1e6, and by 33 times the tolerance for float64
// of less than full rank, with info = 0. So:
//
//   small (both sides fit a block's shared memory)   one-sided Jacobi, a kernel of gnp's own
//   tall (m >= 2n)                                   Q R first, then R
//   float32, complex64                               eigenvectors of AᴴA in float64, then Q R of A V: below
//   float64, complex128                              gesvdp; gesvd where h_err_sigma says that it perturbed A
//
// AᴴA has A's condition squared, and float64 has more than twice the digits of float32: V and the singular
// values are correct to 1e-8 of the largest, whatever A's rank, and Q R makes U as orthogonal as Householder
// does. 1024 x 1024 float32: 15 ms; gesvdp 26, gesvdj 55.
#pragma once

#include <gnp/linalg/gpu/jacobi.hpp>
#include <gnp/linalg/gpu/tall_qr.hpp>
#include <gnp/linalg/stacks/eigh.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void throw_svd_failure(const char* function, const matrix_stack& s, index_t i, int info) {
  throw_linalg(function, info < 0 ? "array must not contain infs or NaNs" : "the SVD did not converge", s, i);
}

#if GNP_HAS_CUDA

/// One matrix, by the eigenvectors of AᴴA.
template <class W>
void gram_svd(const array<W>& a, const array<W>& u, const array<double>& s, const array<W>& v, bool vectors,
              const factor_status& status) {
  const matrix_stack shape = check_stack(a.shape(), "svd");
  const index_t n = shape.columns;
  const array<W> gram = column_major_empty<W>({n, n}, a.device(), "svd");
  gram.assign(matmul(conj(matrix_transpose(a)), a));
  const array<real_t<W>> squares(shape_t{n}, a.device(), "svd");
  eigh_each(gram, squares, check_stack(gram.shape(), "svd"), vectors, status);
  s.assign(sqrt(maximum(flip(squares), 0.0)));
  if (!vectors) return;
  v.assign(flip(gram, 1));
  const array<W> turned = column_major_empty<W>(a.shape(), a.device(), "svd");
  turned.assign(matmul(a, v));
  const reflections<W> reflected = reflections_on_gpu(turned, shape);
  const array<W> diagonal = turned.view({0, {n}, {shape.rows + 1}});
  const array<double> signs = where(real(diagonal) < 0.0, -1.0, 1.0);
  u.assign(orthogonal_on_gpu(reflected, shape, n) * signs);
}

/// One matrix, by polar decomposition; false if cuSOLVER had to perturb it.
template <class W>
bool polar_svd(const array<W>& a, const array<W>& u, const array<double>& s, const array<W>& v, bool vectors,
               const factor_status& status) {
  if (!vectors && v.size() == 0) {  // gesvdp writes there even when it is told to make no vectors
    const array<W> left = column_major_empty<W>(a.shape(), a.device(), "svd");
    const array<W> right = column_major_empty<W>({a.shape()[1], a.shape()[1]}, a.device(), "svd");
    return polar_svd(a, left, s, right, vectors, status);
  }
  constexpr cuda_data_type type = cuda_type(dtype_of<W>);
  const index_t m = a.shape()[0];
  const index_t n = a.shape()[1];
  const auto mode = vectors ? cusolver_vectors::wanted : cusolver_vectors::none;
  const array<W> work = column_major_copy<W>(a, "svd");
  cusolver_call call(a.device());
  W* matrix = call.writes(work);
  double* values = call.writes(s);
  W* left = call.writes(u);
  W* right = call.writes(v);
  int* info = call.writes(status.on_device());
  std::size_t device_bytes = 0;
  std::size_t host_bytes = 0;
  GNP_CUSOLVER_CALL(cusolverDnXgesvdp_bufferSize, call.handle(), cusolver_params(), mode, 1, m, n, type, matrix,
                    m, cuda_data_type::float64, values, type, left, m, type, right, n, type, &device_bytes,
                    &host_bytes);
  call.reserve(device_bytes, host_bytes);
  double perturbation = 0;
  GNP_CUSOLVER_CALL(cusolverDnXgesvdp, call.handle(), cusolver_params(), mode, 1, m, n, type, matrix, m,
                    cuda_data_type::float64, values, type, left, m, type, right, n, type, call.work(),
                    call.work_bytes(), call.host_work(), call.host_work_bytes(), info, &perturbation);
  // The matrix is scaled to a magnitude of 1.
  return perturbation <= 8 * std::numeric_limits<double>::epsilon();
}

/// One matrix, by bidiagonalisation and QR iterations. For some matrices (all ones, 128 x 128), the error of
/// gesvd's vectors exceeds the tolerance.
template <class W>
void bidiagonal_svd(const array<W>& a, const array<W>& u, const array<double>& s, const array<W>& v,
                    bool vectors, const factor_status& status) {
  constexpr cuda_data_type type = cuda_type(dtype_of<W>);
  const index_t m = a.shape()[0];
  const index_t n = a.shape()[1];
  const auto job = static_cast<signed char>(vectors ? 'S' : 'N');
  const array<W> work = column_major_copy<W>(a, "svd");
  const array<W> vh = column_major_empty<W>({n, n}, a.device(), "svd");
  {
    cusolver_call call(a.device());
    W* matrix = call.writes(work);
    double* values = call.writes(s);
    W* left = call.writes(u);
    W* right = call.writes(vh);
    int* info = call.writes(status.on_device());
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    GNP_CUSOLVER_CALL(cusolverDnXgesvd_bufferSize, call.handle(), cusolver_params(), job, job, m, n, type,
                      matrix, m, cuda_data_type::float64, values, type, left, m, type, right, n, type,
                      &device_bytes, &host_bytes);
    call.reserve(device_bytes, host_bytes);
    GNP_CUSOLVER_CALL(cusolverDnXgesvd, call.handle(), cusolver_params(), job, job, m, n, type, matrix, m,
                      cuda_data_type::float64, values, type, left, m, type, right, n, type, call.work(),
                      call.work_bytes(), call.host_work(), call.host_work_bytes(), info);
  }
  if (!vectors) return;
  v.assign(conj(matrix_transpose(vh)));
  straighten(u);
  straighten(v);
}

/// The type with float32's digits.
template <class W>
using narrow_t = std::conditional_t<is_complex(dtype_of<W>), complex64, float>;

/// A single matrix larger than this is faster with the other methods (H200, CUDA 13.0, 128 x 128: 3.2 and 2.1
/// ms).
inline constexpr index_t largest_alone = 96;

/// One scaled matrix, stored column by column; overwrites it. u, s and v are stored without gaps, u and v
/// column by column. `single`: the matrix has only float32's digits.
template <class W>
void large_svd(const array<W>& a, const array<W>& u, const array<double>& s, const array<W>& v, bool vectors,
               bool single, const factor_status& status) {
  const gpu& device = gpu_at(a.device().ordinal());
  const index_t m = a.shape()[0];
  const index_t n = a.shape()[1];
  const matrix_stack shape = check_stack(a.shape(), "svd");
  if (single && n <= largest_alone && jacobi_fits(device, m, n, dtype_of<narrow_t<W>>)) {
    using narrow_type = narrow_t<W>;
    const array<narrow_type> narrow = column_major_copy<narrow_type>(a.template astype<narrow_type>(), "svd");
    const array<narrow_type> left = column_major_empty<narrow_type>(u.shape(), a.device(), "svd");
    const array<narrow_type> right = column_major_empty<narrow_type>(v.shape(), a.device(), "svd");
    const array<float> values(shape_t{n}, a.device(), "svd");
    jacobi_on_gpu(narrow, shape, values, left, right, vectors, status);
    s.assign(values);
    u.assign(left);
    v.assign(right);
  } else if (n <= largest_alone && jacobi_fits(device, m, n, dtype_of<W>)) {
    jacobi_on_gpu(a, shape, s, u, v, vectors, status);
  } else if (m >= 2 * n) {
    const array<W> r = tall_qr(a);
    const array<W> turn = column_major_empty<W>({n, n}, a.device(), "svd");
    large_svd(r, turn, s, v, vectors, single, status);
    if (vectors) {
      u.assign(matmul(a, turn));
      if (!single) straighten(u);  // for all ones, 700 x 180 float64, its error is 3e-13
    }
  } else if (single) {
    gram_svd(a, u, s, v, vectors, status);
  } else if (!polar_svd(a, u, s, v, vectors, status)) {
    bidiagonal_svd(a, u, s, v, vectors, status);
  }
}

/// Calls finish(u, s, v) with the factors of x (rows >= columns) in the type in which they were computed.
template <class T, class X, class F>
void svd_on_gpu(const X& x, const matrix_stack& s, bool vectors, const char* function, const F& finish) {
  const device where = x.device();
  const gpu& device = activate(where.ordinal());
  const index_t n = s.columns;
  const factor_status status(s.count, where);
  const shape_t u_shape = vectors ? s.with(s.rows, n) : s.with(0, 0);
  const shape_t v_shape = vectors ? s.with(n, n) : s.with(0, 0);
  if (jacobi_fits(device, s.rows, n, dtype_of<T>) && (s.count > 1 || n <= largest_alone)) {
    const array<T> a = column_major_copy<T>(x, function);
    const array<real_t<T>> singular(s.with(n), where, function);
    const array<T> u = column_major_empty<T>(u_shape, where, function);
    const array<T> v = column_major_empty<T>(v_shape, where, function);
    jacobi_on_gpu(a, s, singular, u, v, vectors, status);
    finish(u, singular, v);
    status.check([&](index_t i, int info) { throw_svd_failure(function, s, i, info); });
    return;
  }
  using W = wide_t<T>;
  const array<W> a = column_major_copy<W>(x, function);
  const array<real_t<W>> singular(s.with(n), where, function);
  const array<W> u = column_major_empty<W>(u_shape, where, function);
  const array<W> v = column_major_empty<W>(v_shape, where, function);
  const array<real_t<W>> undo(s.with(1), where, function);
  const factor_status finite(s.count, where);
  rescale_on_gpu(a, s, undo, finite.on_device());
  constexpr bool single = !std::is_same_v<W, T>;
  for (index_t i = 0; i < s.count; ++i) {
    const factor_status one = status.of(i);
    large_svd(matrix_at(a, i), matrix_at(u, i), vector_at(singular, i), matrix_at(v, i), vectors, single, one);
  }
  singular.assign(singular * undo);
  finish(u, singular, v);
  finite.check([&](index_t i, int) { throw_svd_failure(function, s, i, -1); });
  status.check([&](index_t i, int info) { throw_svd_failure(function, s, i, info); });
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
