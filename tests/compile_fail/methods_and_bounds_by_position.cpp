// expect: gnp: the method has a name: gnp::quantile(x, q, {.method
// errors: 3
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::arange<double>(4);
  gnp::array<double> y = gnp::quantile(x, 0.5, {.method = "hazen"});
  gnp::array<gnp::int64> n = gnp::random::integers(2, 8, 3);
#ifndef CONTROL
  y = gnp::quantile(x, 0.5, "hazen");
  y = gnp::nanpercentile(x, 50, "hazen");
  n = gnp::random::default_rng(5).integers(2.5, 3);
#endif
}
