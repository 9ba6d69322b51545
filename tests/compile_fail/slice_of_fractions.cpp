// expect: gnp: the bounds of a slice are integers: gnp::slice(0, 2)
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones(6);
  x = x(gnp::slice(0, 2)) + x(gnp::slice(2)) + x(gnp::slice(gnp::none, 4, 2)) + x(gnp::slice());
#ifndef CONTROL
  x = x(gnp::slice(0.5, 2));
  x = x(gnp::slice(x.size() / 2.0));
#endif
}
