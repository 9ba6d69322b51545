// SPDX-License-Identifier: MIT
// test: no-asan, timeout=300
// The kernel that multiplies integer matrices compiles for every architecture, which takes NVRTC but no GPU.
#include <gnp/linalg/gemm_kernel.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

TEST_CASE("the integers' matrix product") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (int d = 0; d <= static_cast<int>(gnp::dtype::uint64); ++d) {
    const auto type = static_cast<gnp::dtype>(d);
    kernels.push_back({std::string("matmul of ") + gnp::name(type), gnp::detail::gemm_kernel_source(type)});
  }
  check_all(kernels);
}

#else

TEST_CASE("the integers' matrix product") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
