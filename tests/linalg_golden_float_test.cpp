// SPDX-License-Identifier: MIT
// test: no-asan, lapack, optimised
// (Eigen loads complex numbers in ways that the undefined-behaviour sanitizer refuses.)
// Linear algebra of float matrices beside NumPy's.
#include "linalg_golden.hpp"

TEST_CASE("Linear algebra of float is NumPy's", "[linalg]") {
  const auto lines = linalg_golden::read_lines();
  REQUIRE(lines.size() > 1000);
  for_each_device([&](gnp::device) { linalg_golden::check<float>(lines); });
}
