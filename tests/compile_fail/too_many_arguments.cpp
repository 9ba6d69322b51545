// expect: gnp: dot takes two arrays: a result goes into an array by assignment
// errors: 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({2, 2});
#ifndef CONTROL
  auto y = gnp::dot(x, x, x);
  auto z = gnp::matmul(x, x, x);
  auto out = gnp::matmul(x, x, {.out = y});
#endif
}
