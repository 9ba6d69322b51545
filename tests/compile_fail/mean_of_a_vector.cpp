// expect: gnp: a std::vector is brought to the device first: gnp::mean(gnp::asarray(v))
// errors: 1
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  std::vector<double> v(3);
  gnp::array<double> x = gnp::mean(gnp::asarray(v));
#ifndef CONTROL
  double y = gnp::mean(v).item();
#endif
}
