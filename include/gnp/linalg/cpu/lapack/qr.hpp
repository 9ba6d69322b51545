// SPDX-License-Identifier: MIT
// A = Q R by the machine's LAPACK.
#pragma once

#include <algorithm>
#include <gnp/linalg/cpu/lapack/lapack.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The library for such a stack. Its time relative to gnp's, on one thread (AVX-512, 2026): for float64, 1.1
/// with 16 columns, 0.95 with 32, 1.25 with 256, 1.07 with 1024; for complex128, 0.75 with 16, 0.7 with 256. On
/// sixteen threads, 0.3 with 1024.
GNP_INLINE const lapack_api* lapack_for_qr(const matrix_stack& s) {
  constexpr index_t widest_panel = 256;  // of the work space
  return lapack_from(s.least(), 24, widest_panel * (std::max)(s.rows, s.columns));
}

/// Overwrites `a` with R (and arbitrary values below it), and q with the first `columns` columns of Q, if any.
/// Both are stacks without gaps, stored column by column.
template <class T>
void qr_by_lapack(const lapack_api& api, const array<T>& a, const array<T>& q, const matrix_stack& s,
                  index_t columns) {
  const index_t m = s.rows;
  const index_t n = s.columns;
  const index_t k = s.least();
  const auto reflect = [&](T* matrix, T* tau, T* work, lapack_int size) {
    lapack_info info;
    api.geqrf[dtype_of<T>](&m, &n, matrix, &m, tau, work, &size, info.address());
    info.value("geqrf");
  };
  const auto orthogonal = [&](T* matrix, const T* tau, T* work, lapack_int size) {
    lapack_info info;
    api.orgqr[dtype_of<T>](&m, &columns, &k, matrix, &m, tau, work, &size, info.address());
    info.value("orgqr");
  };
  constexpr lapack_int ask = -1;
  T asked(0);
  reflect(a.data(), nullptr, &asked, ask);
  lapack_int work_size = asked_size(asked);
  if (columns > 0) {
    orthogonal(q.data(), nullptr, &asked, ask);
    work_size = (std::max)(work_size, asked_size(asked));
  }
  for_each_by_lapack(api, s.count, 2 * m * n * k, [&](index_t i) {
    T* const matrix = a.data() + i * m * n;
    const auto tau = work_space<T>(k);
    const auto work = work_space<T>(work_size);
    const matrix_range range = bring_into_range(matrix, m * n);
    reflect(matrix, tau.get(), work.get(), work_size);
    if (columns > 0) {
      T* const own = q.data() + i * m * columns;
      std::copy_n(matrix, m * k, own);
      std::fill(own + m * k, own + m * columns, T());  // elements that are not used must still be initialised
      orthogonal(own, tau.get(), work.get(), work_size);
    }
    undo_range(matrix, m * n, range.exponent);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
