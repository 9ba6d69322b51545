// expect: gnp: fromfunction gives its function arrays of coordinates: take them as auto, [](auto i, auto j) { ... }
// errors: 2
#include <gnp/gnp.hpp>

int sum_of(int i, int j) { return i + j; }

int main() {
  gnp::array<double> a = gnp::fromfunction([](auto i, auto j) { return i + j; }, {3, 3});
#ifndef CONTROL
  a = gnp::fromfunction([](int i, int j) { return i + j; }, {3, 3});
  a = gnp::fromfunction(sum_of, {3, 3});
#endif
}
