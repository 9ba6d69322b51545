// expect: gnp: the subscripts of einsum come first: gnp::einsum(
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<double> a = gnp::ones({3, 3});
  gnp::array<double> b = gnp::einsum("ij->ji", a);
  b = gnp::tile({1.0, 2.0}, 3);
  b = gnp::repeat({1.0, 2.0}, 3);
#ifndef CONTROL
  b = gnp::einsum(a, "ij->ji");
  b = gnp::pad(a, 1, 0);
#endif
}
