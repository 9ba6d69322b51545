// expect: gnp: select's conditions are arrays or formulas of bool
#include <gnp/gnp.hpp>
#include <tuple>

int main() {
  gnp::array<float> x = gnp::zeros<float>({3});
  gnp::array<float> y = select(std::tuple(x < 1), std::tuple(x * x));
#ifndef CONTROL
  gnp::array<float> z = select(std::tuple(x), std::tuple(x * x));
#endif
}
