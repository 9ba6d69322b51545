// SPDX-License-Identifier: MIT
// test: no-asan, lapack, timeout=600, optimised
// The singular value decomposition of float matrices.
#include "svd_cases.hpp"

SVD_TESTS(float)
