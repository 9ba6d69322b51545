// expect: gnp: a size or an axis is an integer
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<double> a = gnp::ones<double>({2, 3});
#ifndef CONTROL
  sum(a, {0, true});
#else
  sum(a, 0, {.keepdims = true});
#endif
}
