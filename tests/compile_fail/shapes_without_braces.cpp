// expect: gnp: shapes and axes go in braces: gnp::reshape(x, {2, 3})
// errors: 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones(6);
#ifndef CONTROL
  auto shaped = gnp::reshape(x, 2, 3);
  auto tiled = gnp::tile(x, 2, 3);
  auto turned = gnp::transpose(x.reshape(2, 3), 1, 0);
#endif
}
