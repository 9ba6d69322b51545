// expect: gnp: asarray copies numbers, ranges of numbers, and Eigen's dense matrices and tensors
#if __has_include(<eigen3/Eigen/SparseCore>)
#include <eigen3/Eigen/SparseCore>
#endif
#include <gnp/gnp.hpp>
#include <vector>

#if defined(EIGEN_WORLD_VERSION)
using matrix = Eigen::SparseMatrix<double>;
#else
struct matrix {
  int rows() const { return 2; }
  int cols() const { return 2; }
  const double* begin() const { return values; }
  const double* end() const { return values + 4; }
  double values[4] = {1, 2, 3, 4};
};
#endif

int main() {
  const matrix m{};
  gnp::array<double> a = gnp::asarray(std::vector<double>{1, 2});
#ifndef CONTROL
  gnp::array<double> b = gnp::asarray(m);
#endif
}
