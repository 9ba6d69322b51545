// expect: gnp: a complex value does not fit a real array: take gnp::real(...) or gnp::abs(...) of it
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<gnp::complex128> z = gnp::zeros<gnp::complex128>({3});
#ifndef CONTROL
  gnp::array<double> a = z;
#endif
}
