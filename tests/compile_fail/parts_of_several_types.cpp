// expect: gnp: braces hold arrays of one type: where types differ, as those of two expressions do, say
// std::tuple(a, b + 1)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones<double>({3});
  gnp::array<double> b = gnp::stack(std::tuple(a, -a), 1);
#ifndef CONTROL
  b = gnp::stack({a, -a}, 1).reshape(-1);
#endif
}
