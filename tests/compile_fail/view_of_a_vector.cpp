// expect: gnp: a std::vector is brought to the device first: gnp::reshape(gnp::asarray(v))
// errors: 1
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  std::vector<double> v(6);
  auto x = gnp::reshape(gnp::asarray(v), {2, 3});
#ifndef CONTROL
  auto y = gnp::reshape(v, {2, 3});
#endif
}
