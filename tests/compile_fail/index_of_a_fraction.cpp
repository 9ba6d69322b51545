// expect: gnp: an index is an integer, a slice, all, newaxis, ellipsis, or an array of integers or of bool
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::zeros({3});
#ifndef CONTROL
  auto y = x(1.5);
#else
  auto y = x(1);
#endif
}
