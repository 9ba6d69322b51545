// expect: gnp: this assignment would lose information (NumPy's same_kind rule)
#include <gnp/gnp.hpp>

int main() {
  gnp::array<int> three = 3;
  const double sum = gnp::ones<double>({3}).sum();
#ifndef CONTROL
  gnp::array<int> a = sum;
#endif
}
