// SPDX-License-Identifier: MIT
// What gnp uses of cuFFT, in declarations of gnp's own, as cublas_functions.hpp has them of cuBLAS.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <cuda.h>

#include <cstddef>

namespace gnp { inline namespace GNP_ABI { namespace detail {

using cufft_handle = int;

enum class cufft_status : int { success = 0, alloc_failed = 2 };
/// From what to what a plan transforms.
enum class cufft_type : int {
  complex64 = 0x29,
  float32_to_complex64 = 0x2a,
  complex64_to_float32 = 0x2c,
  complex128 = 0x69,
  float64_to_complex128 = 0x6a,
  complex128_to_float64 = 0x6c
};

// X(name as the library exports it, type).
#define GNP_CUFFT_FUNCTIONS(X)                                                                            \
  X(cufftCreate, cufft_status(cufft_handle*))                                                             \
  X(cufftDestroy, cufft_status(cufft_handle))                                                             \
  X(cufftSetAutoAllocation, cufft_status(cufft_handle, int allocates))                                    \
  X(cufftMakePlanMany64,                                                                                  \
    cufft_status(cufft_handle, int rank, long long* n, long long* in_embed, long long in_step,            \
                 long long in_distance, long long* out_embed, long long out_step, long long out_distance, \
                 cufft_type, long long batch, std::size_t* work_bytes))                                   \
  X(cufftSetStream, cufft_status(cufft_handle, CUstream))                                                 \
  X(cufftSetWorkArea, cufft_status(cufft_handle, void* work))                                             \
  X(cufftXtExec, cufft_status(cufft_handle, void* in, void* out, int direction))

}}}  // namespace gnp::GNP_ABI::detail

#endif
