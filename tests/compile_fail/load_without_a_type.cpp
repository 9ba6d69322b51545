// expect: gnp: name the type, gnp::load<float>(path), or take the file's, gnp::load_any(path)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> x = gnp::load<double>("x.npy");
#ifndef CONTROL
  gnp::array y = gnp::load("x.npy");
#endif
}
