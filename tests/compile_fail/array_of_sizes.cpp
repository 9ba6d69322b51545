// expect: gnp: an array is not made of sizes: write gnp::zeros<T>({2, 3})
// errors: 1
#include <gnp/gnp.hpp>

int main() {
#ifndef CONTROL
  gnp::array<double> a(3, 4);
#endif
}
