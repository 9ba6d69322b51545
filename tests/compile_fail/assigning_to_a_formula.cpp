// expect: gnp: this is a temporary result, so that an assignment to it would have no effect
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  x(gnp::asarray({0, 2})) = 3;
#ifndef CONTROL
  (x + x)(0) = 3;
  (x + x)(x > 1) = x(0);
#endif
}
