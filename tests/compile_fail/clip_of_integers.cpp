// expect: gnp: a bound with a fraction makes doubles of integers: write gnp::clip(n, 0.5, gnp::none)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<int> n = gnp::asarray({1, 2, 3});
  gnp::array<int> m = gnp::clip(n, {.min = 0});
#ifndef CONTROL
  m = gnp::clip(n, {.min = 0.5});
#endif
}
