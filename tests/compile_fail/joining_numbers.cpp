// expect: gnp: braces hold arrays of one element type: name the one that all are converted to
// errors: 3
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  const gnp::array<int> x = gnp::zeros<int>({3});
  const std::vector<double> v(3);
  auto joined = gnp::hstack({x, 5});
  joined = gnp::hstack<int>({x, x});
#ifndef CONTROL
  auto with_fraction = gnp::hstack({x, 5.5});
  auto with_vector = gnp::concatenate({x, v});
  auto along_axis = gnp::stack({x, v}, 1);
#endif
}
