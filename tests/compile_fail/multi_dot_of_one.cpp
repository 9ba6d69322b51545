// expect: gnp: multi_dot multiplies two or more arrays: multi_dot(a, b, c)
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::eye<double>(3);
#ifndef CONTROL
  gnp::linalg::multi_dot(a);
#endif
}
