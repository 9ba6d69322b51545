// expect: gnp: arrays of one shape become one array by gnp::stack(arrays)
// errors: 1
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  std::vector<gnp::array<double>> rows(3, gnp::ones({2}));
  gnp::array<double> x = gnp::stack(rows);
#ifndef CONTROL
  gnp::array y = gnp::asarray(rows);
#endif
}
