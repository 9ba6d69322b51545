// SPDX-License-Identifier: MIT
// Singular value decompositions on the CPU.
#pragma once

#include <algorithm>
#include <functional>
#include <gnp/dense/bidiagonal_divide.hpp>
#include <gnp/dense/bidiagonalise.hpp>
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/linalg/common/status.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

/// One matrix with rows >= columns, which is overwritten: it is made bidiagonal by Householder reflections, and
/// then diagonal by divide and conquer, or by QR iterations if only singular values are wanted.
///
/// Eigen 3.4's own divide and conquer is not reliable: 64 singular values of 1 and 64 of 1e-9 in float32 leave
/// a residual of 1, and a 96 x 96 matrix of ones makes it read outside an array.
template <class T>
bool svd_of_matrix(matrix_map<T> a, T* left, real_t<T>* singular, T* right) {
  using real = real_t<T>;
  const index_t m = a.rows();
  const index_t n = a.cols();
  const bool vectors = left != nullptr;
  const dense_block<T> matrix = block_of(a);
  // A tall matrix is first decomposed into Q R.
  if (m >= 2 * n && n > 1) {
    const reflections_in_panels<T> q = reflect_columns(matrix);
    eigen_matrix<T> r = eigen_matrix<T>::Zero(n, n);
    for (index_t j = 0; j < n; ++j) std::copy_n(matrix.column(j), j + 1, &r(0, j));
    eigen_matrix<T> u(vectors ? n : 0, vectors ? n : 0);
    const bool converged =
        svd_of_matrix<T>(matrix_map<T>(r.data(), n, n), vectors ? u.data() : nullptr, singular, right);
    if (!vectors) return converged;
    const dense_block<T> whole{left, m, n, m};
    parallel_columns(n, m * n, [&](index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k) {
        std::copy_n(&u(0, k), n, whole.column(k));
        std::fill_n(whole.column(k) + n, m - n, T(0));
      }
      q.apply(whole.part(0, begin, m, end - begin));
    });
    return converged;
  }
  bidiagonal_form<T> form = bidiagonalise(matrix);
  if (!vectors) {
    std::vector<double>& d = form.diagonal;
    const bool converged =
        diagonalise(d, form.above, {}, {}, static_cast<double>(std::numeric_limits<real>::epsilon()));
    for (double& x : d) x = std::fabs(x);
    std::sort(d.begin(), d.end(), std::greater<>());
    for (index_t k = 0; k < n; ++k) singular[k] = static_cast<real>(d[static_cast<std::size_t>(k)]);
    return converged;
  }
  const bidiagonal_divide<real> divided(std::move(form.diagonal), std::move(form.above));
  const dense_block<T> u{left, m, n, m};
  const dense_block<T> v{right, n, n, n};
  parallel_columns(n, m * n, [&](index_t begin, index_t end) {
    for (index_t k = begin; k < end; ++k) {
      singular[k] = static_cast<real>(divided.value(k));
      std::copy_n(divided.left(k), n, u.column(k));
      std::fill_n(u.column(k) + n, m - n, T(0));
      std::copy_n(divided.right(k), n, v.column(k));
    }
    form.u.apply(u.part(0, begin, m, end - begin));
    form.v.apply(v.part(0, begin, n, end - begin));
  });
  return divided.converged();
}

#endif

/// Overwrites `a`; a status of -1 says that a matrix is not finite, 1 that it did not converge.
template <class T>
void svd_on_cpu([[maybe_unused]] const array<T>& a, [[maybe_unused]] const matrix_stack& s,
                [[maybe_unused]] const array<T>& u, [[maybe_unused]] const array<real_t<T>>& singular,
                [[maybe_unused]] const array<T>& v, [[maybe_unused]] bool vectors,
                [[maybe_unused]] const factor_status& status, [[maybe_unused]] const char* function) {
#if GNP_HAS_EIGEN
  require_eigen(function);
  const index_t m = s.rows;
  const index_t n = s.columns;
  for_each_matrix(s.count, 20 * m * n * n, [&](index_t i) {
    matrix_map<T> matrix(a.data() + i * m * n, m, n);
    status.data()[i] = matrix.allFinite() ? 0 : -1;
    if (status.data()[i] != 0) return;
    const int exponent = scale_to_one(matrix);
    const bool converged = svd_of_matrix<T>(matrix, vectors ? u.data() + i * m * n : nullptr,
                                            singular.data() + i * n, v.data() + (vectors ? i * n * n : 0));
    for (index_t k = i * n; k < (i + 1) * n; ++k) singular.data()[k] = std::ldexp(singular.data()[k], exponent);
    if (!converged) status.data()[i] = 1;
  });
#else
  throw_no_eigen(function);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
