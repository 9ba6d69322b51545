// expect: gnp: only a ufunc of two operands has this method
#include <gnp/gnp.hpp>
int main() {
  const gnp::array x = gnp::zeros<double>(3);
#ifndef CONTROL
  gnp::ufuncs::sin.reduce(x);
#endif
}
