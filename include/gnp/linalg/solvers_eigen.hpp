// SPDX-License-Identifier: MIT
// Eigen's factorisations, and how the CPU device runs them over a stack.
#pragma once

#include <algorithm>
#include <cmath>
#include <gnp/cpu/threads.hpp>
#include <gnp/linalg/eigen.hpp>
#include <limits>
#include <type_traits>

#if GNP_HAS_EIGEN
#if __has_include(<Eigen/Core>)
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#else
#include <eigen3/Eigen/Cholesky>
#include <eigen3/Eigen/Eigenvalues>
#include <eigen3/Eigen/LU>
#include <eigen3/Eigen/QR>
#include <eigen3/Eigen/SVD>
#endif

namespace gnp::inline GNP_ABI::detail {

template <class T>
using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using eigen_vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
/// A matrix of a stack, stored column by column.
template <class T>
using matrix_map = Eigen::Map<eigen_matrix<T>>;
template <class T>
using vector_map = Eigen::Map<eigen_vector<T>>;
/// A matrix of a stack, stored row by row.
template <class T>
using row_matrix_map = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Multiplies a matrix by a power of two, which is exact, so that its largest entry is about 1, where there is
/// one. Returns the exponent that takes it back.
template <class T>
int scale_to_one(matrix_map<T> matrix) {
  const auto peak = matrix.cwiseAbs().maxCoeff();
  using real = std::remove_const_t<decltype(peak)>;
  const bool usual = peak > 0 && peak <= (std::numeric_limits<real>::max)();
  const int exponent = usual ? (std::max)(std::ilogb(peak), std::numeric_limits<real>::min_exponent) : 0;
  matrix *= T(std::ldexp(real(1), -exponent));
  return exponent;
}

}  // namespace gnp::inline GNP_ABI::detail

#endif

namespace gnp::inline GNP_ABI::detail {

/// f(i) for each matrix of a stack, on all threads; `work` is about the arithmetic that one takes.
template <class F>
void for_each_matrix(std::int64_t count, std::int64_t work, const F& f) {
  const std::int64_t grain = work > 50000 ? 1 : 50000 / (work + 1) + 1;
  parallel_for(count, grain, [&f](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(i);
  });
}

}  // namespace gnp::inline GNP_ABI::detail
