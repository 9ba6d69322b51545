// SPDX-License-Identifier: MIT
// Eigenvalues of general matrices by the machine's LAPACK.
#pragma once

#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/cpu/lapack/lapack.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The library for matrices of n columns, used only if gnp has no code of its own. gnp's code is as fast, and
/// divides the work among threads. The library's time relative to gnp's for float64 (one thread, AVX-512,
/// 2026): 1.1 with 64 columns, 1.1 with 256 (eigenvalues alone 1.3 and 1.25), 1.5 with 1024.
GNP_INLINE const lapack_api* lapack_for_eig(index_t n) {
  return lapack_from(n, (std::numeric_limits<index_t>::max)(), 256 * n);
}

/// Overwrites `a` and fills `values` and, unless it is null, `vectors`. Returns 0 on success. With a work_size
/// of -1, it only stores the required size in the first element of `work`.
template <class T>
int eig_of_matrix(const lapack_api& api, T* a, index_t n, complex_t<T>* values, complex_t<T>* vectors, T* work,
                  lapack_int work_size) {
  using real = real_t<T>;
  const char* const job = vectors != nullptr ? "V" : "N";
  lapack_info info;
  if constexpr (is_complex(dtype_of<T>)) {
    const auto reals = work_space<real>(2 * n);
    api.complex_geev[dtype_of<T>]("N", job, &n, a, &n, values, nullptr, &n, vectors, &n, work, &work_size,
                                  reals.get(), info.address(), 1, 1);
    return info.value("geev");
  } else {
    const auto parts = work_space<real>(2 * n);
    const auto packed = work_space<real>(vectors != nullptr && work_size != -1 ? n * n : 0);
    api.geev[dtype_of<T>]("N", job, &n, a, &n, parts.get(), parts.get() + n, nullptr, &n, packed.get(), &n,
                          work, &work_size, info.address(), 1, 1);
    const int failed = info.value("geev");
    if (failed != 0 || work_size == -1) return failed;
    for (index_t j = 0; j < n; ++j) values[j] = {parts.get()[j], parts.get()[n + j]};
    if (vectors == nullptr) return 0;
    // A pair of conjugate vectors is stored as its real and its imaginary part.
    for (index_t j = 0; j < n; ++j) {
      const bool pair = parts.get()[n + j] != 0;
      const real* const x = packed.get() + j * n;
      complex_t<T>* const out = vectors + j * n;
      for (index_t i = 0; i < n; ++i) {
        out[i] = {x[i], pair ? x[n + i] : real(0)};
        if (pair) out[n + i] = {x[i], -x[n + i]};
      }
      if (pair) ++j;
    }
    return 0;
  }
}

/// The same for each matrix of a stack without gaps, stored column by column.
template <class T>
void eig_by_lapack(const lapack_api& api, const array<T>& a, const array<complex_t<T>>& values,
                   const array<complex_t<T>>& vectors, const matrix_stack& s, bool wanted,
                   const eigen_status& status) {
  const index_t n = s.rows;
  T asked(0);
  eig_of_matrix(api, a.data(), n, values.data(), wanted ? vectors.data() : nullptr, &asked, -1);
  const lapack_int work_size = asked_size(asked);
  for_each_by_lapack(api, s.count, 25 * n * n * n, [&](index_t i) {
    T* const matrix = a.data() + i * n * n;
    complex_t<T>* const own_values = values.data() + i * n;
    status.converged().data()[i] = 0;
    const matrix_range range = bring_into_range(matrix, n * n);
    status.finite().data()[i] = range.finite ? 0 : 1;
    if (!range.finite) return;
    const auto work = work_space<T>(work_size);
    status.converged().data()[i] = eig_of_matrix(
        api, matrix, n, own_values, wanted ? vectors.data() + i * n * n : nullptr, work.get(), work_size);
    undo_range(own_values, n, range.exponent);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
