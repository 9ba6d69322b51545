// SPDX-License-Identifier: MIT
// A user's .cu file: gnp's arrays and a kernel of their own, compiled by nvcc.
#include <cstdio>
#include <gnp/gnp.hpp>

__global__ void add_one(float* values, long size) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) {
    values[i] += 1;
  }
}

int main() {
  gnp::array<float> a = gnp::asarray<float>({{1, 2}, {3, 4}});
  gnp::array<float> b = a * 2;
  if (gnp::default_device() == gnp::device::cpu()) {
    b += 1;
  } else {
    add_one<<<1, 32>>>(b.data(), b.size());
    cudaDeviceSynchronize();
  }
  const bool right = gnp::asnumpy(b)(1, 1) == 9;
  std::printf("gnp %s by nvcc, result: %s\n", GNP_VERSION, right ? "right" : "wrong");
  return right ? 0 : 1;
}
