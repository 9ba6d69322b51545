// SPDX-License-Identifier: MIT
// test: no-asan, lapack, timeout=600
// The singular value decomposition of complex128 matrices.
#include "svd_cases.hpp"

SVD_TESTS(gnp::complex128)
