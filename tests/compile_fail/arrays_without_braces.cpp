// expect: gnp: the arrays go in braces, gnp::concatenate({a, b})
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3});
  gnp::array<double> b = gnp::concatenate({a, a});
#ifndef CONTROL
  b = gnp::concatenate(a, b);
#endif
}
