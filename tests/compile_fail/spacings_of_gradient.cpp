// expect: gnp: gradient is along one axis: a spacing for each is for gnp::gradients
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::zeros({3, 4});
  auto both = gnp::gradients(a, 2.0, 3.0);
#ifndef CONTROL
  auto one = gnp::gradient(a, 2.0, 3.0);
#endif
}
