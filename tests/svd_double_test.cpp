// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
// The singular value decomposition of double matrices.
#include "svd_cases.hpp"

SVD_TESTS(double)
