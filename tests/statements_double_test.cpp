// SPDX-License-Identifier: MIT
// Statements with reductions of double as NumPy's.
#include "statements_golden.hpp"

TEST_CASE("statements of double as NumPy's") {
  for_each_device([](gnp::device d) { statements::check_type<double>(d); });
}
