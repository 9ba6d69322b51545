// expect: gnp: braces are a shape and come after the parameters
#include <gnp/gnp.hpp>

int main() {
#ifndef CONTROL
  gnp::random::default_rng(1).normal({5});
#else
  gnp::random::default_rng(1).normal(0, 1, {5});
#endif
}
