// expect: gnp: what combines two values of a reduction has two parameters
#include <gnp/gnp.hpp>

#ifdef CONTROL
GNP_REDUCTION(sum_of_all, (x), x, (a, b), a + b, (r), r, 0);
#else
GNP_REDUCTION(sum_of_all, (x), x, (a, b, c), a + b + c, (r), r, 0);
#endif

int main() {
  gnp::array<float> x = gnp::ones<float>({3});
  gnp::array<float> y = sum_of_all(x);
}
