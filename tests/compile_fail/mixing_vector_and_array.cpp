// expect: gnp: a std::vector and an array do not mix: bring it to the device with gnp::asarray(...) first
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  gnp::array<float> a = gnp::zeros<float>({3});
  const std::vector<float> v(3);
#ifndef CONTROL
  gnp::array<float> b = a + v;
#endif
}
