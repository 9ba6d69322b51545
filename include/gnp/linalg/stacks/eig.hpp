// SPDX-License-Identifier: MIT
// eig, of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/dense/balance.hpp>
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/dense/schur.hpp>
#include <gnp/dense/schur_vectors.hpp>
#include <gnp/libraries/cusolver.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/common/finite.hpp>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/cpu/lapack/eig.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does the host decompose matrices of n columns, even if they are on a GPU? cuSOLVER's function does much of
/// its work on the host anyway. Measured on an H200: columns, cuSOLVER's time, and the time on one processor of
/// the host relative to it. float32: 64 4.7 ms 0.17, 128 16 ms 0.25, 256 44 ms 0.41, 448 110 ms 0.72, 512 90 ms
/// 0.97, 768 142 ms 1.55; float64: 64 5.4 ms 0.26, 128 23 ms 0.26, 256 48 ms 0.79, 384 70 ms 1.12; complex64
/// and complex128, without cuSOLVER's time: 64 0.69 and 0.58, 128 0.68, 192 0.86, 256 1.37. If there is a
/// stack, the host does several matrices at a time.
template <class T>
bool host_takes_eig([[maybe_unused]] index_t n) {
#if GNP_HAS_EIGEN
  constexpr index_t most = is_complex(dtype_of<T>) ? 192 : sizeof(T) == 4 ? 448 : 288;
  return n <= most;
#else
  return false;
#endif
}

#if GNP_HAS_EIGEN

/// Eigenvalues of the square matrix a, which is overwritten, and its eigenvectors, unless `vectors` is empty.
/// False if the iteration does not converge.
template <class T>
bool eig_of_matrix(const dense_block<T>& a, complex_t<T>* values, const dense_block<complex_t<T>>& vectors) {
  const index_t n = a.columns;
  const bool wanted = vectors.columns > 0;
  const std::vector<real_t<T>> scale = balance(a);
  const auto q = reduce_to_hessenberg(a);
  eigen_matrix<T> z = eigen_matrix<T>::Identity(wanted ? n : 0, wanted ? n : 0);
  if (wanted) q.apply_to_identity(block_of(z));
  if (!schur_iteration<T>(a, block_of(z)).run()) return false;
  for_each_eigenvalue(a, n, [values](index_t i, complex_t<T> value) { values[i] = value; });
  if (!wanted) return true;

  eigen_matrix<T> x(n, n);
  vectors_of_schur_form<T>(a, values, block_of(x)).compute();
  eigen_matrix<T> turned = eigen_matrix<T>::Zero(n, n);
  parallel_columns(n, n * n, [&](index_t first, index_t last) {
    constexpr index_t step = 64;
    for (index_t j = first; j < last; j += step) {
      const index_t columns = (std::min)(step, last - j);
      const index_t rows = (std::min)(j + columns + 1, n);  // the rows below are zero
      add_product<matrix_op::none, matrix_op::none>(block_of(turned).part(0, j, n, columns), T(1),
                                                    block_of(z).part(0, 0, n, rows),
                                                    block_of(x).part(0, j, rows, columns));
    }
  });
  for (index_t j = 0; j < n; ++j) {
    for (index_t i = 0; i < n; ++i) vectors(i, j) = turned(i, j) * scale[static_cast<std::size_t>(i)];
    if constexpr (!is_complex(dtype_of<T>)) {
      if (block_size<T>(a, j) == 1) continue;
      for (index_t i = 0; i < n; ++i) {
        vectors(i, j) += complex_t<T>(0, turned(i, j + 1) * scale[static_cast<std::size_t>(i)]);
        vectors(i, j + 1) = std::conj(vectors(i, j));
      }
      ++j;
    }
  }
  normalise_vectors(vectors);
  return true;
}

#endif

template <class T>
void eig_on_cpu(const array<T>& a, const array<complex_t<T>>& values, const array<complex_t<T>>& vectors,
                const matrix_stack& s, bool wanted, const char* function) {
  const index_t n = s.rows;
  const eigen_status status(s.count, a.device());
  if (const lapack_api* api = lapack_for_eig(n)) {
    eig_by_lapack(*api, a, values, vectors, s, wanted, status);
    return status.check(s, function);
  }
#if GNP_HAS_EIGEN
  require_eigen(function);
  using complex = complex_t<T>;
  for_each_matrix(s.count, 25 * n * n * n, [&](index_t i) {
    matrix_map<T> m(a.data() + i * n * n, n, n);
    const bool finite = m.allFinite();
    status.finite().data()[i] = finite ? 0 : 1;
    status.converged().data()[i] = 0;
    if (!finite) return;
    const int exponent = scale_to_one(m);
    complex* own_values = values.data() + i * n;
    const index_t columns = wanted ? n : 0;
    const dense_block<complex> own_vectors{wanted ? vectors.data() + i * n * n : nullptr, n, columns, n};
    status.converged().data()[i] = eig_of_matrix(block_of(m), own_values, own_vectors) ? 0 : 1;
    vector_map<complex>(own_values, n) *= complex(std::ldexp(real_t<T>(1), exponent));
  });
  status.check(s, function);
#else
  throw_no_eigen(function);
#endif
}

