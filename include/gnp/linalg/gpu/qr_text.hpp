// SPDX-License-Identifier: MIT
// Kernel text: Q and R of many small matrices by Householder reflections.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// One block for each matrix, whose columns are in shared memory; a warp reflects one column at a time. The
// signs are LAPACK's. Q has q_columns columns (it is not computed if that is 0), and R has `kept` rows; both
// are written by rows.
inline constexpr const char* qr_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const element* matrices, int m, int n, int q_columns, int kept, element* q,
                                      element* r) {
  extern __shared__ double shared_memory[];
  element* const a = reinterpret_cast<element*>(shared_memory);
  __shared__ element taus[512];
  __shared__ real peaks[32];
  const int stride = m % 2 == 0 ? m + 1 : m;
  const int thread = threadIdx.x;
  const int threads = blockDim.x;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int warps = threads / 32;
  const int reflections = m < n ? m : n;
  const element* const matrix = matrices + static_cast<long long>(blockIdx.x) * m * n;

  // Load, and scale to a magnitude of 1 by a power of two, which is exact.
  real peak = 0;
  for (int i = thread; i < m * n; i += threads) {
    const element x = matrix[i];
    a[i / m * stride + i % m] = x;
    peak = fmax(peak, largest_part(x));
  }
  for (int offset = 16; offset > 0; offset /= 2) peak = fmax(peak, __shfl_xor_sync(0xffffffffu, peak, offset));
  if (lane == 0) peaks[warp] = peak;
  __syncthreads();
  for (int i = 0; i < warps; ++i) peak = fmax(peak, peaks[i]);
  int exponent = 0;
  if (peak > 0 && peak - peak == 0) exponent = most_exponent < -ilogb(peak) ? most_exponent : -ilogb(peak);
  const real scale = scalbn(real(1), exponent);
  for (int i = thread; i < n * stride; i += threads) {
    if (i % stride < m) a[i] = scaled(a[i], scale);
  }

  for (int j = 0; j < reflections; ++j) {
    __syncthreads();
    element* const v = a + j * stride;
    if (warp == 0) {
      // What is left of a column may be far below the matrix: it is measured at a magnitude of 1.
      real most = 0;
      for (int i = j + lane; i < m; i += 32) most = fmax(most, largest_part(v[i]));
      for (int offset = 16; offset > 0; offset /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, offset));
      int lift = 0;
      if (most > 0 && most - most == 0) lift = most_exponent < -ilogb(most) ? most_exponent : -ilogb(most);
      const real up = scalbn(real(1), lift);
      real tail = 0;
      for (int i = j + 1 + lane; i < m; i += 32) tail += square_of(scaled(v[i], up));
      for (int offset = 16; offset > 0; offset /= 2) tail += __shfl_xor_sync(0xffffffffu, tail, offset);
      const element alpha = scaled(v[j], up);
      element tau = number(0);
      if (tail != 0 || imaginary(alpha) != 0) {
        const real length = sqrt(square_of(alpha) + tail);
        const real beta = real_part(alpha) < 0 ? length : -length;
        tau = scaled(alpha - number(beta), -1 / beta);
        const element factor = inverse(alpha - number(beta));
        for (int i = j + 1 + lane; i < m; i += 32) v[i] = madd(scaled(v[i], up), factor, number(0));
        __syncwarp();
        if (lane == 0) v[j] = number(scalbn(beta, -lift));
      }
      if (lane == 0) taus[j] = tau;
    }
    __syncthreads();
    const element tau = conjugate(taus[j]);
    for (int column = j + 1 + warp; column < n; column += warps) {
      element* const x = a + column * stride;
      element sum = lane == 0 ? x[j] : number(0);
      for (int i = j + 1 + lane; i < m; i += 32) sum = conj_madd(v[i], x[i], sum);
      for (int offset = 16; offset > 0; offset /= 2) sum = sum + from_lane(sum, offset);
      sum = scaled(madd(tau, sum, number(0)), -1);
      if (lane == 0) x[j] = x[j] + sum;
      for (int i = j + 1 + lane; i < m; i += 32) x[i] = madd(v[i], sum, x[i]);
    }
  }
  __syncthreads();
  const real undo = scalbn(real(1), -exponent);
  element* const r_out = r + static_cast<long long>(blockIdx.x) * kept * n;
  for (int i = thread; i < kept * n; i += threads) {
    const int row = i / n;
    const int column = i % n;
    r_out[i] = row <= column ? scaled(a[column * stride + row], undo) : number(0);
  }
  if (q_columns == 0) return;

  // Q from the last reflection to the first, in the place of the reflections.
  __syncthreads();
  for (int i = thread + reflections * stride; i < q_columns * stride; i += threads) {
    a[i] = number(i % stride == i / stride ? 1 : 0);
  }
  for (int j = reflections - 1; j >= 0; --j) {
    __syncthreads();
    element* const v = a + j * stride;
    const element tau = taus[j];
    for (int column = j + 1 + warp; column < q_columns; column += warps) {
      element* const x = a + column * stride;
      element sum = number(0);
      for (int i = j + 1 + lane; i < m; i += 32) sum = conj_madd(v[i], x[i], sum);
      for (int offset = 16; offset > 0; offset /= 2) sum = sum + from_lane(sum, offset);
      sum = scaled(madd(tau, sum, number(0)), -1);
      if (lane == 0) x[j] = sum;
      for (int i = j + 1 + lane; i < m; i += 32) x[i] = madd(v[i], sum, x[i]);
    }
    __syncthreads();
    if (warp == 0) {
      for (int i = lane; i < m; i += 32) {
        v[i] = i < j ? number(0) : i == j ? number(1) - tau : scaled(madd(tau, v[i], number(0)), -1);
      }
    }
  }
  __syncthreads();
  element* const q_out = q + static_cast<long long>(blockIdx.x) * m * q_columns;
  for (int i = thread; i < m * q_columns; i += threads) q_out[i] = a[i % q_columns * stride + i / q_columns];
}
)";

}}}  // namespace gnp::GNP_ABI::detail
