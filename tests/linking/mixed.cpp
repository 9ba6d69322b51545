// SPDX-License-Identifier: MIT
// Two files that use Eigen with different instructions: products are right, and factorisations say what is
// wrong. (With Eigen's functions mixed, this program crashes.)
#include <cstdio>

#include "unit.hpp"

unit_answers plain();
unit_answers wide_eigen();

int main() {
  int wrong = 0;
  for (const auto& answers_of : {plain, wide_eigen}) {
#if defined(__x86_64__)
    if (answers_of == wide_eigen && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")))
      continue;
#endif
    const unit_answers a = answers_of();
    std::printf("%s: %g, %s\n", a.abi.c_str(), a.product, a.error.c_str());
    if (a.product != 3 || (a.has_eigen && a.error.find("different instructions") == std::string::npos)) ++wrong;
  }
  return wrong;
}
