// SPDX-License-Identifier: MIT
#include <gnp/gnp.hpp>

namespace {
GNP_UFUNC(mine, (x), x * 3);
}

float with_everything_two(float value) {
  gnp::array<float> a = gnp::asarray<float>({value, value});
  gnp::array<float> b = mine(a);
  return b.item(1);
}

bool has_cuda_two() { return GNP_HAS_CUDA == 1; }
