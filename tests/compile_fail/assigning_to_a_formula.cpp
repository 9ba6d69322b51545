// expect: gnp: this is computed for the statement alone, so that what is assigned to it would be lost: name the array first, gnp::array y = a + b; y(0) = 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  x(gnp::asarray({0, 2})) = 3;
#ifndef CONTROL
  (x + x)(0) = 3;
  (x + x)(x > 1) = x(0);
#endif
}
