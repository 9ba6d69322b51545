// expect: gnp: values in braces become an array first: gnp::unique(gnp::asarray({1, 2, 3}))
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<int> x = gnp::unique(gnp::asarray({1, 2, 1}));
#ifndef CONTROL
  x = gnp::unique({1, 2, 1});
#endif
}
