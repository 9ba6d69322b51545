// SPDX-License-Identifier: MIT
// Statements with reductions of integers, truth values and complex numbers as NumPy's.
#include "statements_golden.hpp"

TEST_CASE("statements of integers as NumPy's") {
  for_each_device([](gnp::device d) {
    statements::check_type<std::int8_t>(d);
    statements::check_type<std::int32_t>(d);
    statements::check_type<std::uint64_t>(d);
  });
}
TEST_CASE("statements of truth values as NumPy's") {
  for_each_device([](gnp::device d) { statements::check_type<bool>(d); });
}
TEST_CASE("statements of complex numbers as NumPy's") {
  for_each_device([](gnp::device d) {
    statements::check_type<gnp::complex64>(d);
    statements::check_type<gnp::complex128>(d);
  });
}
