// expect: gnp: this assignment would lose information (NumPy's same_kind rule): convert with .astype<T>() first
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<int> a = gnp::zeros<int>({3});
  gnp::add_at(a, {1}, 2);
#ifndef CONTROL
  gnp::add_at(a, {1}, 1.5);
#endif
}
