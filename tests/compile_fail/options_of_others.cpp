// expect: gnp: the option is named .axis, also for several: write {.axis = {0, 1}}
// errors: 7
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::ones({2, 2});
  x = gnp::std(x, {.axis = 0, .ddof = 1}) + x.sum({.axis = 1}) + x.sum({}) + gnp::mean(x, {});
#ifndef CONTROL
  auto sums = gnp::sum(x, {.axes = 1});
  auto means = gnp::mean(x + x, {.axes = {0, 1}, .keepdims = true});
  auto products = x.prod({.axes = 1});
  auto extremes = gnp::max(x, {.ddof = 1}) - gnp::sum(x, {.axis = 0, .ddof = 1});
  auto means_of_members = x.mean({.ddof = 1}) + x.sum({.axis = 0, .ddof = 1});
  auto some = gnp::sum(x, {.axis = 0}, {.where = x > 0});
  auto least = gnp::min(x, {.axis = 0}, {.initial = 1, .where = x > 0});
  auto deviations = gnp::std(x, {.axis = 0}, {.ddof = 1});
  auto sorted = gnp::sort(x, {.axis = 0}, {.descending = true});
#endif
}
