// SPDX-License-Identifier: MIT
// Kernel text: singular value decompositions of many small matrices by one-sided Jacobi rotations.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// Elements are numbers of one real type, or pairs of them. Multiply-adds are fused explicitly, because gnp
// compiles without fusing.
inline constexpr const char* jacobi_real_text = R"(
using element = real;
__device__ inline element conjugate(element x) { return x; }
__device__ inline real magnitude(element x) { return fabs(x); }
__device__ inline real square_of(element x) { return x * x; }
__device__ inline element scaled(element x, real by) { return x * by; }
__device__ inline element madd(element x, element y, element z) { return fma(x, y, z); }
__device__ inline element conj_madd(element x, element y, element z) { return fma(x, y, z); }
__device__ inline element plus(element x, real by, element y) { return fma(by, y, x); }
__device__ inline element from_lane(element x, int offset) { return __shfl_xor_sync(0xffffffffu, x, offset); }
__device__ inline bool is_finite(element x) { return x - x == 0; }
__device__ inline real largest_part(element x) { return fabs(x); }
__device__ inline element number(real x) { return x; }
__device__ inline real real_part(element x) { return x; }
__device__ inline real imaginary(element) { return 0; }
__device__ inline element inverse(element x) { return 1 / x; }
__device__ inline element direction(element x, real) { return x < 0 ? real(-1) : real(1); }
)";

