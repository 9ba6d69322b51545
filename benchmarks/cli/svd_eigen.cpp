// SPDX-License-Identifier: MIT
#include <gnp/dense/eigen_solvers.hpp>

#include "factorisations.hpp"
#include "svd_work.hpp"

namespace bench {

template <class T>
void eigen_svd(const hosts<T>& x, hosts<T>& y) {
  const Eigen::BDCSVD<eigen_matrix<T>> svd(mat(x[0]), Eigen::ComputeFullU | Eigen::ComputeFullV);
  mat(y[0]) = svd.matrixU();
  vec(y[1]) = svd.singularValues();
  mat(y[2]) = svd.matrixV().transpose();
}

template void eigen_svd(const hosts<float>&, hosts<float>&);
template void eigen_svd(const hosts<double>&, hosts<double>&);

}  // namespace bench
