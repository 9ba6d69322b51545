// expect: gnp: this parameter of the kernel takes an array, or a pointer to its own type of elements
// errors: 1
#include <gnp/gnp.hpp>

GNP_KERNEL(first_of, (const float* in, float* out), { out[0] = in[0]; });

int main() {
  gnp::array<float> x = gnp::ones<float>(3);
  const float one = 1;
#ifdef CONTROL
  first_of(gnp::grid(1))(&one, x);
#else
  first_of(gnp::grid(1))(one, x);
#endif
}
