// expect: gnp: differences have the array's type: convert the array with astype first
#include <gnp/gnp.hpp>

int main() {
  gnp::array<int> a = gnp::diff(gnp::zeros<int>({3}), {.prepend = 1});
#ifndef CONTROL
  gnp::array<int> b = gnp::diff(gnp::zeros<int>({3}), {.prepend = 0.5});
#endif
}
