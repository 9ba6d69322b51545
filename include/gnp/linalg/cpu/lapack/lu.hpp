// SPDX-License-Identifier: MIT
// A = P L U by the machine's LAPACK, for solve, inv and det.
#pragma once

#include <cstring>
#include <gnp/linalg/common/status.hpp>
#include <gnp/linalg/cpu/lapack/lapack.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The library for matrices of n columns and `columns` right-hand sides. Its time for solve relative to gnp's,
/// on one thread (AVX-512, 2026): for float64, 1.3 with 32 columns, 1.0 with 64, 0.2 with 256; for complex128,
/// 0.8 with 8, 0.6 with 16, 0.3 with 64, 0.15 with 256.
template <class T>
const lapack_api* lapack_for_lu(index_t n, index_t columns = 0) {
  return lapack_from(n, is_complex(dtype_of<T>) ? 12 : 48, (std::max)(n, columns));
}

/// The factors of a square matrix, in its place.
template <class T>
class lapack_lu {
 public:
  lapack_lu(const lapack_api& api, T* a, index_t n)
      : api_(api), a_(a), n_(n), pivots_(static_cast<std::size_t>(n)) {
    lapack_info info;
    api.getrf[dtype_of<T>](&n, &n, a, &n, pivots_.data(), info.address());
    singular_ = info.value("getrf") != 0;
  }

  bool singular() const { return singular_; }

  /// Overwrites b, of `columns` right-hand sides, with the solutions.
  void solve(T* b, index_t columns) const {
    lapack_info info;
    api_.getrs[dtype_of<T>]("N", &n_, &columns, a_, &n_, pivots_.data(), b, &n_, info.address(), 1);
    info.value("getrs");
  }

  /// Was the number of swaps of rows odd?
  bool odd() const {
    bool odd = false;
    for (index_t k = 0; k < n_; ++k) odd = odd != (pivot(k) != k + 1);
    return odd;
  }

 private:
  /// The row that row k was swapped with, from 1.
  index_t pivot(index_t k) const {
    if (api_.library->wide) return pivots_[static_cast<std::size_t>(k)];
    std::int32_t narrow = 0;
    std::memcpy(&narrow, reinterpret_cast<const char*>(pivots_.data()) + k * index_t{sizeof narrow},
                sizeof narrow);
    return narrow;
  }

  const lapack_api& api_;
  T* a_;
  index_t n_;
  std::vector<lapack_int> pivots_;
  bool singular_ = false;
};

/// Overwrites b with the solutions of A X = B; both are stacks without gaps, stored column by column. A status
/// of -1 says that a matrix is not finite, 1 that it is singular.
template <class T>
void solve_by_lapack(const lapack_api& api, const array<T>& a, const matrix_stack& s, const array<T>& b,
                     index_t columns, const factor_status& status) {
  const index_t n = s.rows;
  for_each_by_lapack(api, s.count, n * n * (n + columns), [&](index_t i) {
    T* const matrix = a.data() + i * n * n;
    const matrix_range range = bring_into_range(matrix, n * n);
    status.data()[i] = range.finite ? 0 : -1;
    if (!range.finite) return;
    const lapack_lu<T> lu(api, matrix, n);
    status.data()[i] = lu.singular() ? 1 : 0;
    if (lu.singular() || columns == 0) return;
    T* const right = b.data() + i * n * columns;
    lu.solve(right, columns);
    undo_range(right, n * columns, -range.exponent);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
