// expect: a number or a std::vector becomes an array first, gnp::asarray(v)
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  const gnp::array<double> x = gnp::zeros<double>({3});
  const std::vector<double> v(3);
  auto joined = gnp::hstack({x, gnp::asarray(v)});
#ifndef CONTROL
  auto with_number = gnp::hstack({x, 5.0});
  auto with_vector = gnp::concatenate({x, v});
#endif
}
