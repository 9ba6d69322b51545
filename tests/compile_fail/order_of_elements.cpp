// expect: gnp: there is no order argument: Fortran's order is row-major order of the transposed array
// errors: 5
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({2, 3}).reshape({3, 2}).ravel();
#ifndef CONTROL
  auto shaped = x.reshape({2, 3}, "F");
  auto flat = x.ravel("F");
  auto copied = x.flatten("C");
  auto turned = gnp::reshape(x, {3, 2}, "F");
  auto all = gnp::ravel(x, "F");
#endif
}
