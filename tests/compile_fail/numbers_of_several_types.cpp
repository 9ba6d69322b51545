// expect: gnp: the type of these values is not clear: name it, gnp::sum(gnp::asarray<double>({1, 2.5}))
// errors: 12
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> y = gnp::sum(gnp::asarray<double>({1, 2.5}));
  y = gnp::sum({1.0, 2.5}, 0);
  y = gnp::sqrt({1, 2}) + gnp::diff({1.0, 2.5, 3.5}) + gnp::sort({3, 1}, 0) + gnp::unique({1, 2});
#ifndef CONTROL
  y = gnp::sum({1, 2.5});
  y = gnp::sum<double>({1, 2.5}, 0);
  y = gnp::sum({1, 2.5}, {.axis = 0});
  y = gnp::sqrt({1, 2.5});
  y = gnp::diff({1, 2.5}, 1);
  y = gnp::cumsum({1, 2.5});
  y = gnp::sort({1, 2.5}, 0);
  y = gnp::sort({1, 2.5}, {.axis = 0});
  y = gnp::cumsum({1, 2.5}, {0});
  y = gnp::median({1, 2.5});
  y = gnp::unique({1, 2.5});
  y = gnp::diag({1, 2.5}, -1);
#endif
}
