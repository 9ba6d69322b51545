// expect: gnp: the type of the elements is a template argument: write gnp::zeros<float>({2, 3})
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({2, 3}).T();
  x = gnp::ones<float>({2, 3});
#ifndef CONTROL
  auto y = gnp::zeros({2, 3}, {.dtype = gnp::dtype::float32});
  auto z = gnp::empty<float>({2, 3}, {.order = 'F'});
#endif
}
