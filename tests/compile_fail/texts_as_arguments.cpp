// expect: gnp: ufuncs take arrays, expressions and numbers
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::eye(3);
  x = gnp::sin(x);
#ifndef CONTROL
  gnp::power(x, "2");
  gnp::eye("3");
#endif
}
