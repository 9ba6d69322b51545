// expect: gnp: the type of the elements is a template argument: write gnp::zeros<float>(...)
#include <gnp/gnp.hpp>

int main() {
  gnp::array x = gnp::zeros<float>({3, 4});
#ifndef CONTROL
  gnp::array a = gnp::zeros({3, 4}, gnp::dtype::float32);
  gnp::array b = gnp::full({3, 4}, 1, gnp::dtype::float32);
  gnp::array c = x.astype(gnp::dtype::float64);
  gnp::array d = x.astype(gnp::float64());
#endif
}
