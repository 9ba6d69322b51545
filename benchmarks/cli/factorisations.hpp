// SPDX-License-Identifier: MIT
// What the cases of factorisations share.
#pragma once

#include <gnp/dense/eigen_solvers.hpp>

#include "inputs.hpp"

namespace bench {

template <class T>
using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// What gnp's documentation promises of its factorisations.
template <class T>
double factor_tolerance(index_t n) {
  return 30 * eps<T> * std::sqrt(static_cast<double>(n));
}

template <class T>
std::vector<double> as_doubles(const gnp::host_array<T>& h) {
  return {h.begin(), h.end()};
}

}  // namespace bench
