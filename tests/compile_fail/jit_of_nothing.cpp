// expect: gnp: a function for jit returns what it computes; a body that writes to arrays and returns nothing is for
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::ones(3);
  const auto add = [&a](const gnp::array<double>& x) {
    a += x;
#ifdef CONTROL
    return a;
#endif
  };
  gnp::jit(add)(gnp::ones(3));
}
