// expect: gnp: this function is not defined for these element types
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
#ifndef CONTROL
  gnp::array<float> a = x & x;
#endif
}
