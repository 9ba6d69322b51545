// SPDX-License-Identifier: MIT
// Kernel texts: the permutation that results from an LU factorisation's row swaps, and columns in that order.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// pivots[i], counted from 1, is the row that row i was swapped with, one swap after the other. source[j]
// becomes the place to which row j has moved. One block for each matrix, which swaps in shared memory (2 n
// ints): cuSOLVER's laswp swaps whole rows in global memory, which takes 0.5 ms for 1024 rows on an H200.
inline constexpr const char* row_order_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const int* pivots, int n, int* source) {
  extern __shared__ int memory[];
  int* const swapped = memory;
  int* const order = memory + n;
  const int* const mine = pivots + static_cast<long long>(blockIdx.x) * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    swapped[i] = mine[i] - 1;
    order[i] = i;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < n; ++i) {
      const int other = swapped[i];
      const int row = order[other];
      order[other] = order[i];
      order[i] = row;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) source[static_cast<long long>(blockIdx.x) * n + order[i]] = i;
}
)";

// Column j of each n x n matrix from column source[j], rows one after the other. One block for each row.
inline constexpr const char* order_columns_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const real* from, const int* source, int n, int parts, real* to) {
  const long long row = static_cast<long long>(blockIdx.x) * n;
  const int* const order = source + blockIdx.x / n * static_cast<long long>(n);
  for (int i = threadIdx.x; i < n * parts; i += blockDim.x) {
    to[row * parts + i] = from[(row + order[i / parts]) * parts + i % parts];
  }
}
)";

}}}  // namespace gnp::GNP_ABI::detail
