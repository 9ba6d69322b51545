// SPDX-License-Identifier: MIT
// Files compiled with other flags each are one program, in which every file gets what it was compiled for.
#include <cstdio>
#include <vector>

#include "unit.hpp"

unit_answers plain();
unit_answers plain_two();
unit_answers without_cuda();
unit_answers without_eigen();
unit_answers fast();
unit_answers finite();
unit_answers wide();

namespace {

struct unit {
  const char* name;
  unit_answers (*answers)();
  float mine;
  bool finds_nan;  // whether it has to; with -ffast-math anything is right
  bool may_have_eigen;
};

bool is_right(const unit& u, const unit_answers& a) {
  const bool solves =
      a.has_eigen ? a.solved == 3 && a.error.empty() : a.error.find("Eigen") != std::string::npos;
  return a.mine == u.mine && a.product == 3 && (a.finds_nan || !u.finds_nan) &&
         (u.may_have_eigen || !a.has_eigen) && solves && a.threw.find("reshape") != std::string::npos;
}

}  // namespace

int main() {
  std::vector<unit> units = {{"plain", plain, 6, true, true},
                             {"plain_two", plain_two, 15, true, true},
                             {"without_cuda", without_cuda, -5, true, true},
                             {"without_eigen", without_eigen, 25, true, false},
                             {"fast", fast, 3, false, true},
                             {"finite", finite, 105, false, true}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    units.push_back({"wide", wide, 4, true, false});
#endif
  bool right = true;
  for (const unit& u : units) {
    const unit_answers a = u.answers();
    right = right && is_right(u, a);
    std::printf("%-14s %s: mine(5) %g, isnan(NaN) %d, 2 x = 6: %g%s, \"%s\", %s\n", u.name, a.abi.c_str(),
                static_cast<double>(a.mine), a.finds_nan ? 1 : 0, a.solved, a.error.c_str(), a.threw.c_str(),
                is_right(u, a) ? "right" : "WRONG");
  }
  return right ? 0 : 1;
}