inline constexpr const char* jacobi_complex_text = R"(
struct element { real x, y; };
__device__ inline element operator+(element a, element b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline element operator-(element a, element b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline element conjugate(element a) { return {a.x, -a.y}; }
__device__ inline real magnitude(element a) { return hypot(a.x, a.y); }
__device__ inline real square_of(element a) { return fma(a.x, a.x, a.y * a.y); }
__device__ inline element scaled(element a, real by) { return {a.x * by, a.y * by}; }
__device__ inline element madd(element a, element b, element c) {
  return {fma(a.x, b.x, fma(-a.y, b.y, c.x)), fma(a.x, b.y, fma(a.y, b.x, c.y))};
}
__device__ inline element conj_madd(element a, element b, element c) { return madd(conjugate(a), b, c); }
__device__ inline element plus(element a, real by, element b) { return {fma(by, b.x, a.x), fma(by, b.y, a.y)}; }
__device__ inline element from_lane(element a, int offset) {
  return {__shfl_xor_sync(0xffffffffu, a.x, offset), __shfl_xor_sync(0xffffffffu, a.y, offset)};
}
__device__ inline bool is_finite(element a) { return a.x - a.x == 0 && a.y - a.y == 0; }
__device__ inline real largest_part(element a) { return fmax(fabs(a.x), fabs(a.y)); }
__device__ inline element number(real x) { return {x, 0}; }
__device__ inline real real_part(element a) { return a.x; }
__device__ inline real imaginary(element a) { return a.y; }
__device__ inline element direction(element a, real length) { return scaled(a, 1 / length); }
__device__ inline element inverse(element a) {
  const real square = square_of(a);  // of numbers scaled to about 1
  return {a.x / square, -a.y / square};
}
)";

// One block for each matrix. A's columns and those of the identity lie in shared memory; `lanes` threads rotate
// a pair of columns, all pairs of a round at the same time, until every pair is orthogonal. Then A's columns
// are U times the singular values, and the identity has become V.
//
// rows, lanes, per_lane (= rows / lanes), stride (between columns) are constants put before this text. Rows
// past m are zeros. `values` is set where vectors are not wanted.
inline constexpr const char* jacobi_kernel_text = R"(
extern "C" __global__ void gnp_kernel(const element* matrices, int m, int n, real* singular, element* u, element* v,
                                      int values, int* status) {
  extern __shared__ double shared_memory[];
  element* const a = reinterpret_cast<element*>(shared_memory);
  element* const w = a + n * stride;
  __shared__ real peaks[32];
  __shared__ int orders[128];
  __shared__ real lengths[128];
  __shared__ real row_squares[128];
  __shared__ int busy;
  __shared__ int live;
  const int thread = threadIdx.x;
  const int threads = blockDim.x;
  const element* const matrix = matrices + static_cast<long long>(blockIdx.x) * m * n;

  // Load, and scale to a magnitude of 1 by a power of two, which is exact.
  real peak = 0;
  int finite = 1;
  for (int i = thread; i < n * stride; i += threads) {
    const int row = i % stride;
    const int column = i / stride;
    const element x = row < m ? matrix[column * m + row] : number(0);
    a[i] = x;
    if (!values) w[i] = number(row == column ? 1 : 0);
    if (!is_finite(x)) finite = 0;
    peak = fmax(peak, largest_part(x));
  }
  for (int offset = 16; offset > 0; offset /= 2) peak = fmax(peak, __shfl_xor_sync(0xffffffffu, peak, offset));
  if (thread % 32 == 0) peaks[thread / 32] = peak;
  finite = __syncthreads_and(finite);
  for (int i = 0; i < threads / 32; ++i) peak = fmax(peak, peaks[i]);
  int exponent = 0;
  if (finite && peak > 0) exponent = most_exponent < -ilogb(peak) ? most_exponent : -ilogb(peak);
  const real scale = finite ? scalbn(real(1), exponent) : real(0);
  for (int i = thread; i < n * stride; i += threads) a[i] = finite ? scaled(a[i], scale) : number(0);

  const int pair = thread / lanes;
  const int lane = thread % lanes;
  const int players = n + n % 2;
  const real enough = epsilon * sqrt(real(m));
  int sweep = 0;
  for (; sweep < 40; ++sweep) {
    __syncthreads();
    if (thread == 0) busy = 0;
    for (int round = 0; round < players - 1; ++round) {
      __syncthreads();
      // A tournament: each round pairs all columns, and all rounds make every pair once.
      int p = pair == 0 ? players - 1 : (round + pair) % (players - 1);
      int q = pair == 0 ? round : (round - pair + players - 1) % (players - 1);
      if (p > q) { const int swapped = p; p = q; q = swapped; }
      const bool playing = pair < players / 2 && q < n;
      element x[per_lane];
      element y[per_lane];
      real alpha = 0;
      real beta = 0;
      element gamma = number(0);
      if (playing) {
#pragma unroll
        for (int k = 0; k < per_lane; ++k) {
          x[k] = a[p * stride + lane + k * lanes];
          y[k] = a[q * stride + lane + k * lanes];
          alpha += square_of(x[k]);
          beta += square_of(y[k]);
          gamma = conj_madd(x[k], y[k], gamma);
        }
      }
#pragma unroll
      for (int offset = lanes / 2; offset > 0; offset /= 2) {
        alpha += __shfl_xor_sync(0xffffffffu, alpha, offset);
        beta += __shfl_xor_sync(0xffffffffu, beta, offset);
        gamma = gamma + from_lane(gamma, offset);
      }
      // A column of next to nothing counts as zero: its square would be no normal number.
      const real product = sqrt(alpha) * sqrt(beta);
      const real cosine = magnitude(gamma);
      if (!playing || alpha < nothing || beta < nothing || !(cosine > epsilon * product)) continue;
      if (cosine > enough * product) busy = 1;
      // The smaller of the two angles; no square of a small or a large number is taken here.
      const real difference = beta - alpha;
      const real t = (difference < 0 ? real(-2) : real(2)) * cosine / (fabs(difference) + hypot(difference, 2 * cosine));
      const real root = sqrt(fma(t, t, real(1)));
      const real s = t / root;
      const element phase = direction(conjugate(gamma), cosine);  // makes the product of the columns real
      // As a change of each column, small where the angle is: c and s themselves would let V drift.
      const real tau = t / (1 + root);
#pragma unroll
      for (int k = 0; k < per_lane; ++k) {
        a[p * stride + lane + k * lanes] = plus(x[k], -s, madd(phase, y[k], scaled(x[k], tau)));
        a[q * stride + lane + k * lanes] = plus(y[k], s, conj_madd(phase, x[k], scaled(y[k], -tau)));
      }
      if (!values) {
#pragma unroll
        for (int k = 0; k < per_lane; ++k) {
          const element f = w[p * stride + lane + k * lanes];
          const element g = w[q * stride + lane + k * lanes];
          w[p * stride + lane + k * lanes] = plus(f, -s, madd(phase, g, scaled(f, tau)));
          w[q * stride + lane + k * lanes] = plus(g, s, conj_madd(phase, f, scaled(g, -tau)));
        }
      }
    }
    __syncthreads();
    if (!busy) break;
  }

  // Lengths, and the place of each in descending order.
  __syncthreads();
  for (int first = 0; first < n; first += threads / lanes) {
    const int column = first + pair;
    real square = 0;
    if (column < n) {
      for (int k = 0; k < per_lane; ++k) square += square_of(a[column * stride + lane + k * lanes]);
    }
#pragma unroll
    for (int offset = lanes / 2; offset > 0; offset /= 2) square += __shfl_xor_sync(0xffffffffu, square, offset);
    if (column < n && lane == 0) lengths[column] = square < nothing ? real(0) : sqrt(square);
  }
  if (thread == 0) live = 0;
  __syncthreads();
  for (int column = thread; column < n; column += threads) {
    int order = 0;
    for (int other = 0; other < n; ++other) {
      order += lengths[other] > lengths[column] || (lengths[other] == lengths[column] && other < column);
    }
    orders[column] = order;
    singular[static_cast<long long>(blockIdx.x) * n + order] = lengths[column] * scalbn(real(1), -exponent);
    if (lengths[column] > 0) atomicAdd(&live, 1);
  }
  if (thread == 0) status[blockIdx.x] = !finite ? -1 : sweep == 40 ? 1 : 0;
  if (values) return;
  __syncthreads();
  element* const u_out = u + static_cast<long long>(blockIdx.x) * m * n;
  element* const v_out = v + static_cast<long long>(blockIdx.x) * n * n;
  for (int i = thread; i < n * n; i += threads) v_out[orders[i / n] * n + i % n] = w[i / n * stride + i % n];
  __syncthreads();  // from here on w holds U, in order
  for (int i = thread; i < n * stride; i += threads) {
    const real length = lengths[i / stride];
    w[orders[i / stride] * stride + i % stride] = length > 0 ? scaled(a[i], 1 / length) : number(0);
  }
  __syncthreads();

  // Columns of length zero have no direction: any will do that is orthogonal to the rest. The axis that is
  // farthest from what is there makes one.
  for (int column = live; column < n; ++column) {
    for (int row = thread; row < m; row += threads) {
      real square = 0;
      for (int j = 0; j < column; ++j) square += square_of(w[j * stride + row]);
      row_squares[row] = square;
    }
    __syncthreads();
    int axis = 0;
    for (int row = 1; row < m; ++row) {
      if (row_squares[row] < row_squares[axis]) axis = row;
    }
    __syncthreads();
    element* const made = w + column * stride;
    for (int row = thread; row < m; row += threads) made[row] = number(row == axis ? 1 : 0);
    for (int pass = 0; pass < 2; ++pass) {
      __syncthreads();
      for (int j = thread; j < column; j += threads) {
        element sum = number(0);
        for (int row = 0; row < m; ++row) sum = conj_madd(w[j * stride + row], made[row], sum);
        a[j] = scaled(sum, -1);
      }
      __syncthreads();
      for (int row = thread; row < m; row += threads) {
        element sum = made[row];
        for (int j = 0; j < column; ++j) sum = madd(w[j * stride + row], a[j], sum);
        made[row] = sum;
      }
    }
    __syncthreads();
    real square = 0;
    for (int row = 0; row < m; ++row) square += square_of(made[row]);
    __syncthreads();
    for (int row = thread; row < m; row += threads) made[row] = scaled(made[row], 1 / sqrt(square));
    __syncthreads();
  }
  for (int i = thread; i < n * m; i += threads) u_out[i] = w[i / m * stride + i % m];
}
)";

}}}  // namespace gnp::GNP_ABI::detail
