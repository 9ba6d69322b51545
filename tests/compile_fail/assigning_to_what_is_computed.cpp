// expect: gnp: this is a temporary result, so that an assignment to it would have no effect
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3, 3});
  x(0) = 3;
#ifndef CONTROL
  matmul(x, x)(0) = 3;
  sum(x, 1)(0) = 3;
#endif
}
