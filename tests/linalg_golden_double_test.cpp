// SPDX-License-Identifier: MIT
// test: no-asan, lapack
// (Eigen loads complex numbers in ways that the undefined-behaviour sanitizer refuses.)
// Linear algebra of double matrices, and of integers, which are matrix_op as such, beside NumPy's.
#include "linalg_golden.hpp"

TEST_CASE("Linear algebra of double and int32 is NumPy's", "[linalg]") {
  const auto lines = linalg_golden::read_lines();
  REQUIRE(lines.size() > 1000);
  for_each_device([&](gnp::device) {
    linalg_golden::check<double>(lines);
    linalg_golden::check<std::int32_t>(lines);
  });
}
