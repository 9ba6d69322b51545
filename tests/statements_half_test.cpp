// SPDX-License-Identifier: MIT
// Statements with reductions of half as NumPy's.
#include "statements_golden.hpp"

TEST_CASE("statements of half as NumPy's") {
  for_each_device([](gnp::device d) { statements::check_type<gnp::half>(d); });
}
