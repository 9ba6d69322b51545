// expect: gnp: elements are numbers: a text cannot be assigned to an array
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  x(0) = 'a';
#ifndef CONTROL
  x(0) = "a";
#endif
}
