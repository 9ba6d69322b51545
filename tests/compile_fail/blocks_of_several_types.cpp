// expect: gnp: blocks in braces are arrays of one type: where types differ, as those of an array and a formula do, name
// the elements' type, gnp::block<double>({{a, b + 1}, {c, d}})
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3, 3});
  gnp::array<double> b = gnp::block<double>({{a, a + 1}, {a * 2, a}});
#ifndef CONTROL
  b = gnp::block({{a, a + 1}, {a * 2, a}});
#endif
}
