// expect: gnp: asarray copies numbers, ranges of numbers, and Eigen's dense matrices and tensors
#include <gnp/gnp.hpp>

// As a view of a matrix: data() and size() leave out the distance between its elements.
struct strided {
  const double* data() const { return values; }
  int size() const { return 2; }
  double values[4] = {1, 2, 3, 4};
};

int main() {
  const strided every_other;
  gnp::array<double> a = gnp::asarray(every_other.data(), {4});
#ifndef CONTROL
  gnp::array<double> b = gnp::asarray(every_other);
#endif
}
