// expect: gnp: this gufunc takes another number of arguments
#include <gnp/gnp.hpp>

GNP_GUFUNC(first_of, "(n)->()", (x, y), { y() = x(0); });

int main() {
  gnp::array<float> x = gnp::ones<float>(3);
#ifdef CONTROL
  const gnp::array<float> y = first_of(x);
#else
  const gnp::array<float> y = first_of(x, x);
#endif
}
