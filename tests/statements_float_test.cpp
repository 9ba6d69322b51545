// SPDX-License-Identifier: MIT
// Statements with reductions of float as NumPy's.
#include "statements_golden.hpp"

TEST_CASE("statements of float as NumPy's") {
  for_each_device([](gnp::device d) { statements::check_type<float>(d); });
}

TEST_CASE("reductions stored over what they read") {
  for_each_device([](gnp::device) {
    const gnp::index_t width = 100000;
    const gnp::array<float> row = gnp::arange(width).astype<float>();
    const gnp::array<float> x = row + gnp::arange(3).astype<float>().reshape(3, 1);
    gnp::flip(x(0))(gnp::ellipsis) = sum(x, 0);
    CHECK(bool(gnp::all(gnp::flip(x(0)) == row * 3.0F + 3.0F)));
    CHECK(bool(gnp::all(x(1) == row + 1.0F)));
    x(2) = max(x(gnp::slice(1, 3)), 0) - min(x(1));
    CHECK(bool(gnp::all(x(2) == row + 1.0F)));
    x(1) = x.min();  // a number that is in the row
    CHECK(float(x(1).sum()) == 100000.0F);
  });
}
