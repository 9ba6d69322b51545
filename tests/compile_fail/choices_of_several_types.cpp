// expect: gnp: choices in braces have elements of one type
// errors: 2
#include <gnp/gnp.hpp>
#include <tuple>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  gnp::array<int> n = gnp::zeros<int>({3});
  gnp::array<float> y = gnp::select({x < 1, x > 2}, std::tuple(x, -x), 9);
  y = gnp::select({x < 1, x > 2}, {x, -x}, 9);
  y = gnp::choose(n, {x, 2 * x, 0});
#ifndef CONTROL
  auto selected = gnp::select({x < 1, x > 2}, {x, n}, 9);
  auto chosen = gnp::choose(n, {x, n});
#endif
}
