// SPDX-License-Identifier: MIT
// Kernels of a user's own, for the tests that run them and those that compile them for GPUs.
#pragma once

#include <gnp/gnp.hpp>

#define TEST_TILE 16

GNP_KERNEL(smooth3, (const float* in, float* out, gnp::index_t n), {
  const gnp::index_t i = grid_index();
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
});

GNP_KERNEL(saxpy, (float a, const float* x, float* y, int n), {
  const int i = static_cast<int>(grid_index());
  if (i < n) y[i] = a * x[i] + y[i];
});

GNP_DEVICE_FUNCTION(float, selu, (float x),
                    { return x > 0 ? 1.0507009873554805f * x : 1.7580993408473768f * (expf(x) - 1); })
GNP_DEVICE_FUNCTION(auto, square, (auto x), { return x * x; })
GNP_DEVICE_FUNCTION(auto, fourth_power, (auto x), { return square(square(x)); })
GNP_DEVICE_FUNCTION(int, thread_number, (), { return static_cast<int>(threadIdx.x); })

GNP_KERNEL(selu_of, (const float* in, float* out, gnp::index_t n), {
  for (gnp::index_t i = grid_index(); i < n; i += grid_size()) out[i] = selu(in[i]);
});

GNP_KERNEL(fourth_powers, (const auto* in, auto* out, gnp::index_t n), {
  const gnp::index_t i = grid_index();
  if (i < n) out[i] = fourth_power(in[i]) + static_cast<std::remove_cvref_t<decltype(*in)>>(thread_number());
});

GNP_KERNEL_TEMPLATE(transposed, (class T), (gnp::array_view<const T, 2> in, gnp::array_view<T, 2> out), {
  GNP_SHARED(T, tile, [TEST_TILE][TEST_TILE + 1]);
  const auto [x, y] = grid_index_2d();
  if (x < in.shape(1) && y < in.shape(0)) tile[threadIdx.y][threadIdx.x] = in(y, x);
  __syncthreads();
  const gnp::index_t u = gnp::index_t{blockIdx.y} * blockDim.y + threadIdx.x;
  const gnp::index_t v = gnp::index_t{blockIdx.x} * blockDim.x + threadIdx.y;
  if (u < in.shape(0) && v < in.shape(1)) out(v, u) = tile[threadIdx.x][threadIdx.y];
});

GNP_KERNEL(matrix_product, (const float* a, const float* b, float* c, int n), {
  GNP_SHARED(float, rows, [TEST_TILE][TEST_TILE]);
  GNP_SHARED(float, columns, [TEST_TILE][TEST_TILE]);
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  const auto [x, y] = grid_index_2d();
  float sum = 0;
  for (int k = 0; k < n; k += TEST_TILE) {
    rows[ty][tx] = y < n && k + tx < n ? a[y * n + k + tx] : 0.0f;
    columns[ty][tx] = x < n && k + ty < n ? b[(k + ty) * n + x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < TEST_TILE; ++j) sum += rows[ty][j] * columns[j][tx];
    __syncthreads();
  }
  if (x < n && y < n) c[y * n + x] = sum;
});

GNP_KERNEL(block_sums, (const double* in, double* sum, gnp::index_t n), {
  GNP_SHARED(double, of_warp, [32]);
  const gnp::index_t i = grid_index();
  double x = i < n ? in[i] : 0.0;
  for (unsigned distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffffu, x, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    double total = 0;
    for (unsigned w = 0; w < (blockDim.x + 31) / 32; ++w) total += of_warp[w];
    atomicAdd(sum, total);
  }
});

// One of each: votes, shuffles and counts of a block, as 12 numbers for each thread.
GNP_KERNEL(warp_functions, (unsigned* out), {
  const unsigned t = threadIdx.x;
  unsigned* const own = out + 12 * t;
  const unsigned all = 0xffffffffu;
  own[0] = __ballot_sync(all, t % 3 == 0);
  own[1] = static_cast<unsigned>(__any_sync(all, t == 5));
  own[2] = static_cast<unsigned>(__all_sync(all, t < 32));
  own[3] = __shfl_sync(all, t, 7);
  own[4] = __shfl_up_sync(all, t, 3, 8);
  own[5] = __shfl_down_sync(all, t, 3, 8);
  own[6] = __shfl_xor_sync(all, t, 1);
  own[7] = __match_any_sync(all, t % 4);
  own[8] = static_cast<unsigned>(__syncthreads_count(t % 2 == 0));
  own[9] = static_cast<unsigned>(__syncthreads_and(t < 40));
  own[10] = static_cast<unsigned>(__syncthreads_or(t == 33));
  if (t % 32 < 16) {
    own[11] = __shfl_sync(0xffffu, t, 15);
  } else {
    own[11] = __shfl_sync(0xffff0000u, t, 16);
  }
  __syncwarp();
});

