// SPDX-License-Identifier: MIT
#include "svd_gnp.hpp"

template void bench::gnp_svd(const arrays<float>& x, arrays<float>& y);
