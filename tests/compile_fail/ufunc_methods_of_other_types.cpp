// expect: gnp: this ufunc is not defined for these element types
// errors: 3
#include <gnp/gnp.hpp>
int main() {
  const gnp::array x = gnp::zeros<gnp::complex128>(3);
  const gnp::array y = gnp::ufuncs::add.reduce(x);
#ifndef CONTROL
  gnp::ufuncs::logaddexp.reduce(x);
  gnp::ufuncs::bitwise_xor.accumulate(gnp::ones<double>(3));
  gnp::ufuncs::gcd.accumulate(gnp::ones<double>(3));
#endif
}
