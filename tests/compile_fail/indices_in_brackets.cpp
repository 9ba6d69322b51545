// expect: gnp: several indices in brackets take C++23: write them in parentheses, a(gnp::all, 0)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<double> x = gnp::zeros({3, 4});
#ifndef CONTROL
  const auto y = x[gnp::all, 0];
#else
  const auto y = x(gnp::all, 0);
#endif
  (void)y;
}
