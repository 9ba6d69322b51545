// expect: normal
#include <gnp/gnp.hpp>

int main() {
  auto rng = gnp::random::default_rng(1);
  gnp::array<double> x = rng.normal(0, 1, {5});
#ifndef CONTROL
  x = rng.normal(100, {.size = 5});  // g++ ignores the name, and this would be one number of deviation 5
#endif
}
