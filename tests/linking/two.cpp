// SPDX-License-Identifier: MIT
// What a program with CUDA code of its own includes, before gnp and after it.
#if __has_include(<cublas_v2.h>) && __has_include(<cuda_fp16.h>)
#include <cublas_v2.h>
#include <cuda_fp16.h>
#endif

#include <gnp/gnp.hpp>

#if __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
#endif

using namespace gnp;

namespace {
GNP_UFUNC(mine, (x), x * 3);
}

float with_everything_two(float value) {
  gnp::array<float> a = gnp::asarray<float>({value, value});
  gnp::array<float> b = mine(a);
  return b.item(1);
}

bool has_cuda_two() { return GNP_HAS_CUDA == 1; }
