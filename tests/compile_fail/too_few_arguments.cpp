// expect: gnp: reshape takes more arguments: gnp::reshape(x, {2, 3})
// errors: 6
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones(6);
#ifndef CONTROL
  auto shaped = gnp::reshape(x);
  auto clipped = gnp::clip(x);
  auto one = gnp::outer(x);
  auto fit = gnp::polyfit(x, x);
  auto turned = gnp::swapaxes(x, 0);
  auto solved = gnp::linalg::solve(x);
#endif
}
