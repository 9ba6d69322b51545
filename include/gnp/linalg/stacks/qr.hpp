// SPDX-License-Identifier: MIT
// qr, of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/dense/householder.hpp>
#include <gnp/libraries/cusolver.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/common/straighten.hpp>
#include <gnp/linalg/common/triangle.hpp>
#include <gnp/linalg/cpu/lapack/qr.hpp>
#include <gnp/linalg/gpu/finite_text.hpp>
#include <gnp/linalg/gpu/own_kernel.hpp>
#include <gnp/linalg/gpu/reflections_text.hpp>
#include <gnp/linalg/gpu/small_qr.hpp>
#include <gnp/memory/watched_work.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A stack of matrices as geqrf leaves it: R above, the reflections below the diagonal, and their factors.
template <class T>
struct reflections {
  array<T> packed;  // stored column by column
  array<T> factors;
  array<int> vanished;  // 1 if a column depended on those before it, to the last digit
};

#if GNP_HAS_CUDA

/// Overwrites `a`, a stack without gaps stored column by column.
template <class T>
reflections<T> reflections_on_gpu(const array<T>& a, const matrix_stack& s) {
  constexpr cuda_data_type type = cuda_type(dtype_of<T>);
  const index_t m = s.rows;
  const index_t n = s.columns;
  const array<T> tau(s.with(s.least()), a.device(), "qr");
  const array<int> info(shape_t{1}, a.device(), "qr");
  const array<int> vanished = zeros<int>({1});
  cusolver_call call(a.device());
  T* data = call.writes(a);
  T* factors = call.writes(tau);
  std::size_t device_bytes = 0;
  std::size_t host_bytes = 0;
  GNP_CUSOLVER_CALL(cusolverDnXgeqrf_bufferSize, call.handle(), cusolver_params(), m, n, type, data, m, type,
                    factors, type, &device_bytes, &host_bytes);
  call.reserve(device_bytes, host_bytes);
  for (index_t i = 0; i < s.count; ++i) {
    GNP_CUSOLVER_CALL(cusolverDnXgeqrf, call.handle(), cusolver_params(), m, n, type, data + i * m * n, m, type,
                      factors + i * s.least(), type, call.work(), call.work_bytes(), call.host_work(),
                      call.host_work_bytes(), call.writes(info));
  }
  static device_kernel look_at_reflections;
  const CUfunction function = look_at_reflections.on(
      call.device(), [] { return linalg_source(device_real(dtype_of<T>), "", reflections_kernel_text); });
  call.launch(function, blocks_for(s.count * s.least(), 128), data, static_cast<long long>(m),
              static_cast<long long>(n), static_cast<long long>(s.least()), is_complex(dtype_of<T>) ? 2 : 1,
              factors, call.writes(vanished));
  return {a, tau, vanished};
}

/// The first `columns` columns of each Q. Overwrites r.packed if that has enough room.
///
/// Reflections of columns that vanished are nearly parallel, and orgqr multiplies them in blocks: the Q of a
/// matrix of ones, 260 x 250 float32, has an error of 4e-4. Hence straighten().
template <class T>
array<T> orthogonal_on_gpu(const reflections<T>& r, const matrix_stack& s, index_t columns) {
  const index_t m = s.rows;
  const index_t k = s.least();
  array<T> q = r.packed;
  if (columns != s.columns) {
    q = column_major_empty<T>(s.with(m, columns), r.packed.device(), "qr");
    if (columns > k) q.fill(T());  // elements that a library does not read must still be initialised
    q(ellipsis, slice(none, k)) = r.packed(ellipsis, slice(none, k));
  }
  {
    const array<int> info(shape_t{1}, q.device(), "qr");
    cusolver_call call(q.device());
    T* data = call.writes(q);
    const T* factors = call.reads(r.factors);
    const auto rows = static_cast<int>(m);
    const auto wide = static_cast<int>(columns);
    const auto reflected = static_cast<int>(k);
    int work = 0;
    check_cusolver(
        cusolver().orgqr_size[dtype_of<T>](call.handle(), rows, wide, reflected, data, rows, factors, &work),
        "cusolverDnorgqr_bufferSize");
    call.reserve(static_cast<std::size_t>(work) * sizeof(T), 0);
    for (index_t i = 0; i < s.count; ++i) {
      check_cusolver(cusolver().orgqr[dtype_of<T>](call.handle(), rows, wide, reflected, data + i * m * columns,
                                                   rows, factors + i * k, call.work(), work, call.writes(info)),
                     "cusolverDnorgqr");
    }
  }
  if (r.vanished.item() != 0) straighten(q);
  return q;
}

