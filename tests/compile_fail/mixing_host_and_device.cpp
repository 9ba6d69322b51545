// expect: gnp: a host_array and an array do not mix: bring it to the device with gnp::asarray(...) first
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> a = gnp::zeros<float>({3});
  gnp::host_array<float> h = gnp::asnumpy(a);
#ifndef CONTROL
  gnp::array<float> b = a + h;
  gnp::array<float> c = h;
  a = h;
  a(0) = h;
#endif
}
