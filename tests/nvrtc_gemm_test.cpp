// SPDX-License-Identifier: MIT
// test: no-asan, timeout=300
// The kernel that multiplies matrices compiles for every architecture, which takes NVRTC but no GPU.
#include <gnp/linalg/product/gemm_kernel.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

template <class... T>
std::vector<kernel> gemm_kernels() {
  std::vector<kernel> kernels;
  for (const auto tiles : {gnp::detail::gemm_tiles::of_64, gnp::detail::gemm_tiles::of_16}) {
    const char* size = tiles == gnp::detail::gemm_tiles::of_16 ? " in small tiles" : "";
    (kernels.push_back({std::string("matmul of ") + gnp::name(gnp::dtype_of<T>) + size,
                        gnp::detail::gemm_kernel_source<T>(tiles)}),
     ...);
  }
  return kernels;
}

}  // namespace

TEST_CASE("the matrix product") {
  if (nvrtc_is_missing()) return;
  check_all(gemm_kernels<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                         std::uint16_t, std::uint32_t, std::uint64_t, gnp::half, gnp::bfloat16, float, double,
                         gnp::complex64, gnp::complex128>());
}

#else

TEST_CASE("the matrix product") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
