// expect: gnp: a chain of comparisons compares truth values: write (1 < x) & (x < 5)
// errors: 1
#include <gnp/gnp.hpp>
#include <iostream>

int main() {
  const gnp::array<double> x = gnp::arange(6.0);
#ifdef CONTROL
  std::cout << ((1 < x) & (x < 5)) << ((1 < x) == (x < 5));
#else
  std::cout << (1 < x < 5);
#endif
}
