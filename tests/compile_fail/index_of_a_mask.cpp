// expect: gnp: an index is an integer, a slice, all, newaxis or ellipsis
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::zeros({3});
#ifndef CONTROL
  auto y = x(x > 0.5);
#else
  auto y = x(1);
#endif
}
