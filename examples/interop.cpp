// SPDX-License-Identifier: MIT
// gnp beside code that knows nothing of it: Eigen on the host, the CUDA runtime on the device. Memory is
// shared, not copied, where both sides can reach it.
#include <algorithm>
#include <gnp/gnp.hpp>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "support/options.hpp"

#if __has_include(<Eigen/Dense>)
#include <Eigen/Dense>
#define HAVE_EIGEN 1
#elif __has_include(<eigen3/Eigen/Dense>)
#include <eigen3/Eigen/Dense>
#define HAVE_EIGEN 1
#endif
#ifdef HAVE_CUDA_RUNTIME  // CMake says so where it can link it; gnp itself does not need it
#include <cuda_runtime_api.h>
#endif

/// Your own code, which takes a pointer.
float sum_of_squares(const float* values, gnp::index_t n) {
  float sum = 0;
  for (gnp::index_t i = 0; i < n; ++i) sum += values[i] * values[i];
  return sum;
}

/// Any C++ code reads and writes a host_array through data(); gnp computes in memory that belongs to a vector.
void plain_pointers(gnp::index_t n) {
  const gnp::host_array<float> host = gnp::asnumpy(gnp::linspace<float>(0, 1, n));
  std::cout << "sum of squares by your own function: " << sum_of_squares(host.data(), host.size()) << '\n';

  std::vector<float> mine(static_cast<std::size_t>(n), 2);
  gnp::array view = gnp::from_pointer(mine.data(), {n}, gnp::device::cpu());  // mine must outlive it
  view *= view + 1;
  std::cout << "the vector's last element, after gnp's work on it: " << mine.back() << '\n';
}

#ifdef HAVE_EIGEN
void eigen(gnp::index_t n) {
  using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // What gnp made, as Eigen's. A host_array is row-major; Eigen's own matrices are not, unless told.
  const gnp::array x = gnp::linspace(-1, 1, n);
  gnp::host_array<double> kernel = gnp::asnumpy(exp(-gnp::square(x.reshape(-1, 1) - x)) + gnp::eye(n));
  const Eigen::Map<row_major> matrix(kernel.data(), n, n);
  const Eigen::LLT<row_major> factor(matrix);
  const Eigen::VectorXd solution = factor.solve(Eigen::VectorXd::Ones(n));

  // What Eigen made, as gnp's: copied to the device, and checked there.
  const gnp::array y = gnp::asarray(solution);
  const gnp::array residual = gnp::matmul(gnp::asarray(kernel), y) - 1;
  std::cout << "Eigen's solution of gnp's equations, residual by gnp: " << gnp::max(gnp::abs(residual)) << '\n';

  // And in place: gnp on the CPU device works in Eigen's memory. A column-major matrix is a transposed array.
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(2, 3);
  gnp::array view = gnp::from_pointer(columns.data(), {3, 2}, gnp::device::cpu()).T();
  {
    const gnp::use_device guard(gnp::device::cpu());
    view(gnp::ellipsis) = gnp::arange(2).reshape(-1, 1) * 10 + gnp::arange(3);
  }
  std::cout << "Eigen's matrix, written by gnp:\n" << columns << '\n';
}
#endif

#ifdef HAVE_CUDA_RUNTIME
void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// gnp and the runtime share the device's primary context and, on the default stream, their order.
void cuda_runtime(gnp::index_t n) {
  float* foreign = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&foreign), static_cast<std::size_t>(n) * sizeof(float)));
  check(cudaMemset(foreign, 0, static_cast<std::size_t>(n) * sizeof(float)));
  {
    gnp::array view =
        gnp::from_pointer(foreign, {n}, gnp::device::cuda());  // not copied, and never freed by gnp
    view += gnp::linspace<float>(0, 1, n).to(view.device());
  }
  float last = 0;
  check(cudaMemcpy(&last, foreign + n - 1, sizeof last, cudaMemcpyDeviceToHost));
  std::cout << "memory of cudaMalloc, written by gnp: its last element is " << last << '\n';
  check(cudaFree(foreign));

  // The other way round: data() is a device pointer like any other.
  const gnp::array zeros = gnp::ones<float>({n}).to(gnp::device::cuda());
  check(cudaMemset(zeros.data(), 0, static_cast<std::size_t>(zeros.nbytes())));
  std::cout << "memory of gnp, cleared by cudaMemset: its sum is " << gnp::sum(zeros) << '\n';
}
#endif

int main(int argc, char** argv) {
  gnp::index_t n = 1000;
  support::options options("gnp beside Eigen, the CUDA runtime and your own pointers.");
  options.add("size", n, "of the vectors and matrices");
  options.parse(argc, argv);

  plain_pointers(n);
#ifdef HAVE_EIGEN
  eigen(std::min<gnp::index_t>(n, 200));
#else
  std::cout << "built without Eigen\n";
#endif
#ifdef HAVE_CUDA_RUNTIME
  if (gnp::cuda_available()) {
    cuda_runtime(n);
  } else {
    std::cout << "no GPU for the CUDA runtime\n";
  }
#else
  std::cout << "built without the CUDA runtime\n";
#endif
}
