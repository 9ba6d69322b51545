// expect: gnp: a std::vector is brought to the device first: gnp::digitize(gnp::asarray(v))
// errors: 8
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  const std::vector<double> v(3);
  gnp::array<double> x = gnp::asarray(v);
  gnp::array<bool> found = gnp::isin(x, {1, 2}, {.invert = true});
  gnp::random::shuffle(x);
#ifndef CONTROL
  gnp::isin(v, {1, 2}, {.invert = true});
  gnp::digitize(v, {1, 2});
  gnp::searchsorted(v, {1, 2});
  gnp::quantile(v, {0.5});
  gnp::lexsort(v);
  gnp::histogram(v, 3, {0, 1});
  gnp::random::shuffle(v);
  gnp::random::permuted(v);
  gnp::random::default_rng(1).shuffle(v);
#endif
}
