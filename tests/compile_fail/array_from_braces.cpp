// expect: gnp: an array is not made of braces, which could be values or a shape
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> one = 1.0;
#ifndef CONTROL
  gnp::array a = {1, 2, 3};
  gnp::array<float> b = {{1, 2}, {3, 4}};
#endif
}
