// expect: gnp: the type of these values is not clear: name it, gnp::sum(gnp::asarray<double>({1, 2.5}))
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> y = gnp::sum(gnp::asarray<double>({1, 2.5}));
  y = gnp::sum({1.0, 2.5}, 0);
#ifndef CONTROL
  y = gnp::sum({1, 2.5});
  y = gnp::sum<double>({1, 2.5}, 0);
#endif
}
