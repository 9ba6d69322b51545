// expect: gnp: braces are a shape and come after the parameters
#include <gnp/gnp.hpp>

int main() {
#ifndef CONTROL
  gnp::random::integers({0, 10});
#else
  gnp::random::integers(0, 10);
#endif
}
