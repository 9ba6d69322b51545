// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
#include "reductions_golden.hpp"

TEST_CASE("reductions of complex numbers are NumPy's") { reductions::check_types(golden::complex_types{}); }

TEST_CASE("reductions of signed integers are NumPy's") { reductions::check_types(golden::signed_types{}); }

TEST_CASE("reductions of bool and unsigned integers are NumPy's") {
  reductions::check_types(golden::unsigned_types{});
}
