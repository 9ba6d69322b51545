// expect: gnp: the arrays go in braces, gnp::concatenate({a, b})
// errors: 2
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  gnp::array<double> a = gnp::ones<double>({3});
  gnp::array<double> b = gnp::concatenate({a, a});
  const std::vector<double> v(3);
  b = gnp::concatenate({b, gnp::asarray(v)});
#ifndef CONTROL
  b = gnp::concatenate(a, b);
  b = gnp::concatenate(v, v);
#endif
}
