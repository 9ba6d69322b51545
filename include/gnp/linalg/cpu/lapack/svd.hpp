// SPDX-License-Identifier: MIT
// Singular value decompositions by the machine's LAPACK: divide and conquer.
#pragma once

#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/cpu/lapack/lapack.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The library for such a stack. Its time relative to gnp's, on one thread (AVX-512, 2026): for float64, 1.1
/// with 16 columns, 0.8 with 32, 0.85 with 64, 1.3 with 256, 1.1 with 1024; for complex128, 0.6 with 32, 0.75
/// with 256. On sixteen threads, 0.5 with 1024.
GNP_INLINE const lapack_api* lapack_for_svd(const matrix_stack& s) {
  return lapack_from(s.least(), 24, 8 * s.least() * s.least() + 256 * (s.rows + s.columns));
}

/// How much of U and Vᴴ is computed, in gesdd's notation.
inline constexpr const char* no_vectors = "N";
inline constexpr const char* thin_vectors = "S";
inline constexpr const char* all_vectors = "A";

/// A = U diag(s) Vᴴ for each matrix of a stack. All are stored column by column, without gaps; `a` is
/// overwritten. A status of -1 says that a matrix is not finite, 1 that it did not converge.
template <class T>
void svd_by_lapack(const lapack_api& api, const array<T>& a, const matrix_stack& s, const array<T>& u,
                   const array<real_t<T>>& singular, const array<T>& vh, const char* vectors,
                   const factor_status& status) {
  using real = real_t<T>;
  const index_t m = s.rows;
  const index_t n = s.columns;
  const index_t k = s.least();
  const bool wanted = vectors != no_vectors;
  const index_t u_columns = wanted ? u.shape().back() : 0;
  const index_t vh_rows = wanted ? vh.shape()[vh.ndim() - 2] : 1;
  const index_t larger = (std::max)(m, n);
  const lapack_int real_size = wanted ? (std::max)(5 * k * k + 5 * k, 2 * larger * k + 2 * k * k + k) : 7 * k;
  const auto decompose = [&](index_t i, T* work, lapack_int work_size, real* reals, lapack_int* integers) {
    lapack_info info;
    T* const left = wanted ? u.data() + i * m * u_columns : nullptr;
    T* const right = wanted ? vh.data() + i * vh_rows * n : nullptr;
    if constexpr (is_complex(dtype_of<T>)) {
      api.complex_gesdd[dtype_of<T>](vectors, &m, &n, a.data() + i * m * n, &m, singular.data() + i * k, left,
                                     &m, right, &vh_rows, work, &work_size, reals, integers, info.address(), 1);
    } else {
      static_cast<void>(reals);
      api.gesdd[dtype_of<T>](vectors, &m, &n, a.data() + i * m * n, &m, singular.data() + i * k, left, &m,
                             right, &vh_rows, work, &work_size, integers, info.address(), 1);
    }
    return info.value("gesdd");
  };
  T asked(0);
  decompose(0, &asked, -1, nullptr, nullptr);
  const lapack_int work_size = asked_size(asked);
  for_each_by_lapack(api, s.count, 20 * larger * k * k, [&](index_t i) {
    const matrix_range range = bring_into_range(a.data() + i * m * n, m * n);
    status.data()[i] = range.finite ? 0 : -1;
    if (!range.finite) return;
    const auto work = work_space<T>(work_size);
    const auto reals = work_space<real>(is_complex(dtype_of<T>) ? real_size : 0);
    const auto integers = work_space<lapack_int>(8 * k);
    status.data()[i] = decompose(i, work.get(), work_size, reals.get(), integers.get()) != 0 ? 1 : 0;
    undo_range(singular.data() + i * k, k, range.exponent);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
