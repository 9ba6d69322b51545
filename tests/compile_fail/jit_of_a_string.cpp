// expect: gnp: the arguments of a jit function are arrays, expressions, numbers, and pairs, tuples, std::arrays,
#include <gnp/gnp.hpp>
#include <string>

int main() {
  const auto scaled = gnp::jit([](const gnp::array<double>& x, const auto& by) {
    return gnp::array<double>(x * static_cast<double>(sizeof by));
  });
#ifdef CONTROL
  scaled(gnp::ones(3), 2);
#else
  scaled(gnp::ones(3), std::string("2"));
#endif
}
