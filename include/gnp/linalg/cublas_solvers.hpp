// SPDX-License-Identifier: MIT
// cuBLAS beyond products: triangular solves, and factorisations of many small matrices in one launch.
#pragma once

#include <gnp/array/storage.hpp>
#include <gnp/linalg/cublas.hpp>

#if GNP_HAS_CUBLAS

namespace gnp::inline GNP_ABI::detail {

// float's functions stand for those of all four types, which differ in the type of a pointer only.
using getrf_batched_function = cublasStatus_t (*)(cublasHandle_t, int, void* const*, int, int*, int*, int);
using getrs_batched_function = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, int, int,
                                                  const void* const*, int, const int*, void* const*, int, int*,
                                                  int);
using getri_batched_function = cublasStatus_t (*)(cublasHandle_t, int, const void* const*, int, const int*,
                                                  void* const*, int, int*, int);
using trsm_function = cublasStatus_t (*)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                                         cublasDiagType_t, int, int, const void*, const void*, int, void*, int);

/// The functions for one element type.
struct cublas_solvers {
  trsm_function trsm = nullptr;
  getrf_batched_function getrf = nullptr;
  getrs_batched_function getrs = nullptr;
  getri_batched_function getri = nullptr;
};

template <class T>
const cublas_solvers& solvers_of() {
  static const cublas_solvers functions = [] {
    constexpr int type = static_cast<int>(dtype_of<T>) - static_cast<int>(dtype::float32);
    const std::string letter(1, "SDCZ"[type]);
    cublas_solvers loaded;
    load_symbol(cublas().library, ("cublas" + letter + "trsm_v2").c_str(), loaded.trsm);
    load_symbol(cublas().library, ("cublas" + letter + "getrfBatched").c_str(), loaded.getrf);
    load_symbol(cublas().library, ("cublas" + letter + "getrsBatched").c_str(), loaded.getrs);
    load_symbol(cublas().library, ("cublas" + letter + "getriBatched").c_str(), loaded.getri);
    return loaded;
  }();
  return functions;
}

}  // namespace gnp::inline GNP_ABI::detail

#endif
