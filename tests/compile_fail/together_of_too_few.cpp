// expect: gnp: together takes as many values as it has arrays
#include <gnp/gnp.hpp>
#include <tuple>

int main() {
  gnp::array<float> a = gnp::zeros<float>({3}), b = gnp::ones<float>({3});
#ifdef CONTROL
  gnp::together(a, b) = std::tuple(b, a);
#else
  gnp::together(a, b) = std::tuple(b);
#endif
}
