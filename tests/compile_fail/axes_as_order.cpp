// expect: no matching function for call to
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<double> a = gnp::ones<double>({2, 3});
#ifndef CONTROL
  gnp::linalg::norm(a, {0});
#else
  gnp::linalg::norm(a, gnp::none, {0});
#endif
}
