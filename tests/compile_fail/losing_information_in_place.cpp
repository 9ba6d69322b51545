// expect: gnp: this assignment would lose information (NumPy's same_kind rule): convert with .astype<T>() first
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  gnp::array<int> a = gnp::zeros<int>({3});
  a += 1;
#ifndef CONTROL
  a += x;
#endif
}
