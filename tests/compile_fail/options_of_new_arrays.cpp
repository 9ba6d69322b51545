// expect: gnp: the type of the elements is a template argument: write gnp::zeros<float>({2, 3})
// errors: 6
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({2, 3}).T();
  x = gnp::ones<float>({2, 3});
#ifndef CONTROL
  auto y = gnp::zeros({2, 3}, {.dtype = gnp::dtype::float32});
  auto z = gnp::empty<float>({2, 3}, {.order = 'F'});
  auto same = gnp::zeros_like(x, {.dtype = gnp::dtype::float32});
  auto filled = gnp::full_like(x, 3, {.dtype = 0});
  auto range = gnp::arange(10, {.dtype = 'f'});
  auto unit = gnp::eye(3, {.dtype = 1.0});
  auto values = gnp::asarray({1, 2}, {.dtype = gnp::dtype::float32});
#endif
}
