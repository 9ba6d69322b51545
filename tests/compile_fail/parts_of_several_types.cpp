// expect: gnp: braces hold arrays of one element type: name the one that all are converted to
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3});
  gnp::array<int> n = gnp::ones<int>({3});
  gnp::array<double> b = gnp::stack(std::tuple(a, n), 1);
#ifndef CONTROL
  b = gnp::stack({a, n}, 1).reshape(-1);
#endif
}
