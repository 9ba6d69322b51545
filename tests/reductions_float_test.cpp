// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600, optimised
#include "reductions_golden.hpp"

TEST_CASE("reductions of floats are NumPy's") { reductions::check_types(golden::float_types{}); }
