// SPDX-License-Identifier: MIT
// Kernels of the user's own beside the same source under nvcc, in one program and by turns:
//
//   nvcc -std=c++20 -O3 -arch=native -I include benchmarks/peers/nvcc_rows.cu -o nvcc_rows && ./nvcc_rows
//
// It prints `name gnp's ms, nvcc's ms, their ratio`; the last row is a launch of a GNP_KERNEL beside one of an
// expression, both of gnp.
#include <cuda_runtime.h>

#include <gnp/gnp.hpp>

#include "rows.hpp"

namespace {

using gnp::array;
using gnp::index_t;

GNP_KERNEL(saxpy, (float a, const float* x, float* y, gnp::index_t n), {
  const gnp::index_t i = static_cast<gnp::index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
})

__global__ void saxpy_by_nvcc(float a, const float* x, float* y, index_t n) {
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// 32 x 32 elements by 32 x 8 threads; n is a multiple of 32.
GNP_KERNEL(transposed, (const float* x, float* y, int n), {
  GNP_SHARED(float, tile, [32][33]);
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    tile[threadIdx.y + k][threadIdx.x] = x[static_cast<gnp::index_t>(row + k) * n + column];
  }
  __syncthreads();
  const int to_row = blockIdx.x * 32 + threadIdx.y;
  const int to_column = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    y[static_cast<gnp::index_t>(to_row + k) * n + to_column] = tile[threadIdx.x][threadIdx.y + k];
  }
})

__global__ void transposed_by_nvcc(const float* x, float* y, int n) {
  __shared__ float tile[32][33];
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    tile[threadIdx.y + k][threadIdx.x] = x[static_cast<index_t>(row + k) * n + column];
  }
  __syncthreads();
  const int to_row = blockIdx.x * 32 + threadIdx.y;
  const int to_column = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    y[static_cast<index_t>(to_row + k) * n + to_column] = tile[threadIdx.x][threadIdx.y + k];
  }
}

/// Both by turns, five times; the medians.
void row(const char* name, const auto& first, const auto& second) {
  const auto wait = [] { gnp::synchronize(); };
  std::vector<double> of_first, of_second;
  for (int turn = 0; turn < 5; ++turn) {
    of_first.push_back(rows::time_calls(first, wait));
    of_second.push_back(rows::time_calls(second, wait));
  }
  const double a = rows::median(of_first) * 1e3, b = rows::median(of_second) * 1e3;
  std::printf("%-10s %.5f ms, %.5f ms, ratio %.3f\n", name, a, b, a / b);
}

}  // namespace

int main() {
  if (!gnp::cuda_available()) {
    std::puts("skipped: no CUDA device");
    return 0;
  }
  {
    const index_t n = index_t{1} << 28;
    const unsigned blocks = static_cast<unsigned>(n / 256);
    const array<float> x = gnp::arange<float>(n), y = gnp::ones<float>(n);
    row(
        "saxpy", [&] { saxpy(gnp::grid(n, 256))(0.5f, x, y, n); },
        [&] { saxpy_by_nvcc<<<blocks, 256>>>(0.5f, x.data(), y.data(), n); });
  }
  {
    const int n = 16384;
    const array<float> x = gnp::arange<float>(index_t{n} * n).reshape(n, n), y = gnp::zeros<float>({n, n});
    const auto check = [&] {
      if (!gnp::array_equal(y, x.T())) throw std::runtime_error("transpose: wrong result");
      y.fill(0);
    };
    transposed(gnp::blocks({n / 32, n / 32}, {32, 8}))(x, y, n);
    check();
    transposed_by_nvcc<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(x.data(), y.data(), n);
    check();
    row(
        "transpose", [&] { transposed(gnp::blocks({n / 32, n / 32}, {32, 8}))(x, y, n); },
        [&] { transposed_by_nvcc<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(x.data(), y.data(), n); });
  }
  {
    const array<float> x = gnp::ones<float>(1000);
    array<float> y = gnp::ones<float>(1000);
    row("launch", [&] { saxpy(gnp::grid(1000, 256))(0.5f, x, y, 1000); }, [&] { y += x * 0.5f; });
  }
}
