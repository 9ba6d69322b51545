// SPDX-License-Identifier: MIT
// CUDA kernels of your own: on a GPU, or in a simulator where there is none.
#include <gnp/gnp.hpp>
#include <iostream>
#include <string>

#include "support/options.hpp"

// A thread for each element.
GNP_KERNEL(add_vectors, (const float* x, const float* y, float* sum, gnp::index_t n), {
  const gnp::index_t i = grid_index();
  if (i < n) sum[i] = x[i] + y[i];
});

// A function for kernels, and as many threads as there happen to be.
GNP_DEVICE_FUNCTION(float, selu, (float x), { return 1.05070098F * (x > 0 ? x : 1.67326324F * expm1f(x)); })
GNP_KERNEL(selu_of, (const float* x, float* y, gnp::index_t n), {
  for (gnp::index_t i = grid_index(); i < n; i += grid_size()) y[i] = selu(x[i]);
});

// Two dimensions: how many steps until z -> z^2 + c leaves the circle, for each pixel.
GNP_KERNEL(mandelbrot, (gnp::array_view<int, 2> steps, int most), {
  const auto [x, y] = grid_index_2d();
  if (x >= steps.shape(1) || y >= steps.shape(0)) return;
  const double re = -2 + 3 * static_cast<double>(x) / static_cast<double>(steps.shape(1));
  const double im = 1 - 2 * static_cast<double>(y) / static_cast<double>(steps.shape(0));
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

// A block's threads fetch tiles of both matrices once, and use them together.
GNP_KERNEL(multiply_matrices, (const float* a, const float* b, float* c, int n), {
  GNP_SHARED(float, rows, [16][16]);
  GNP_SHARED(float, columns, [16][16]);
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  const auto [x, y] = grid_index_2d();
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    rows[ty][tx] = y < n && k + tx < n ? a[y * n + k + tx] : 0.0F;
    columns[ty][tx] = x < n && k + ty < n ? b[(k + ty) * n + x] : 0.0F;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += rows[ty][j] * columns[j][tx];
    __syncthreads();
  }
  if (x < n && y < n) c[y * n + x] = sum;
});

// Each block adds up its part in a tree, and hands it over in one atomic addition.
GNP_KERNEL(add_up, (const int* x, unsigned long long* sum, gnp::index_t n), {
  GNP_SHARED(unsigned, part, [256]);
  const gnp::index_t i = grid_index();
  part[threadIdx.x] = i < n ? static_cast<unsigned>(x[i]) : 0U;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, static_cast<unsigned long long>(part[0]));
});

int main(int argc, char** argv) {
  gnp::index_t n = 1'000'000, size = 200, width = 64;
  support::options options("CUDA kernels of your own: on a GPU, or in a simulator where there is none.");
  options.add("n", n, "numbers to add");
  options.add("size", size, "rows and columns of the matrices to multiply");
  options.add("width", width, "pixels from left to right");
  options.parse(argc, argv);
  std::cout << "on " << gnp::to_string(gnp::default_device()) << '\n';

  gnp::random::generator rng = gnp::random::default_rng(1);
  gnp::array x = rng.normal<float>(0, 1, {n});
  gnp::array y = rng.normal<float>(0, 1, {n});
  gnp::array z = gnp::zeros<float>(n);
  add_vectors(gnp::grid(n))(x, y, z, n);
  std::cout << "vectors: " << (gnp::array_equal(z, x + y) ? "equal" : "not equal") << " to x + y\n";

  selu_of(gnp::blocks(64, 256))(x, z, n);
  gnp::array expected = where(x > 0, 1.05070098F * x, 1.05070098F * 1.67326324F * expm1(x));
  std::cout << "selu: largest difference " << abs(z - expected).max() << '\n';

  gnp::array a = rng.normal<float>(0, 1, {size, size});
  gnp::array b = rng.normal<float>(0, 1, {size, size});
  gnp::array c = gnp::empty<float>({size, size});
  multiply_matrices(gnp::grid({size, size}, {16, 16}))(a, b, c, size);
  std::cout << "matrices: largest difference " << abs(c - matmul(a, b)).max() << '\n';

  gnp::array<unsigned long long> sum = gnp::zeros<unsigned long long>(1);
  add_up(gnp::grid(n, 256))(gnp::arange<int>(n) % 1000, sum, n);
  std::cout << "sum: " << sum.item() << ", by gnp::sum: " << gnp::sum(gnp::arange(n) % 1000) << '\n';

  const gnp::index_t height = width / 3;
  gnp::array<int> steps = gnp::zeros<int>({height, width});
  mandelbrot(gnp::grid({width, height}))(steps, 50);
  const gnp::host_array<int> picture = gnp::asnumpy(steps);
  for (gnp::index_t row = 0; row < height; ++row) {
    std::string line;
    for (gnp::index_t column = 0; column < width; ++column) line += " .:-=+*#%@"[picture(row, column) * 9 / 50];
    std::cout << line << '\n';
  }
}
