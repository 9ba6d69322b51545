// expect: gnp: a kernel is called with a grid and then with its arguments: kernel(gnp::grid(n))(x, y, n)
// errors: 3
#include <gnp/gnp.hpp>

GNP_KERNEL(doubled, (const float* in, float* out, int n), {
  const int i = static_cast<int>(grid_index());
  if (i < n) out[i] = 2 * in[i];
});

int main() {
  gnp::array<float> x = gnp::ones<float>(3);
  gnp::array<float> y = gnp::ones<float>(3);
  const gnp::raw_kernel raw("extern \"C\" __global__ void raw(float*) {}", "raw");
#ifdef CONTROL
  doubled(gnp::grid(3))(x, y, 3);
  raw(gnp::grid(3))(x);
#else
  doubled(x, y, 3);
  doubled(3)(x, y, 3);
  raw(x);
#endif
}
