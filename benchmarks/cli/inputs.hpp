// SPDX-License-Identifier: MIT
// The cases' inputs, the same on every machine, and Eigen's view of them.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "work.hpp"

namespace bench {

template <class T>
inline constexpr double eps = static_cast<double>(std::numeric_limits<T>::epsilon());

/// The error that n roundings in random directions add up to, with room.
template <class T>
double rounding(index_t n) {
  return 8 * eps<T> * std::sqrt(static_cast<double>(n));
}

template <class T>
gnp::host_array<T> uniform(const shape_t& shape, unsigned seed, double low = -1, double high = 1) {
  gnp::host_array<T> values(shape);
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<T> draw(static_cast<T>(low), static_cast<T>(high));
  for (T& value : values) value = draw(generator);
  return values;
}

/// -1, 0 and 1. Their sums and sums of squares are exact in any order, so that one element left out shows.
template <class T>
gnp::host_array<T> signs(const shape_t& shape, unsigned seed) {
  gnp::host_array<T> values(shape);
  std::mt19937_64 generator(seed);
  for (T& value : values) value = static_cast<T>(static_cast<int>(generator() >> 40) % 3 - 1);
  return values;
}

/// Matrices lie in memory as gnp's do, so that all contenders read the same bytes. One dimension is a row.
template <class T>
auto mat(const gnp::host_array<T>& h) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const matrix>(h.data(), h.ndim() < 2 ? 1 : h.shape()[0], h.shape()[h.ndim() - 1]);
}
template <class T>
auto mat(gnp::host_array<T>& h) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<matrix>(h.data(), h.ndim() < 2 ? 1 : h.shape()[0], h.shape()[h.ndim() - 1]);
}
template <class T>
auto vec(const gnp::host_array<T>& h) {
  return Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(h.data(), h.size());
}
template <class T>
auto vec(gnp::host_array<T>& h) {
  return Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>(h.data(), h.size());
}

inline const std::vector<index_t> vector_sizes{1000, 10000, 100000, 1000000, 10000000};
inline const std::vector<index_t> matrix_sizes{64, 256, 1024, 4096};
inline constexpr const char* elements = "elements";
inline constexpr const char* rows_and_columns = "rows and columns";

}  // namespace bench
