// expect: gnp: reshape takes more arguments: gnp::reshape(x, {2, 3})
// errors: 9
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones(6);
#ifndef CONTROL
  auto shaped = gnp::reshape(x);
  auto clipped = gnp::clip(x);
  auto one = gnp::outer(x);
  auto fit = gnp::polyfit(x, x);
  auto turned = gnp::swapaxes(x, 0);
  auto between = gnp::interp(x, x);
  auto largest = gnp::top_k(x);
  auto smooth = gnp::convolve(x);
  auto solved = gnp::linalg::solve(x);
#endif
}
