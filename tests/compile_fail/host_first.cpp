// expect: gnp: a host_array and an array do not mix: bring it to the device with gnp::asarray(...) first
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> a = gnp::zeros<float>({3});
  gnp::host_array<float> h = gnp::asnumpy(a);
#ifndef CONTROL
  gnp::array<float> b = h * (a + 1);
#endif
}
