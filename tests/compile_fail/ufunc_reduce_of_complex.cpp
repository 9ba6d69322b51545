// expect: gnp: this ufunc is not defined for these element types
#include <gnp/gnp.hpp>
int main() {
  const gnp::array x = gnp::zeros<gnp::complex128>(3);
  const gnp::array y = gnp::ufuncs::add.reduce(x);
#ifndef CONTROL
  gnp::ufuncs::logaddexp.reduce(x);
#endif
}
