// SPDX-License-Identifier: MIT
// Singular value decompositions on the CPU.
#pragma once

#include <algorithm>
#include <functional>
#include <gnp/linalg/bidiagonal_divide.hpp>
#include <gnp/linalg/solvers_eigen.hpp>
#include <gnp/linalg/status.hpp>

namespace gnp::inline GNP_ABI::detail {

#if GNP_HAS_EIGEN

/// One matrix with rows >= columns, which is overwritten: bidiagonal by Householder reflections (Eigen's), then
/// diagonal by divide and conquer, or by QR iterations where values alone are asked for.
///
/// Eigen 3.4's own divide and conquer is not to be trusted: 64 singular values of 1 and 64 of 1e-9 in float32
/// leave a residual of 1, and a 96 x 96 matrix of ones makes it read outside an array.
template <class T>
bool svd_of_matrix(matrix_map<T> a, T* left, real_t<T>* singular, T* right) {
  using real = real_t<T>;
  const index_t m = a.rows();
  const index_t n = a.cols();
  const bool vectors = left != nullptr;
  // A tall matrix goes through Q R first.
  if (m >= 2 * n && n > 1) {
    const Eigen::HouseholderQR<Eigen::Ref<eigen_matrix<T>>> qr(a);
    eigen_matrix<T> r = a.topRows(n).template triangularView<Eigen::Upper>();
    eigen_matrix<T> u(vectors ? n : 0, vectors ? n : 0);
    const bool converged =
        svd_of_matrix<T>(matrix_map<T>(r.data(), n, n), vectors ? u.data() : nullptr, singular, right);
    if (!vectors) return converged;
    matrix_map<T> whole(left, m, n);
    whole.topRows(n) = u;
    whole.bottomRows(m - n).setZero();
    parallel_columns(n, m * n, [&](index_t begin, index_t end) {
      auto columns = whole.middleCols(begin, end - begin);
      columns.applyOnTheLeft(qr.householderQ());
    });
    return converged;
  }
  Eigen::internal::UpperBidiagonalization<eigen_matrix<T>> bidiagonal(a);
  const auto& bands = bidiagonal.bidiagonal();
  std::vector<double> d(static_cast<std::size_t>(n));
  std::vector<double> e(static_cast<std::size_t>(n - 1));
  for (index_t i = 0; i < n; ++i) d[static_cast<std::size_t>(i)] = static_cast<double>(bands.diagonal()(i));
  for (index_t i = 0; i + 1 < n; ++i)
    e[static_cast<std::size_t>(i)] = static_cast<double>(bands.coeffs()(0, i + 1));
  if (!vectors) {
    const bool converged = diagonalise(d, e, {}, {}, static_cast<double>(std::numeric_limits<real>::epsilon()));
    for (double& x : d) x = std::fabs(x);
    std::sort(d.begin(), d.end(), std::greater<>());
    for (index_t k = 0; k < n; ++k) singular[k] = static_cast<real>(d[static_cast<std::size_t>(k)]);
    return converged;
  }
  const bidiagonal_divide<real> divided(std::move(d), std::move(e));
  matrix_map<T> u(left, m, n);
  matrix_map<T> v(right, n, n);
  parallel_columns(n, m * n, [&](index_t begin, index_t end) {
    for (index_t k = begin; k < end; ++k) {
      singular[k] = static_cast<real>(divided.value(k));
      u.col(k).head(n) = divided.left(k).template cast<T>();
      u.col(k).tail(m - n).setZero();
      v.col(k) = divided.right(k).template cast<T>();
    }
    auto of_u = u.middleCols(begin, end - begin);
    auto of_v = v.middleCols(begin, end - begin);
    of_u.applyOnTheLeft(bidiagonal.householderU());
    of_v.applyOnTheLeft(bidiagonal.householderV());
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
  using real = real_t<T>;
  const index_t m = s.rows;
  const index_t n = s.columns;
  for_each_matrix(s.count, 20 * m * n * n, [&](index_t i) {
    matrix_map<T> matrix(a.data() + i * m * n, m, n);
    status.data()[i] = matrix.allFinite() ? 0 : -1;
    if (status.data()[i] != 0) return;
    // Scaled by a power of two, which is exact, to a magnitude of about 1.
    const real peak = matrix.cwiseAbs().maxCoeff();
    const int exponent = peak > 0 ? (std::max)(std::ilogb(peak), std::numeric_limits<real>::min_exponent) : 0;
    matrix *= T(std::ldexp(real(1), -exponent));
    const bool converged = svd_of_matrix<T>(matrix, vectors ? u.data() + i * m * n : nullptr,
                                            singular.data() + i * n, v.data() + (vectors ? i * n * n : 0));
    vector_map<real>(singular.data() + i * n, n) *= std::ldexp(real(1), exponent);
    if (!converged) status.data()[i] = 1;
  });
#else
  throw_no_eigen(function);
#endif
}

}  // namespace gnp::inline GNP_ABI::detail
