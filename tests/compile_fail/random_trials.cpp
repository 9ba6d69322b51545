// expect: gnp: numbers of trials are integers
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> p = gnp::full<double>({3}, 0.5);
#ifndef CONTROL
  gnp::random::binomial(gnp::ones<float>({3}), p);
#else
  gnp::random::binomial(gnp::ones<int>({3}), p);
#endif
}
