// expect: gnp: choices in braces are of one type
#include <gnp/gnp.hpp>
#include <tuple>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  gnp::array<float> y = gnp::select({x < 1, x > 2}, std::tuple(x, -x), 9);
#ifndef CONTROL
  gnp::select({x < 1, x > 2}, {x, -x}, 9);
  gnp::choose(x.astype<int>(), {x, -x});
#endif
}
