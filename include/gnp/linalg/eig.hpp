// SPDX-License-Identifier: MIT
// eig and eigvals of general square matrices. Results are complex: a C++ type cannot depend on the values.
#pragma once

#include <gnp/linalg/cusolver.hpp>
#include <gnp/linalg/finite.hpp>
#include <gnp/linalg/solvers_eigen.hpp>
#include <gnp/linalg/status.hpp>

namespace gnp::inline GNP_ABI {

/// Eigenvalues in no order; the columns of eigenvectors, of length 1, belong to them.
template <element T>
struct eig_result {
  array<T> eigenvalues;
  array<T> eigenvectors;
};

namespace detail {

/// Are matrices of n columns decomposed by the host, also where they are on a GPU? cuSOLVER's function works
/// there in good part. On an H200 with 16 cores, in ms: 64 x 64 float32 4.4 to 5.4 against Eigen's 1.4,
/// float64 4.8 to 6.2 against 2.8 to 3.7; 96 x 96 14 against 4.6 and 25 against 10; 128 x 128 15 to 20 against
/// 10 to 13 and 21 to 28 against 25 to 31. Of a stack Eigen takes several at a time.
inline bool host_takes_eig([[maybe_unused]] index_t n) {
#if GNP_HAS_EIGEN
  return n <= 96;
#else
  return false;
#endif
}

template <class T>
void eig_on_cpu([[maybe_unused]] const array<T>& a, [[maybe_unused]] const array<complex_t<T>>& values,
                [[maybe_unused]] const array<complex_t<T>>& vectors, [[maybe_unused]] const matrix_stack& s,
                [[maybe_unused]] bool wanted, [[maybe_unused]] const char* function) {
#if GNP_HAS_EIGEN
  using complex = complex_t<T>;
  using real = real_t<T>;
  const index_t n = s.rows;
  const eigen_status status(s.count, a.device());
  for_each_matrix(s.count, 25 * n * n * n, [&](index_t i) {
    matrix_map<T> m(a.data() + i * n * n, n, n);
    const bool finite = m.allFinite();
    status.finite().data()[i] = finite ? 0 : 1;
    status.converged().data()[i] = 0;
    if (!finite) return;
    // Eigen's iteration does not converge near the ends of the range.
    const int exponent = scale_to_one(m);
    const auto take = [&](const auto& solver) {
      const bool converged = static_cast<int>(solver.info()) == 0;
      status.converged().data()[i] = converged ? 0 : 1;
      if (!converged) return;
      vector_map<complex>(values.data() + i * n, n) =
          solver.eigenvalues() * complex(std::ldexp(real(1), exponent));
      if (!wanted) return;
      matrix_map<complex> v(vectors.data() + i * n * n, n, n);
      v = solver.eigenvectors();
      v.colwise().normalize();
    };
    if constexpr (is_complex(dtype_of<T>)) {
      take(Eigen::ComplexEigenSolver<eigen_matrix<T>>(m, wanted));
    } else {
      take(Eigen::EigenSolver<eigen_matrix<T>>(m, wanted));
    }
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
  // Real matrices have real eigenvectors in cuSOLVER: of a pair of conjugate ones, both parts.
  const array<T> packed = column_major_empty<T>(wanted ? a.shape() : s.with(0, 0), a.device(), function);
  {
    cusolver_call call(a.device());
    T* data = call.use(a);
    T* right = call.use(packed);
    complex_t<T>* w = call.use(values);
    int* info = call.use(status.converged().on_device());
    const auto none_wanted = cusolver_vectors::none;
    const auto mode = wanted ? cusolver_vectors::wanted : none_wanted;
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    GNP_CUSOLVER_CALL(cusolverDnXgeev_bufferSize, call.handle(), cusolver_params(), none_wanted, mode, n, type,
                      data, n, complex_type, w, type, nullptr, n, type, right, n, type, &device_bytes,
                      &host_bytes);
    // Of 1024 x 1024 float64, 223 ms instead of 231 (H200): half the work goes to the host and back.
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

template <class T, class X>
eig_result<complex_t<T>> eig_of(const X& x, bool wanted, const char* function) {
  using complex = complex_t<T>;
  const matrix_stack s = check_square(x.shape(), function);
  const use_device guard(x.device());
#if GNP_HAS_CUDA
  // Before CUDA 12.6 there is no geev.
  const bool on_host = x.device().is_cpu() || host_takes_eig(s.rows) || cusolver().cusolverDnXgeev == nullptr;
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

}  // namespace detail

namespace linalg {

/// Eigenvalues and eigenvectors of each square matrix, always complex.
template <array_like X>
auto eig(const X& x) {
  return detail::eig_of<detail::factor_t<X>>(x, true, "eig");
}

/// The eigenvalues of each square matrix, always complex.
template <array_like X>
auto eigvals(const X& x) {
  return detail::eig_of<detail::factor_t<X>>(x, false, "eigvals").eigenvalues;
}

}  // namespace linalg
}  // namespace gnp::inline GNP_ABI
