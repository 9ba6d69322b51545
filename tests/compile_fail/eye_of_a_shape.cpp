// expect: gnp: rows and columns are two arguments: gnp::eye(3, 4)
// errors: 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x =
      gnp::eye(3) + gnp::eye(3, 3) + gnp::eye(3, 3, 1) + gnp::eye({3}) + gnp::eye(3, {.k = 1});
#ifndef CONTROL
  x = gnp::eye({3, 3});
  x = gnp::eye<double>({3, 3}, 1, "C");
  auto y = gnp::eye<float>({3, 4});
#endif
}
