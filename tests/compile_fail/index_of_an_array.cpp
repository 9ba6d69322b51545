// expect: gnp: an index is an integer, a slice, all, newaxis, ellipsis, or an array of integers or of bool
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::zeros({3});
#ifndef CONTROL
  auto y = x(gnp::linspace(0, 2, 3));
#else
  auto y = x(gnp::arange(2));
#endif
}
