// expect: gnp: keys in braces are arrays of one type: where types differ, as those of an array and a formula do, say
// std::tuple(-a, b)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3});
  gnp::array<gnp::index_t> order = gnp::lexsort(std::tuple(-a, a));
#ifndef CONTROL
  order = gnp::lexsort({-a, a});
#endif
}
