// expect: gnp: a std::vector is brought to the device first: gnp::bincount(gnp::asarray(v))
// errors: 1
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  const std::vector<int> v(3);
  gnp::array<gnp::int64> counts = gnp::bincount(gnp::asarray(v));
#ifndef CONTROL
  counts = gnp::bincount(v);
#endif
}
