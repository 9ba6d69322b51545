// expect: gnp: this assignment would lose information (NumPy's same_kind rule): convert with .astype<T>() first
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
#ifndef CONTROL
  gnp::array<int> a = x + 1.5;
#endif
}
