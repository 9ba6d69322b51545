// expect: gnp: a std::vector and an array do not mix: bring it to the device with gnp::asarray(...) first
// errors: 1
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  std::vector<double> v(3);
  gnp::array<double> x = gnp::sqrt(gnp::asarray(v));
#ifndef CONTROL
  auto y = gnp::sqrt(v);
#endif
}
