// expect: gnp: ufuncs take arrays, expressions and numbers
#include <gnp/gnp.hpp>
#include <string>

int main() {
  gnp::array<double> x = gnp::eye(3);
  x = gnp::sin(x);
#ifndef CONTROL
  gnp::sin("x");
  gnp::power(x, "2");
  gnp::cos(std::string("x"));
  gnp::eye("3");
#endif
}
