// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// Every kernel text of linalg's factorisations is compiled for every architecture, which takes NVRTC but no
// GPU.
#include <gnp/linalg/gpu/determinant_text.hpp>
#include <gnp/linalg/gpu/jacobi.hpp>
#include <gnp/linalg/gpu/pivots_text.hpp>
#include <gnp/linalg/gpu/reflections_text.hpp>
#include <gnp/linalg/gpu/small_qr.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

TEST_CASE("the small kernels of linalg compile") {
  if (nvrtc_is_missing()) return;
  using namespace gnp::detail;
  std::vector<kernel> kernels;
  for (const char* real : {"float", "double"}) {
    const std::string of = std::string(" of ") + real;
    kernels.push_back({"largest" + of, linalg_source(real, magnitude_text, largest_kernel_text)});
    kernels.push_back({"rescale" + of, linalg_source(real, magnitude_text, rescale_kernel_text)});
    kernels.push_back({"determinant" + of, linalg_source(real, "", determinant_kernel_text)});
    kernels.push_back({"reflections" + of, linalg_source(real, "", reflections_kernel_text)});
    kernels.push_back({"row order" + of, linalg_source(real, "", row_order_kernel_text)});
    kernels.push_back({"order columns" + of, linalg_source(real, "", order_columns_kernel_text)});
  }
  check_all(kernels);
}

TEST_CASE("the kernels of small matrices compile for every type") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  for (const gnp::dtype type :
       {gnp::dtype::float32, gnp::dtype::float64, gnp::dtype::complex64, gnp::dtype::complex128}) {
    const std::string of = std::string(" of ") + name(type);
    kernels.push_back({"small QR" + of, gnp::detail::small_qr_source(type)});
    for (const gnp::index_t rows : {8, 128}) {
      kernels.push_back({"Jacobi" + of + ", " + std::to_string(rows) + " rows",
                         gnp::detail::jacobi_source(gnp::detail::plan_jacobi(rows, rows, type), type)});
    }
  }
  check_all(kernels);
}

#else

TEST_CASE("linalg kernel texts") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
