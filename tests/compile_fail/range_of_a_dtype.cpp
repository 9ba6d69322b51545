// expect: gnp: the type of the elements is a template argument: write gnp::arange<float>(...)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::arange<double>(3);
#ifndef CONTROL
  x = gnp::arange(3, gnp::dtype::float64);
#endif
}
