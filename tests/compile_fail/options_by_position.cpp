// expect: gnp: options have names, as in x.sum(0, {.keepdims = true})
// errors: 6
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({2, 2});
#ifndef CONTROL
  auto sums = gnp::sum(x, 0, true);
  auto deviations = gnp::std(x, {0, 1}, 1);
  auto sorted = gnp::sort(x, 0, "stable");
  auto found = gnp::unique(x, true);
  auto means = x.mean(0, true);
  auto places = x.argsort(0, "stable");
#endif
}
