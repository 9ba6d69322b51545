// expect: gnp: a std::vector and an array do not mix: bring it to the device with gnp::asarray(...) first
// errors: 1
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  const std::vector<float> v(3);
#ifndef CONTROL
  gnp::array a = v;
#endif
  static_cast<void>(v);
}
