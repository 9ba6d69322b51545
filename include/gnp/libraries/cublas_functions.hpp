// SPDX-License-Identifier: MIT
// The parts of cuBLAS that gnp uses, declared by gnp itself, because the library is opened at run time, and its
// headers would put a ::half and macros into every program. tests/library_declarations_test.cpp compares these
// declarations with the headers.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct cublas_context;
using cublas_handle = cublas_context*;
// cuBLASLt's: a context is also what a cublas_handle points to, the others describe a product.
struct cublas_lt_context;
struct cublas_lt_product;
struct cublas_lt_layout;
struct cublas_lt_preference;
struct cublas_lt_algorithm {
  std::uint64_t data[8];
};

// The values that gnp passes or distinguishes; the libraries have more.
enum class cuda_data_type : int {
  float32 = 0,
  float64 = 1,
  float16 = 2,
  complex64 = 4,
  complex128 = 5,
  bfloat16 = 14
};
enum class cublas_status : int { success = 0, alloc_failed = 3 };
enum class cublas_operation : int { as_is = 0, transposed = 1 };
enum class cublas_fill : int { lower = 0, upper = 1 };
enum class cublas_side : int { left = 0, right = 1 };
enum class cublas_diagonal : int { not_unit = 0, unit = 1 };
enum class cublas_pointer_mode : int { host = 0, device = 1 };
enum class cublas_math : int { no_sums_in_16_bits = 16 };
enum class cublas_compute : int { float32 = 68, float64 = 70, tf32 = 77 };
enum class cublas_algorithm : int { standard = -1 };
enum class cublas_lt_product_attribute : int { a_operation = 3, b_operation = 4 };
enum class cublas_lt_layout_attribute : int { count = 5, step = 6 };
enum class cublas_lt_preference_attribute : int {
  workspace_bytes = 1,
  reductions = 3,
  a_alignment = 5,
  b_alignment = 6,
  c_alignment = 7,
  result_alignment = 8
};
enum class cublas_lt_algorithm_attribute : int { tile = 1, stages = 6, instruction = 7 };
/// The part of a result that one block of threads computes: rows by columns.
enum class cublas_lt_tile : std::uint32_t {
  of_32x32 = 11,
  of_64x128 = 17,
  of_128x64 = 18,
  of_128x128 = 20,
  of_128x256 = 23,
  of_256x128 = 24
};
/// How deep a block reads at once, and how far ahead.
enum class cublas_lt_stages : std::uint32_t { three_of_16 = 3, three_of_8 = 31 };
/// What the tensor cores multiply at once.
enum class cublas_lt_instruction : std::uint16_t { any = 0, mma_16x8x8 = 3 };
/// Where the parts of sums that several blocks share are added: bits.
enum class cublas_lt_reductions : std::uint32_t { in_full_precision = 2, any = 7 };

/// A kernel that cuBLASLt proposes.
struct cublas_lt_choice {
  cublas_lt_algorithm algorithm;
  std::size_t workspace_bytes;
  cublas_status status;
  float waves;
  int reserved[4];
};

