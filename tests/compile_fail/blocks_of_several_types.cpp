// expect: gnp: blocks in braces have elements of one type: where they differ, name the type
// errors: 2
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3, 3});
  const gnp::array<int> n = gnp::ones<int>({3, 3});
  gnp::array<double> b = gnp::block<double>({{a, n}, {a * 2, a}});
  b = gnp::block({{a, a + 1}, {a * 2, a}});
#ifndef CONTROL
  b = gnp::block({{a, n}, {a * 2, a}});
  b = gnp::block({a, n});
#endif
}
