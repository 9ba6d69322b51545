// SPDX-License-Identifier: MIT
// Eigen's factorisations, and how the CPU device runs them over a stack.
#pragma once

#include <algorithm>
#include <cmath>
#include <gnp/cpu/threads.hpp>
#include <gnp/dense/eigen.hpp>
#include <gnp/dense/types.hpp>
#include <limits>

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

namespace gnp { inline namespace GNP_ABI { namespace detail {

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

/// Divides a matrix by a power of two, which is exact, so that its largest element is about 1. Returns the
/// exponent; 0 if the matrix is zero or not finite.
template <class T>
int scale_to_one(matrix_map<T> m) {
  using real = real_t<T>;
  const Eigen::Map<eigen_vector<real>> parts(reinterpret_cast<real*>(m.data()),
                                             m.size() * static_cast<Eigen::Index>(sizeof(T) / sizeof(real)));
  const real peak = parts.cwiseAbs().maxCoeff();
  if (!(peak > 0 && peak <= (std::numeric_limits<real>::max)())) return 0;
  const int exponent = (std::max)(std::ilogb(peak), std::numeric_limits<real>::min_exponent);
  m *= T(std::ldexp(real(1), -exponent));
  return exponent;
}

/// The same, but only if Eigen's LU needs it: it divides complex numbers using squares, which may overflow, and
/// multiplies by the reciprocals of pivots.
template <class T>
int scale_for_lu(matrix_map<T> m) {
  if constexpr (is_complex(dtype_of<T>)) {
    return scale_to_one(m);
  } else {
    using limits = std::numeric_limits<T>;
    const T peak = m.cwiseAbs().maxCoeff();
    const bool near_the_ends =
        peak > 0 && peak <= (limits::max)() && std::abs(std::ilogb(peak)) >= limits::max_exponent / 4;
    return near_the_ends ? scale_to_one(m) : 0;
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Calls f(i) for each matrix of a stack, on all threads; one matrix takes about `work` operations.
template <class F>
void for_each_matrix(std::int64_t count, std::int64_t work, const F& f) {
  const std::int64_t grain = work > 50000 ? 1 : 50000 / (work + 1) + 1;
  parallel_for(count, grain, [&f](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(i);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
