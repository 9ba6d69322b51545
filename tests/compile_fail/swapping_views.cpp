// expect: gnp: swap takes two named arrays; to swap the values of views, copy one of them
#include <gnp/gnp.hpp>
#include <utility>

int main() {
  gnp::array<float> x = gnp::zeros<float>({2, 3});
  gnp::array<float> y = gnp::ones<float>({2, 3});
  swap(x, y);
#ifndef CONTROL
  swap(x(0), x(1));
  using std::swap;
  swap(x(0), y);
#endif
}
