// expect: gnp: a std::vector and an array do not mix: bring it to the device with gnp::asarray(...) first
// errors: 4
#include <array>
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  gnp::array<float> a = gnp::zeros<float>({2, 3});
  const std::vector<float> v(3);
#ifndef CONTROL
  a(0) = v;
  a(a > 1) = v;
  a({0, 1}) = v;
  a(0) = std::array<double, 3>();
#endif
}
