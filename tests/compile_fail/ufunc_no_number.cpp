// expect: gnp: a ufunc's body must return a number
// errors: 1
#include <gnp/gnp.hpp>

#ifdef CONTROL
GNP_UFUNC(answer, (x), x + 1);
#else
GNP_UFUNC(answer, (x), "x + 1");
#endif

int main() {
  gnp::array<float> x = gnp::ones<float>({3});
  gnp::array<float> y = gnp::sqrt(answer(x)) + x;
}
