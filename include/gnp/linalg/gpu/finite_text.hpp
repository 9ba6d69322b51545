// SPDX-License-Identifier: MIT
// Kernel texts: the largest magnitude of each matrix, and scaling by it.
#pragma once

#include <gnp/core/config.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// Each block reduces one piece of one matrix. NaN counts as more than infinity, so no non-finite value is lost.
inline constexpr const char* magnitude_text = R"(
__device__ inline real larger(real x, real y) { return x != x || y != y ? x + y : (x > y ? x : y); }
__device__ inline real block_largest(real x) {
  __shared__ real warps[32];
  for (int offset = 16; offset > 0; offset /= 2) x = larger(x, __shfl_xor_sync(0xffffffffu, x, offset));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : real(0);
  if (threadIdx.x < 32) {
    for (int offset = 16; offset > 0; offset /= 2) x = larger(x, __shfl_xor_sync(0xffffffffu, x, offset));
    if (threadIdx.x == 0) warps[0] = x;
  }
  __syncthreads();
  return warps[0];
}
)";

inline constexpr const char* largest_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const real* values, long long per_matrix, int pieces, real* partial) {
  const long long matrix = blockIdx.x / pieces;
  const int piece = blockIdx.x % pieces;
  const real* m = values + matrix * per_matrix;
  real largest = 0;
  for (long long i = piece * static_cast<long long>(blockDim.x) + threadIdx.x; i < per_matrix;
       i += static_cast<long long>(pieces) * blockDim.x) {
    const real x = m[i] < 0 ? -m[i] : m[i];
    largest = larger(largest, x);
  }
  largest = block_largest(largest);
  if (threadIdx.x == 0) partial[blockIdx.x] = largest;
}
)";

// Scales to a largest magnitude of about 1, by a power of two and therefore exactly. A matrix with an element
// that is not finite becomes zero, which every library can handle, and its flag is set.
inline constexpr const char* rescale_kernel_text = R"(
extern "C" __global__ void gnp_kernel(real* values, long long per_matrix, int pieces, const real* partial,
                                      real* undo, int* flags) {
  const long long matrix = blockIdx.x / pieces;
  const int piece = blockIdx.x % pieces;
  real largest = 0;
  for (int p = threadIdx.x; p < pieces; p += blockDim.x) largest = larger(largest, partial[matrix * pieces + p]);
  largest = block_largest(largest);
  const bool finite = largest - largest == 0;
  int exponent = 0;
  if (finite && largest > 0) exponent = most_exponent < -ilogb(largest) ? most_exponent : -ilogb(largest);
  const real scale = scalbn(real(1), exponent);
  if (piece == 0 && threadIdx.x == 0) {
    undo[matrix] = scalbn(real(1), -exponent);
    flags[matrix] = finite ? 0 : 1;
  }
  if (finite && exponent == 0) return;
  real* m = values + matrix * per_matrix;
  for (long long i = piece * static_cast<long long>(blockDim.x) + threadIdx.x; i < per_matrix;
       i += static_cast<long long>(pieces) * blockDim.x) {
    m[i] = finite ? m[i] * scale : real(0);
  }
}
)";

/// The whole source for one real type.
GNP_INLINE std::string linalg_source(const std::string& real, const char* helpers, const char* kernel) {
  return std::string("using real = ") + real +
         ";\nconstexpr int most_exponent = " + (real == "float" ? "126" : "1022") + ";\n" + helpers + kernel;
}

}}}  // namespace gnp::GNP_ABI::detail
