// SPDX-License-Identifier: MIT
#include "cases.hpp"

#include <Eigen/Core>

namespace bench {

std::vector<bench_case> all_cases() {
  std::vector<bench_case> cases;
  for (const auto add :
       {add_products, add_norm, add_svd, add_solve, add_eigh, add_elementwise, add_reductions, add_random,
        add_transfers, add_tutorial_products, add_tutorial_elementwise, add_tutorial_svd}) {
    add(cases);
  }
  return cases;
}

bool eigen_uses_threads() {
#ifdef EIGEN_HAS_OPENMP
  return true;
#else
  return false;
#endif
}

}  // namespace bench
