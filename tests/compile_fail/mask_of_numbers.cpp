// expect: gnp: .where takes an array of bool: {.where = w != 0}
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<double> x = gnp::ones({3});
  gnp::array<double> y = gnp::sum(x, {.where = x != 0});
#ifndef CONTROL
  y = gnp::sum(x, {.where = x});
#endif
}
