// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
#include "reductions_golden.hpp"

TEST_CASE("reductions of signed integers are NumPy's") { reductions::check_types(golden::signed_types{}); }
