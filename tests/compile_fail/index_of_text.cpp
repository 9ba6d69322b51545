// expect: gnp: an index is an integer, a slice, all, newaxis, ellipsis, or an array of integers or of bool
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::zeros({99});
#ifndef CONTROL
  x(":");
#else
  x(gnp::all);
#endif
}
