// SPDX-License-Identifier: MIT
// Compiled with GNP_NO_CUDA.
#include <gnp/gnp.hpp>

static_assert(GNP_HAS_CUDA == 0);

float without_cuda(float value) {
  gnp::array<float> a = gnp::asarray<float>({value, value});
  gnp::array<float> b = a * 2 + 1;
  return b.item(1);
}
