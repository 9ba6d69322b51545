// expect: gnp: .mode is one mode, for all indices
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3});
  gnp::array<double> b = gnp::take(a, {0, 5}, {.mode = "wrap"});
#ifndef CONTROL
  b = gnp::take(a, {0, 5}, {.mode = {"wrap", "clip"}});
#endif
}
