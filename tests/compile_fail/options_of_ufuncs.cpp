// expect: gnp: a result goes into an array by assignment: write y(gnp::ellipsis) = gnp::add(a, b)
// errors: 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones(6);
  x = gnp::sqrt(x, {});
#ifndef CONTROL
  x = gnp::sqrt(x, {.out = x});
  x = gnp::add(2, x, {.where = x > 0});
  x = gnp::power(x, x, {.dtype = gnp::dtype::float32});
#endif
}
