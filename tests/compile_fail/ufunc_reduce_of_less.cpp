// expect: gnp: this ufunc's result is not what it takes: it cannot be given to the ufunc again
#include <gnp/gnp.hpp>
int main() {
  const gnp::array x = gnp::zeros<double>(3);
#ifndef CONTROL
  gnp::ufuncs::less.reduce(x);
#endif
}
