// expect: gnp: wrong number of arguments
// errors: 1
#include <gnp/gnp.hpp>

GNP_REDUCTION(distance_of_two, (x, y), square(x - y), (a, b), a + b, (r), sqrt(r), 0);

int main() {
  gnp::array<float> x = gnp::ones<float>({3});
#ifdef CONTROL
  gnp::array<float> y = distance_of_two(x, x);
#else
  gnp::array<float> y = distance_of_two(x);
#endif
}
