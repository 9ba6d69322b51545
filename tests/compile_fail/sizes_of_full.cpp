// expect: gnp: the shape goes in braces: gnp::full({2, 3}, 1.5)
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::full({3, 4}, 1.5);
#ifndef CONTROL
  x = gnp::full(3, 4, 1.5);
  x = gnp::full<double>(2, 3, 4, 1);
#endif
}
