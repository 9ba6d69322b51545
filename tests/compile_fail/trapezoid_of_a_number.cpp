// expect: gnp: the distance between the samples is given by name
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> y = gnp::arange<double>(4);
  double area = gnp::trapezoid(y, {.dx = 0.5});
#ifndef CONTROL
  area = gnp::trapezoid(y, 0.5);
#endif
  return area < 0 ? 1 : 0;
}
