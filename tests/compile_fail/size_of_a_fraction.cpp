// expect: gnp: a size or an axis is an integer
#include <gnp/gnp.hpp>

int main() {
#ifndef CONTROL
  gnp::zeros(2.5);
#else
  gnp::zeros(2);
#endif
}
