// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
// The singular value decomposition of complex64 matrices.
#include "svd_cases.hpp"

SVD_TESTS(gnp::complex64)
