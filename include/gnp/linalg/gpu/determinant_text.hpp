// SPDX-License-Identifier: MIT
// Kernel text: the product of a triangle's diagonal, as a mantissa and an exponent that cannot overflow.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// One block for each matrix. `swaps` has the row, counted from 1, with which each row was swapped.
inline constexpr const char* determinant_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const real* factors, long long n, int parts, const void* swaps,
                                      int swap_bytes, real* mantissa, double* exponent) {
  __shared__ real re[256];
  __shared__ real im[256];
  __shared__ long long power[256];
  const long long matrix = blockIdx.x;
  const real* const f = factors + matrix * n * n * parts;
  const int thread = threadIdx.x;
  real x = 1;
  real y = 0;
  long long scale = 0;
  const auto normalise = [&] {
    const real largest = fmax(fabs(x), fabs(y));
    if (largest == 0 || largest - largest != 0) return;
    const int e = ilogb(largest);
    x = scalbn(x, -e);
    y = scalbn(y, -e);
    scale += e;
  };
  for (long long i = thread; i < n; i += blockDim.x) {
    real a = f[i * (n + 1) * parts];
    real b = parts == 2 ? f[i * (n + 1) * parts + 1] : real(0);
    const long long swapped = swap_bytes == 4 ? static_cast<const int*>(swaps)[matrix * n + i]
                                              : static_cast<const long long*>(swaps)[matrix * n + i];
    if (swapped != i + 1) { a = -a; b = -b; }
    const real largest = fmax(fabs(a), fabs(b));
    if (largest > 0 && largest - largest == 0) {  // the product of two numbers below 2 cannot overflow
      const int e = ilogb(largest);
      a = scalbn(a, -e);
      b = scalbn(b, -e);
      scale += e;
    }
    const real product = fma(x, a, -y * b);
    if (parts == 2) y = fma(x, b, y * a);
    x = product;
    normalise();
  }
  re[thread] = x;
  im[thread] = y;
  power[thread] = scale;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      const real a = re[thread + half];
      const real b = im[thread + half];
      const real product = fma(x, a, -y * b);
      if (parts == 2) y = fma(x, b, y * a);
      x = product;
      scale += power[thread + half];
      normalise();
      re[thread] = x;
      im[thread] = y;
      power[thread] = scale;
    }
  }
  if (thread == 0) {
    mantissa[matrix * parts] = x;
    if (parts == 2) mantissa[matrix * parts + 1] = y;
    exponent[matrix] = static_cast<double>(scale);
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
