// expect: gnp: ix_ takes indices, which are integers, or masks of bool
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({3, 3});
  gnp::array<int> rows = gnp::arange<int>(2);
  gnp::array<double> places = x(gnp::ix_(rows, rows));
#ifndef CONTROL
  places = x(gnp::ix_(x.sum(0).eval(), rows));
#endif
}
