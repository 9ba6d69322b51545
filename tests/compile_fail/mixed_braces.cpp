// expect: gnp: the type of these values is not clear: name it, gnp::asarray<double>({{1, 2.5}, {3, 4}})
// errors: 1
#include <gnp/gnp.hpp>

int main() {
  gnp::array<double> a = gnp::asarray<double>({{1, 2.5}, {3, 4}});
#ifndef CONTROL
  gnp::array y = gnp::asarray({{1, 2.5}, {3, 4}});
#endif
}
