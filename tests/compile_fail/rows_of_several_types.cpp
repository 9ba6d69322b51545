// expect: gnp: an array and formulas in braces become one array first: gnp::max(gnp::stack({x, x * 2}), 0)
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({3});
  gnp::array<double> y = gnp::max({x, x}, 0);
  y = gnp::max(gnp::stack({x, x * 2}), 0);
  y = gnp::sum({x * 2, x * 2}, 0);
#ifndef CONTROL
  y = gnp::max({x, x * 2});
  y = gnp::sum<double>({x, x * 2}, 0);
#endif
}