#if GNP_HAS_CUDA

template <class T>
void eig_on_gpu(const array<T>& a, const array<complex_t<T>>& values, const array<complex_t<T>>& vectors,
                const matrix_stack& s, bool wanted, const char* function) {
  constexpr cuda_data_type type = cuda_type(dtype_of<T>);
  constexpr cuda_data_type complex_type = cuda_type(dtype_of<complex_t<T>>);
  const index_t n = s.rows;
  const eigen_status status(s.count, a.device());
  const array<real_t<T>> undo(s.with(1), a.device(), function);
  rescale_on_gpu(a, s, undo, status.finite().on_device());
  // For real matrices cuSOLVER returns real columns: for a pair of conjugate eigenvectors, the real and the
  // imaginary part.
  const array<T> packed = column_major_empty<T>(wanted ? a.shape() : s.with(0, 0), a.device(), function);
  {
    cusolver_call call(a.device());
    T* data = call.writes(a);
    T* right = call.writes(packed);
    complex_t<T>* w = call.writes(values);
    int* info = call.writes(status.converged().on_device());
    const auto none_wanted = cusolver_vectors::none;
    const auto mode = wanted ? cusolver_vectors::wanted : none_wanted;
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    GNP_CUSOLVER_CALL(cusolverDnXgeev_bufferSize, call.handle(), cusolver_params(), none_wanted, mode, n, type,
                      data, n, complex_type, w, type, nullptr, n, type, right, n, type, &device_bytes,
                      &host_bytes);
    // For 1024 x 1024 float64 this takes 223 ms instead of 231 (H200): half the work goes to the host and back.
    call.reserve_page_locked(device_bytes, host_bytes);
    for (index_t i = 0; i < s.count; ++i) {
      GNP_CUSOLVER_CALL(cusolverDnXgeev, call.handle(), cusolver_params(), none_wanted, mode, n, type,
                        data + i * n * n, n, complex_type, w + i * n, type, nullptr, n, type,
                        wanted ? right + i * n * n : nullptr, n, type, call.work(), call.work_bytes(),
                        call.host_work(), call.host_work_bytes(), info + i);
      finish(call.stream());
    }
  }
  status.check(s, function);
  if (wanted) {
    if constexpr (is_complex(dtype_of<T>)) {
      vectors.assign(packed);
    } else {
      // Column k of a pair with positive imaginary part holds the real part, column k + 1 the imaginary one.
      const index_t last = n - 1;
      const array<real_t<T>> part = imag(values).eval();
      const array<T> next = column_major_copy<T>(packed, function);
      const array<T> before = column_major_copy<T>(packed, function);
      next(ellipsis, slice(none, last)).assign(packed(ellipsis, slice(1, none)));
      before(ellipsis, slice(1, none)).assign(packed(ellipsis, slice(none, last)));
      const auto sign_of_part = expand_dims(part, -2);
      const auto upper = sign_of_part > real_t<T>(0);
      const auto lower = sign_of_part < real_t<T>(0);
      const complex_t<T> i(0, 1);
      vectors.assign(where(lower, before, packed) + where(upper, next, where(lower, -packed, T(0))) * i);
    }
  }
  values.assign(values * undo);
}

#endif

template <class T>
eig_result<complex_t<T>> eig_of(const array<T>& x, bool wanted, const char* function) {
  const watched_work watched(
      x.device(), [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  using complex = complex_t<T>;
  const matrix_stack s = check_square(x.shape(), function);
  const use_device guard(x.device());
#if GNP_HAS_CUDA
  // Before CUDA 12.6 there is no geev.
  const bool on_host =
      x.device().is_cpu() || host_takes_eig<T>(s.rows) || cusolver().cusolverDnXgeev == nullptr;
#else
  const bool on_host = true;
#endif
  const device where = on_host ? device::cpu() : x.device();
  const array<complex> values(s.with(s.rows), where, function);
  const array<complex> vectors =
      column_major_empty<complex>(wanted ? x.shape() : s.with(0, 0), where, function);
  if (!s.empty()) {
    const array<T> a = column_major_copy<T>(x.eval().to(where), function);
    if (on_host) {
      eig_on_cpu(a, values, vectors, s, wanted, function);
    } else {
#if GNP_HAS_CUDA
      eig_on_gpu(a, values, vectors, s, wanted, function);
#endif
    }
  }
  return {values.to(x.device()), (vectors.is_contiguous() ? vectors : vectors.copy()).to(x.device())};
}

}}}  // namespace gnp::GNP_ABI::detail
