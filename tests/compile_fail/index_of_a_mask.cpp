// expect: gnp: an index is an integer, a slice, all, newaxis, ellipsis, or an array of integers or of bool
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::zeros({3});
#ifndef CONTROL
  auto y = x(x * 2.0);  // numbers, not truth values
#else
  auto y = x(x > 2.0);
#endif
}
