// expect: element
#include <gnp/gnp.hpp>
#include <string>

int main() {
  gnp::array<float> a = gnp::zeros<float>({3});
#ifndef CONTROL
  gnp::array<std::string> b;
#endif
}
