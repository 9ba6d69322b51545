// SPDX-License-Identifier: MIT
// gnp beside other CUDA code: a kernel that nvcc compiles, Thrust, cuBLAS called by hand, and a library that
// has a stream of its own. No array is copied on the way. This one needs the CUDA toolkit:
//
//   nvcc -std=c++20 -I include examples/beside_cuda.cu -lcublas -o beside_cuda
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <gnp/gnp.hpp>
#include <iostream>
#include <stdexcept>

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasGetStatusString(status));
}

__global__ void wrap_around(float* angles, long size) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < size) angles[i] = fmodf(angles[i], 360.0f);
}

/// Your own kernel: data() is a device pointer, and on the same stream all is in order.
void own_kernel(const gnp::stream& s) {
  const gnp::array<float> angles = gnp::arange<float>(1000) * 100;
  wrap_around<<<4, 256, 0, s.handle()>>>(angles.data(), angles.size());
  check(cudaGetLastError());
  std::cout << "the largest angle, wrapped by a kernel of nvcc's: " << max(angles) << '\n';
}

struct nearer_to_zero {
  __host__ __device__ bool operator()(float a, float b) const { return fabsf(a) < fabsf(b); }
};

/// Thrust takes data() as a device_ptr, and the stream in its policy.
void thrust_algorithm(const gnp::stream& s) {
  const gnp::array<float> values = gnp::arange<float>(-3, 4) + 0.25f;
  const thrust::device_ptr<float> first(values.data());
  thrust::sort(thrust::cuda::par.on(s.handle()), first, first + values.size(), nearer_to_zero());
  std::cout << "sorted by Thrust, by the distance from zero: " << values << '\n';
}

/// A routine of cuBLAS that gnp has no name for: one triangle of A times its own transpose. To cuBLAS, which
/// reads by columns, a row-major A of shape (n, k) is the transpose of one of shape (k, n).
void cublas_by_hand(const gnp::stream& s) {
  const int n = 200, k = 300;
  const gnp::array<float> a = gnp::random::default_rng(1).standard_normal<float>({n, k});
  const gnp::array<float> lower = gnp::zeros<float>({n, n});
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle));
  check(cublasSetStream(handle, s.handle()));
  const float one = 1, none = 0;
  check(cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, k, &one, a.data(), k, &none, lower.data(),
                    n));
  const gnp::array<float> error = max(abs(lower - tril(matmul(a, a.T()))));
  std::cout << "cuBLAS by hand and gnp's matmul agree: " << (float(error) < 1e-3f ? "yes" : "no") << '\n';
  check(cublasDestroy(handle));
}

/// A library that insists on a stream of its own, and whose memory an array takes over. Two events make the
/// order: the library waits for gnp, and gnp for the library.
void stream_of_a_library(const gnp::stream& s) {
  cudaStream_t its = nullptr;
  cudaEvent_t made = nullptr, used = nullptr;
  check(cudaStreamCreateWithFlags(&its, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&used, cudaEventDisableTiming));

  float* memory = nullptr;
  check(cudaMallocAsync(&memory, 1000 * sizeof(float), its));
  check(cudaMemsetAsync(memory, 0, 1000 * sizeof(float), its));
  check(cudaEventRecord(made, its));
  check(cudaStreamWaitEvent(s.handle(), made, 0));
  gnp::array<float> values = gnp::from_pointer(
      memory, {1000}, {.device = s.device(), .deleter = [](float* pointer) { cudaFree(pointer); }});
  values += 2;

  check(cudaEventRecord(used, s.handle()));
  check(cudaStreamWaitEvent(its, used, 0));
  float first = 0;
  check(cudaMemcpyAsync(&first, memory, sizeof first, cudaMemcpyDeviceToHost, its));
  check(cudaStreamSynchronize(its));
  std::cout << "a library's memory, after gnp's work on it: " << first << '\n';
  check(cudaEventDestroy(made));
  check(cudaEventDestroy(used));
  check(cudaStreamDestroy(its));
}

int main() {
  if (!gnp::cuda_available()) {
    // What nvcc has compiled works on the CPU like any other program.
    std::cout << "no CUDA device; on the CPU: " << sum(gnp::asarray<float>({{1, 2}, {3, 4}}) * 2) << '\n';
    return 0;
  }
  const gnp::stream s(gnp::device::cuda());
  const gnp::use_stream guard(s);
  own_kernel(s);
  thrust_algorithm(s);
  cublas_by_hand(s);
  stream_of_a_library(s);
}
