// expect: gnp: max(x, axis) reduces along an axis; the larger of two, element by element, is gnp::maximum(x, y)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({3});
  x = maximum(x, 1.5);
#ifndef CONTROL
  gnp::array y = gnp::max(x, 1.5);
#endif
}
