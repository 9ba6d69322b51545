// SPDX-License-Identifier: MIT
// A = Q R of one tall matrix on a GPU, by Cholesky if that is accurate, otherwise by Householder reflections.
#pragma once

#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/stacks/cholesky.hpp>
#include <gnp/linalg/stacks/qr.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// a := a R⁻¹ for an upper triangle r; both are stored column by column.
template <class T>
void divide_by_triangle(const array<T>& a, const array<T>& r) {
  const submission work(a.device());
  T* const data = work.writes(a);
  const T* const triangle = work.reads(r);
  const auto m = static_cast<int>(a.shape()[0]);
  const auto n = static_cast<int>(a.shape()[1]);
  const T one(1);
  resource_of<cublas_stream>(work.stream()).with_handle(work, [&](cublas_handle handle) {
    check_cublas(
        cublas().trsm[dtype_of<T>](handle, cublas_side::right, cublas_fill::upper, cublas_operation::as_is,
                                   cublas_diagonal::not_unit, m, n, &one, triangle, n, data, m),
        "cublastrsm");
  });
}

/// The upper triangle r with rᴴ r = aᴴ a. The status says whether aᴴ a is not positive definite.
template <class T>
array<T> cholesky_of_gram(const array<T>& a, const array<T>& gram, const factor_status& status) {
  gram.assign(matmul(conj(matrix_transpose(a)), a));
  const array<T> l = column_major_copy<T>(gram, "svd");
  cholesky_on_gpu(l, check_square(l.shape(), "svd"), status);
  return column_major_copy<T>(conj(upper_triangle(matrix_transpose(l))), "svd");
}

/// Overwrites `a` (m >= n, stored column by column) with Q; returns R.
///
/// CholeskyQR2: R₁ of aᴴa, Q₁ = a R₁⁻¹, and the same again for Q₁. If Q₁ᴴQ₁ is close to the identity, the
/// second step makes Q orthogonal up to rounding. If it is not, `a` was too close to singular, and Householder
/// reflections are used.
/// On an H200 (CUDA 13.0), 100000 x 64 float64: 0.69 ms against geqrf and orgqr's 3.2.
template <class T>
array<T> tall_qr(const array<T>& a) {
  const matrix_stack s = check_stack(a.shape(), "svd");
  const index_t n = s.columns;
  const array<T> q = column_major_copy<T>(a, "svd");
  const array<T> gram(shape_t{n, n}, a.device(), "svd");
  const factor_status status(1, a.device());
  const array<T> first = cholesky_of_gram(q, gram, status);
  bool positive = true;
  status.check([&positive](index_t, int) { positive = false; });
  if (positive) {
    divide_by_triangle(q, first);
    const array<T> second = cholesky_of_gram(q, gram, status);
    const array<real_t<T>> distance = absolute(gram - eye<T>(n));
    status.check([&positive](index_t, int) { positive = false; });
    const real_t<T> farthest = largest_on_gpu(distance);
    if (positive && farthest * static_cast<real_t<T>>(n) < real_t<T>(0.5)) {
      divide_by_triangle(q, second);
      a.assign(q);
      const array<T> r = column_major_empty<T>({n, n}, a.device(), "svd");
      r.assign(matmul(second, first));
      return r;
    }
  }
  const reflections<T> reflected = reflections_on_gpu(a, s);
  const array<T> r = column_major_copy<T>(upper_triangle(a(slice(none, n)).eval()), "svd");
  orthogonal_on_gpu(reflected, s, n);
  return r;
}

/// The same for a matrix of any magnitude; R is NaN if the matrix is not finite.
template <class T>
array<T> tall_qr_of_any(const array<T>& a) {
  const use_device guard(a.device());
  activate(a.device().ordinal());
  const array<real_t<T>> undo(shape_t{1}, a.device(), "svd");
  const factor_status not_finite(1, a.device());
  rescale_on_gpu(a, check_stack(a.shape(), "svd"), undo, not_finite.on_device());
  const array<T> r = tall_qr(a);
  return array<T>(r * where(not_finite.on_device() == 0, undo, std::numeric_limits<real_t<T>>::quiet_NaN()));
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