// Each atomic operation on a place of its own.
GNP_KERNEL(atomic_functions, (int* i, unsigned* u, float* f, long long* wide, int n), {
  const int t = static_cast<int>(grid_index());
  if (t < n) {
    atomicAdd(&i[0], t);
    atomicSub(&i[1], 1);
    atomicMin(&i[2], -t);
    atomicMax(&i[3], t);
    atomicOr(&i[4], 1 << (t % 20));
    atomicAnd(&i[5], ~(1 << (t % 20)));
    atomicXor(&i[6], t);
    atomicExch(&i[7], 42);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&wide[0], 1LL << 33);
    while (true) {
      const int old = atomicAdd(&i[8], 0);
      if (atomicCAS(&i[8], old, old + 2) == old) break;
    }
  }
});

// The block's elements in the opposite order, through as much shared memory as the launch gives.
GNP_KERNEL(reversed_blocks, (const int* in, int* out), {
  GNP_DYNAMIC_SHARED(int, buffer);
  const gnp::index_t i = grid_index();
  buffer[blockDim.x - 1 - threadIdx.x] = in[i];
  __syncthreads();
  out[i] = buffer[threadIdx.x];
});

GNP_KERNEL(places_3d, (gnp::array_view<int, 3> out), {
  const auto [x, y, z] = grid_index_3d();
  if (x < out.shape(2) && y < out.shape(1) && z < out.shape(-3))
    out(z, y, x) = static_cast<int>(100 * z + 10 * y + x);
});

GNP_KERNEL(numbers,
           (bool b, signed char i8, unsigned char u8, short i16, std::int64_t i64, gnp::half h,
            gnp::bfloat16 bf, double d, gnp::complex64 c, double* out),
           {
             out[0] = b ? 1 : 0;
             out[1] = i8;
             out[2] = u8;
             out[3] = i16;
             out[4] = static_cast<double>(i64);
             out[5] = static_cast<float>(h);
             out[6] = static_cast<float>(bf);
             out[7] = d;
             out[8] = c.real();
             out[9] = c.imag();
           });

// CUDA's functions of numbers: of what type they are, and a value of those that C does not have.
GNP_KERNEL(functions_of_numbers, (float x, int n, double* out), {
  out[0] = static_cast<double>(sizeof(sqrt(x)) + 10 * sizeof(exp(x)) + 100 * sizeof(pow(x, 2.0f)));
  out[1] = static_cast<double>(sizeof(floor(x)) + 10 * sizeof(fabs(x)) + 100 * sizeof(atan2(x, x)));
  out[2] = static_cast<double>(sizeof(sqrt(0.5)) + 10 * sizeof(pow(2.0, 2.0)) + 100 * sizeof(fma(x, x, x)));
  out[3] = (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (isfinite(x) ? 4 : 0) + (signbit(x) ? 8 : 0);
  out[4] = sinpi(1.5f);
  out[5] = cospi(-1.0);
  out[6] = rcbrt(8.0);
  out[7] = rhypot(3.0, 4.0);
  out[8] = norm3d(2.0, 3.0, 6.0);
  out[9] = normcdf(0.0);
  out[10] = __umulhi(1u << 31, 6u) + 100.0 * __brev(1u << 30);
  out[11] = __float2int_rn(2.5f) + 10 * __float2int_rz(-3.75f) + 100 * __float2int_ru(4.25f);
  out[12] = __fsqrt_rn(2.25f) + __frcp_rn(4.0f) + __fdiv_rn(1.0f, 8.0f);
  out[13] = ldexp(0.75f, 3) + copysign(2.0f, -x) + fmin(x, 7.0f) + static_cast<float>(max(n, 3));
});

// The Mandelbrot set: how many steps until z leaves the circle.
GNP_KERNEL(mandelbrot, (gnp::array_view<int, 2> steps, double left, double top, double pixel, int most), {
  const auto [x, y] = grid_index_2d();
  if (x >= steps.shape(1) || y >= steps.shape(0)) return;
  const double re = left + pixel * static_cast<double>(x);
  const double im = top - pixel * static_cast<double>(y);
  double zr = 0;
  double zi = 0;
  int count = 0;
  while (count < most && zr * zr + zi * zi <= 4) {
    const double next = zr * zr - zi * zi + re;
    zi = 2 * zr * zi + im;
    zr = next;
    ++count;
  }
  steps(y, x) = count;
});
