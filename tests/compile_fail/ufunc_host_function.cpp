// expect: gnp: a ufunc's body may name its parameters, its own variables and gnp's functions of numbers
// errors: 1
#include <gnp/gnp.hpp>
#include <iostream>

double helper(double x) { return x + 1; }

int main() {
#ifdef CONTROL
  GNP_UFUNC(helped, (x), x + 1);
#else
  GNP_UFUNC(helped, (x), 2 * helper(x));
#endif
  gnp::array<float> x = gnp::ones<float>({3});
  std::cout << helped(x) << '\n';
}