// X(name as the library exports it, type). Of two names for one function, that for 64-bit sizes.
#define GNP_CUBLAS_FUNCTIONS(X)                                                                                \
  X(cublasCreate_v2, cublas_status(cublas_handle*))                                                            \
  X(cublasSetStream_v2, cublas_status(cublas_handle, CUstream))                                                \
  X(cublasSetWorkspace_v2, cublas_status(cublas_handle, void*, std::size_t))                                   \
  X(cublasSetPointerMode_v2, cublas_status(cublas_handle, cublas_pointer_mode))                                \
  X(cublasSetMathMode, cublas_status(cublas_handle, cublas_math))                                              \
  X(cublasGetStatusName, const char*(cublas_status))                                                           \
  X(cublasGetStatusString, const char*(cublas_status))                                                         \
  X(cublasDotEx_64, cublas_status(cublas_handle, std::int64_t n, const void* x, cuda_data_type,                \
                                  std::int64_t x_step, const void* y, cuda_data_type, std::int64_t y_step,     \
                                  void* result, cuda_data_type, cuda_data_type computed_in))                   \
  X(cublasGemmEx_64,                                                                                           \
    cublas_status(cublas_handle, cublas_operation, cublas_operation, std::int64_t m, std::int64_t n,           \
                  std::int64_t k, const void* alpha, const void* a, cuda_data_type, std::int64_t a_leading,    \
                  const void* b, cuda_data_type, std::int64_t b_leading, const void* beta, void* c,            \
                  cuda_data_type, std::int64_t c_leading, cublas_compute, cublas_algorithm))                   \
  X(cublasGemmBatchedEx_64,                                                                                    \
    cublas_status(cublas_handle, cublas_operation, cublas_operation, std::int64_t m, std::int64_t n,           \
                  std::int64_t k, const void* alpha, const void* const* a, cuda_data_type,                     \
                  std::int64_t a_leading, const void* const* b, cuda_data_type, std::int64_t b_leading,        \
                  const void* beta, void* const* c, cuda_data_type, std::int64_t c_leading,                    \
                  std::int64_t batches, cublas_compute, cublas_algorithm))                                     \
  X(cublasGemmStridedBatchedEx_64,                                                                             \
    cublas_status(cublas_handle, cublas_operation, cublas_operation, std::int64_t m, std::int64_t n,           \
                  std::int64_t k, const void* alpha, const void* a, cuda_data_type, std::int64_t a_leading,    \
                  std::int64_t a_batch, const void* b, cuda_data_type, std::int64_t b_leading,                 \
                  std::int64_t b_batch, const void* beta, void* c, cuda_data_type, std::int64_t c_leading,     \
                  std::int64_t c_batch, std::int64_t batches, cublas_compute, cublas_algorithm))               \
  X(cublasLtGetVersion, std::size_t())                                                                         \
  X(cublasLtMatmulAlgoInit, cublas_status(cublas_lt_context*, cublas_compute, cuda_data_type scale,            \
                                          cuda_data_type a, cuda_data_type b, cuda_data_type c,                \
                                          cuda_data_type result, int algorithm, cublas_lt_algorithm*))         \
  X(cublasLtMatmulAlgoConfigSetAttribute,                                                                      \
    cublas_status(cublas_lt_algorithm*, cublas_lt_algorithm_attribute, const void*, std::size_t))              \
  X(cublasLtMatmulAlgoCheck, cublas_status(cublas_lt_context*, cublas_lt_product*, cublas_lt_layout* a,        \
                                           cublas_lt_layout* b, cublas_lt_layout* c, cublas_lt_layout* result, \
                                           const cublas_lt_algorithm*, cublas_lt_choice*))                     \
  X(cublasLtMatmulDescCreate, cublas_status(cublas_lt_product**, cublas_compute, cuda_data_type))              \
  X(cublasLtMatmulDescDestroy, cublas_status(cublas_lt_product*))                                              \
  X(cublasLtMatmulDescSetAttribute,                                                                            \
    cublas_status(cublas_lt_product*, cublas_lt_product_attribute, const void*, std::size_t))                  \
  X(cublasLtMatrixLayoutCreate, cublas_status(cublas_lt_layout**, cuda_data_type, std::uint64_t rows,          \
                                              std::uint64_t columns, std::int64_t leading))                    \
  X(cublasLtMatrixLayoutDestroy, cublas_status(cublas_lt_layout*))                                             \
  X(cublasLtMatrixLayoutSetAttribute,                                                                          \
    cublas_status(cublas_lt_layout*, cublas_lt_layout_attribute, const void*, std::size_t))                    \
  X(cublasLtMatmulPreferenceCreate, cublas_status(cublas_lt_preference**))                                     \
  X(cublasLtMatmulPreferenceDestroy, cublas_status(cublas_lt_preference*))                                     \
  X(cublasLtMatmulPreferenceSetAttribute,                                                                      \
    cublas_status(cublas_lt_preference*, cublas_lt_preference_attribute, const void*, std::size_t))            \
  X(cublasLtMatmulAlgoGetHeuristic,                                                                            \
    cublas_status(cublas_lt_context*, cublas_lt_product*, cublas_lt_layout* a, cublas_lt_layout* b,            \
                  cublas_lt_layout* c, cublas_lt_layout* result, cublas_lt_preference*, int wanted,            \
                  cublas_lt_choice*, int* found))                                                              \
  X(cublasLtMatmul, cublas_status(cublas_lt_context*, cublas_lt_product*, const void* alpha, const void* a,    \
                                  cublas_lt_layout*, const void* b, cublas_lt_layout*, const void* beta,       \
                                  const void* c, cublas_lt_layout*, void* result, cublas_lt_layout*,           \
                                  const cublas_lt_algorithm*, void* workspace, std::size_t, CUstream))

// X(name, its names for float, double, complex64 and complex128, type). In `type`, numbers are void: nothing
// else differs.
#define GNP_CUBLAS_TYPED_FUNCTIONS(X)                                                                          \
  X(gemv, cublasSgemv_v2_64, cublasDgemv_v2_64, cublasCgemv_v2_64, cublasZgemv_v2_64,                          \
    cublas_status(cublas_handle, cublas_operation, std::int64_t m, std::int64_t n, const void* alpha,          \
                  const void* a, std::int64_t a_leading, const void* x, std::int64_t x_step, const void* beta, \
                  void* y, std::int64_t y_step))                                                               \
  X(trsm_batched, cublasStrsmBatched, cublasDtrsmBatched, cublasCtrsmBatched, cublasZtrsmBatched,              \
    cublas_status(cublas_handle, cublas_side, cublas_fill, cublas_operation, cublas_diagonal, int m, int n,    \
                  const void* alpha, const void* const* a, int a_leading, void* const* b, int b_leading,       \
                  int count))                                                                                  \
  X(trsm, cublasStrsm_v2, cublasDtrsm_v2, cublasCtrsm_v2, cublasZtrsm_v2,                                      \
    cublas_status(cublas_handle, cublas_side, cublas_fill, cublas_operation, cublas_diagonal, int m, int n,    \
                  const void* alpha, const void* a, int a_leading, void* b, int b_leading))                    \
  X(getrf_batched, cublasSgetrfBatched, cublasDgetrfBatched, cublasCgetrfBatched, cublasZgetrfBatched,         \
    cublas_status(cublas_handle, int n, void* const* a, int a_leading, int* pivots, int* info, int batches))   \
  X(getrs_batched, cublasSgetrsBatched, cublasDgetrsBatched, cublasCgetrsBatched, cublasZgetrsBatched,         \
    cublas_status(cublas_handle, cublas_operation, int n, int columns, const void* const* a, int a_leading,    \
                  const int* pivots, void* const* b, int b_leading, int* info, int batches))                   \
  X(getri_batched, cublasSgetriBatched, cublasDgetriBatched, cublasCgetriBatched, cublasZgetriBatched,         \
    cublas_status(cublas_handle, int n, const void* const* a, int a_leading, const int* pivots,                \
                  void* const* inverse, int inverse_leading, int* info, int batches))

}}}  // namespace gnp::GNP_ABI::detail

#endif
