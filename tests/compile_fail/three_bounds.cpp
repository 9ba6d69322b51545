// expect: gnp: clip takes two bounds: a result goes into an array by assignment
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({3}).clip(0, 1);
#ifndef CONTROL
  auto y = x.clip(0, 1, x);
#endif
}
