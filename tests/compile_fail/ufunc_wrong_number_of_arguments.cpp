// expect: gnp: wrong number of arguments
// errors: 1
#include <gnp/gnp.hpp>

GNP_UFUNC(of_two, (x, y), x + y)

int main() {
  gnp::array<float> x = gnp::ones<float>({3});
#ifdef CONTROL
  gnp::array<float> y = of_two(x, 1) + x;
#else
  gnp::array<float> y = of_two(x) + x;
#endif
}
