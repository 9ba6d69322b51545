// expect: gnp: indexing with an array makes a copy, so that an assignment to a part of it would have no effect
// errors: 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> a = gnp::zeros<float>({3, 3});
  const gnp::array<bool> mask = gnp::ones<bool>({3});
  const gnp::array i = gnp::asarray(1);
  a(int(i))(mask) = 0;
#ifndef CONTROL
  a(i)(mask) = 0;
  a(i)(mask) = a(0);
  a(i)(mask) += 1.0F;
#endif
}