#endif

/// Overwrites `a` with R (and arbitrary values below it), and q (except in mode r) with Q.
template <class T>
void qr_on_cpu(const array<T>& a, const array<T>& q, const matrix_stack& s, index_t columns) {
  if (const lapack_api* api = lapack_for_qr(s)) return qr_by_lapack(*api, a, q, s, columns);
#if GNP_HAS_EIGEN
  require_eigen("qr");
  const index_t m = s.rows;
  const index_t n = s.columns;
  for_each_matrix(s.count, 2 * m * n * s.least(), [&](index_t i) {
    matrix_map<T> matrix(a.data() + i * m * n, m, n);
    // Scaled, because a column whose square underflows would count as zero.
    const int exponent = scale_to_one(matrix);
    const reflections_in_panels<T> reflected = reflect_columns(block_of(matrix));
    if (columns > 0) {
      const dense_block<T> orthogonal{q.data() + i * m * columns, m, columns, m};
      scale_block(orthogonal, T(0));
      for (index_t k = 0; k < columns; ++k) orthogonal(k, k) = T(1);
      reflected.apply_to_identity(orthogonal);
    }
    matrix *= T(std::ldexp(real_t<T>(1), exponent));
  });
#else
  throw_no_eigen("qr");
#endif
}

template <class T>
qr_result<T> qr_of(const array<T>& x, qr_mode mode) {
  const watched_work watched(x.device(),
                             [&] { return facts_of("qr", dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  const matrix_stack s = check_stack(x.shape(), "qr");
  const index_t k = s.least();
  const index_t kept = mode == qr_mode::complete ? s.rows : k;  // rows of R, columns of Q
  const index_t columns = mode == qr_mode::r ? 0 : kept;
  const array<T> packed = column_major_copy<T>(x, "qr");
  array<T> q(shape_t{0}, x.device());
  if (s.empty()) {
    // Nothing to reflect: Q is the identity.
    if (columns > 0 || mode != qr_mode::r) {
      q = array<T>(s.with(s.rows, columns), x.device(), "qr");
      q.assign(eye<T>(s.rows, columns));
    }
    return {q, filled<T>(s.with(kept, s.columns), T(), x.device(), "qr")};
  }
  const auto triangle = [&](const array<T>& a) {
    return array<T>(upper_triangle(a(ellipsis, slice(none, kept), all).eval()));
  };
  array<T> r(shape_t{0}, x.device());
  if (x.device().is_cpu()) {
    if (mode != qr_mode::r) q = column_major_empty<T>(s.with(s.rows, columns), x.device(), "qr");
    qr_on_cpu(packed, q, s, columns);
    r = triangle(packed);
  } else {
#if GNP_HAS_CUDA
    // 1000 matrices of 32 x 32 on an H200 (CUDA 13.0): cuSOLVER one by one 200 ms, JAX 0.93.
    if (small_qr_fits(gpu_at(x.device().ordinal()), s.rows, (std::max)(s.columns, columns), dtype_of<T>)) {
      if (mode != qr_mode::r) q = array<T>(s.with(s.rows, columns), x.device(), "qr");
      r = array<T>(s.with(kept, s.columns), x.device(), "qr");
      small_qr_on_gpu(packed, s, columns, q, kept, r);
      return {q, r};
    }
    const reflections<T> reflected = reflections_on_gpu(packed, s);
    r = triangle(packed);
    if (mode != qr_mode::r) q = orthogonal_on_gpu(reflected, s, columns);
#endif
  }
  return {q.is_contiguous() ? q : q.copy(), r.is_contiguous() ? r : r.copy()};
}

}}}  // namespace gnp::GNP_ABI::detail
