// expect: gnp: a ufunc's body may name its parameters, its own variables and gnp's functions of numbers
// errors: 1
#include <gnp/gnp.hpp>

double weight = 2;

#ifdef CONTROL
GNP_UFUNC(weighted, (x, weight), x* weight);
#else
GNP_UFUNC(weighted, (x, y), x* y* weight);
#endif

int main() {
  gnp::array<float> x = gnp::ones<float>({3});
  gnp::array<float> y = weighted(x, 2) + 1;
}
