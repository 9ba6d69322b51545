// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
// Every kernel text of linalg's factorisations is compiled for every architecture, which takes NVRTC but no
// GPU.
#include <gnp/linalg/jacobi.hpp>
#include <gnp/linalg/kernels/determinant_text.hpp>
#include <gnp/linalg/kernels/reflections_text.hpp>
#include <gnp/linalg/small_qr.hpp>

#include "catch.hpp"

#if GNP_HAS_CUDA

#include <cstdio>

namespace {

bool nvrtc_is_missing() {
  try {
    gnp::detail::nvrtc();
    return false;
  } catch (const gnp::device_error&) {
    std::puts("skipped: no NVRTC");
    return true;
  }
}

void check_compiles(const std::string& source) {
  for (const int arch : {75, 80, 86, 90, 100, 120}) {
    INFO("sm_" << arch);
    CHECK_FALSE(gnp::detail::compile_kernel(source, arch).empty());
  }
}

TEST_CASE("the small kernels of linalg compile") {
  if (nvrtc_is_missing()) return;
  using namespace gnp::detail;
  for (const char* real : {"float", "double"}) {
    check_compiles(linalg_source(real, magnitude_text, largest_kernel_text));
    check_compiles(linalg_source(real, magnitude_text, rescale_kernel_text));
    check_compiles(linalg_source(real, "", determinant_kernel_text));
    check_compiles(linalg_source(real, "", reflections_kernel_text));
  }
}

TEST_CASE("the kernels of small matrices compile for every type") {
  if (nvrtc_is_missing()) return;
  for (const gnp::dtype type :
       {gnp::dtype::float32, gnp::dtype::float64, gnp::dtype::complex64, gnp::dtype::complex128}) {
    check_compiles(gnp::detail::small_qr_source(type));
    for (const gnp::index_t rows : {8, 128}) {
      check_compiles(gnp::detail::jacobi_source(gnp::detail::plan_jacobi(rows, rows, type), type));
    }
  }
}

}  // namespace

#else

TEST_CASE("linalg kernel texts") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
