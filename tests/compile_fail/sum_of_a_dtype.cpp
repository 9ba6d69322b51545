// expect: gnp: the type of the elements is a template argument: write gnp::sum<float>(...)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<int> x = gnp::ones<int>({3});
  gnp::array<double> y = gnp::sum<double>(x);
#ifndef CONTROL
  y = gnp::sum(x, gnp::dtype::float64);
#endif
}
