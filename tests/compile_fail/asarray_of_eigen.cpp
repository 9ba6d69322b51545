// expect: gnp: asarray copies numbers and ranges of numbers, which do not tell how a matrix lies in memory
#if __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#endif
#include <gnp/gnp.hpp>
#include <vector>

#if defined(EIGEN_WORLD_VERSION)
using matrix = Eigen::MatrixXd;
inline auto row_of(const matrix& m) { return m.row(0); }
#else
struct matrix {
  int rows() const { return 2; }
  int cols() const { return 2; }
  const double* begin() const { return values; }
  const double* end() const { return values + 4; }
  double values[4] = {1, 2, 3, 4};
};
inline matrix row_of(const matrix& m) { return m; }
#endif

int main() {
  const matrix m{};
  gnp::array<double> a = gnp::asarray(std::vector<double>{1, 2});
#ifndef CONTROL
  gnp::array<double> b = gnp::asarray(row_of(m));
#endif
}
