// SPDX-License-Identifier: MIT
// What gnp uses of cuSOLVER, in declarations of gnp's own, as cublas_functions.hpp has them of cuBLAS.
#pragma once

#include <gnp/libraries/cublas_functions.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct cusolver_context;
using cusolver_handle = cusolver_context*;
struct cusolver_settings;
using cusolver_params_handle = cusolver_settings*;

enum class cusolver_status : int { success = 0, alloc_failed = 2 };
enum class cusolver_vectors : int { none = 0, wanted = 1 };

// X(name as the library exports it, type): one function for every element type, with 64-bit sizes.
#define GNP_CUSOLVER_FUNCTIONS(X)                                                                              \
  X(cusolverDnCreate, cusolver_status(cusolver_handle*))                                                       \
  X(cusolverDnSetStream, cusolver_status(cusolver_handle, CUstream))                                           \
  X(cusolverDnCreateParams, cusolver_status(cusolver_params_handle*))                                          \
  X(cusolverDnXgetrf_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, cusolver_params_handle, std::int64_t m, std::int64_t n, cuda_data_type,   \
                    const void* a, std::int64_t a_leading, cuda_data_type computed_in,                         \
                    std::size_t* device_bytes, std::size_t* host_bytes))                                       \
  X(cusolverDnXgetrf,                                                                                          \
    cusolver_status(cusolver_handle, cusolver_params_handle, std::int64_t m, std::int64_t n, cuda_data_type,   \
                    void* a, std::int64_t a_leading, std::int64_t* pivots, cuda_data_type computed_in,         \
                    void* work, std::size_t work_bytes, void* host_work, std::size_t host_bytes, int* info))   \
  X(cusolverDnXgetrs,                                                                                          \
    cusolver_status(cusolver_handle, cusolver_params_handle, cublas_operation, std::int64_t n,                 \
                    std::int64_t columns, cuda_data_type, const void* a, std::int64_t a_leading,               \
                    const std::int64_t* pivots, cuda_data_type, void* b, std::int64_t b_leading, int* info))   \
  X(cusolverDnXpotrf_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, cusolver_params_handle, cublas_fill, std::int64_t n, cuda_data_type,      \
                    const void* a, std::int64_t a_leading, cuda_data_type computed_in,                         \
                    std::size_t* device_bytes, std::size_t* host_bytes))                                       \
  X(cusolverDnXpotrf,                                                                                          \
    cusolver_status(cusolver_handle, cusolver_params_handle, cublas_fill, std::int64_t n, cuda_data_type,      \
                    void* a, std::int64_t a_leading, cuda_data_type computed_in, void* work,                   \
                    std::size_t work_bytes, void* host_work, std::size_t host_bytes, int* info))               \
  X(cusolverDnXgeqrf_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, cusolver_params_handle, std::int64_t m, std::int64_t n, cuda_data_type,   \
                    const void* a, std::int64_t a_leading, cuda_data_type, const void* tau,                    \
                    cuda_data_type computed_in, std::size_t* device_bytes, std::size_t* host_bytes))           \
  X(cusolverDnXgeqrf,                                                                                          \
    cusolver_status(cusolver_handle, cusolver_params_handle, std::int64_t m, std::int64_t n, cuda_data_type,   \
                    void* a, std::int64_t a_leading, cuda_data_type, void* tau, cuda_data_type computed_in,    \
                    void* work, std::size_t work_bytes, void* host_work, std::size_t host_bytes, int* info))   \
  X(cusolverDnXsyevd_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors, cublas_fill, std::int64_t n,    \
                    cuda_data_type, const void* a, std::int64_t a_leading, cuda_data_type, const void* values, \
                    cuda_data_type computed_in, std::size_t* device_bytes, std::size_t* host_bytes))           \
  X(cusolverDnXsyevd,                                                                                          \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors, cublas_fill, std::int64_t n,    \
                    cuda_data_type, void* a, std::int64_t a_leading, cuda_data_type, void* values,             \
                    cuda_data_type computed_in, void* work, std::size_t work_bytes, void* host_work,           \
                    std::size_t host_bytes, int* info))                                                        \
  X(cusolverDnXgesvd_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, cusolver_params_handle, signed char u_job, signed char vh_job,            \
                    std::int64_t m, std::int64_t n, cuda_data_type, const void* a, std::int64_t a_leading,     \
                    cuda_data_type, const void* values, cuda_data_type, const void* u, std::int64_t u_leading, \
                    cuda_data_type, const void* vh, std::int64_t vh_leading, cuda_data_type computed_in,       \
                    std::size_t* device_bytes, std::size_t* host_bytes))                                       \
  X(cusolverDnXgesvd,                                                                                          \
    cusolver_status(cusolver_handle, cusolver_params_handle, signed char u_job, signed char vh_job,            \
                    std::int64_t m, std::int64_t n, cuda_data_type, void* a, std::int64_t a_leading,           \
                    cuda_data_type, void* values, cuda_data_type, void* u, std::int64_t u_leading,             \
                    cuda_data_type, void* vh, std::int64_t vh_leading, cuda_data_type computed_in, void* work, \
                    std::size_t work_bytes, void* host_work, std::size_t host_bytes, int* info))               \
  X(cusolverDnXgesvdp_bufferSize,                                                                              \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors, int economy, std::int64_t m,    \
                    std::int64_t n, cuda_data_type, const void* a, std::int64_t a_leading, cuda_data_type,     \
                    const void* values, cuda_data_type, const void* u, std::int64_t u_leading, cuda_data_type, \
                    const void* v, std::int64_t v_leading, cuda_data_type computed_in,                         \
                    std::size_t* device_bytes, std::size_t* host_bytes))                                       \
  X(cusolverDnXgesvdp,                                                                                         \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors, int economy, std::int64_t m,    \
                    std::int64_t n, cuda_data_type, void* a, std::int64_t a_leading, cuda_data_type,           \
                    void* values, cuda_data_type, void* u, std::int64_t u_leading, cuda_data_type, void* v,    \
                    std::int64_t v_leading, cuda_data_type computed_in, void* work, std::size_t work_bytes,    \
                    void* host_work, std::size_t host_bytes, int* info, double* perturbation))

// The same; since CUDA 12.6, so that an older library may be without them.
#define GNP_CUSOLVER_NEWER_FUNCTIONS(X)                                                                        \
  X(cusolverDnXgeev_bufferSize,                                                                                \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors left, cusolver_vectors right,    \
                    std::int64_t n, cuda_data_type, const void* a, std::int64_t a_leading, cuda_data_type,     \
                    const void* values, cuda_data_type, const void* vl, std::int64_t vl_leading,               \
                    cuda_data_type, const void* vr, std::int64_t vr_leading, cuda_data_type computed_in,       \
                    std::size_t* device_bytes, std::size_t* host_bytes))                                       \
  X(cusolverDnXgeev,                                                                                           \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors left, cusolver_vectors right,    \
                    std::int64_t n, cuda_data_type, void* a, std::int64_t a_leading, cuda_data_type,           \
                    void* values, cuda_data_type, void* vl, std::int64_t vl_leading, cuda_data_type, void* vr, \
                    std::int64_t vr_leading, cuda_data_type computed_in, void* work, std::size_t work_bytes,   \
                    void* host_work, std::size_t host_bytes, int* info))                                       \
  X(cusolverDnXsyevBatched_bufferSize,                                                                         \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors, cublas_fill, std::int64_t n,    \
                    cuda_data_type, const void* a, std::int64_t a_leading, cuda_data_type, const void* values, \
                    cuda_data_type computed_in, std::size_t* device_bytes, std::size_t* host_bytes,            \
                    std::int64_t batches))                                                                     \
  X(cusolverDnXsyevBatched,                                                                                    \
    cusolver_status(cusolver_handle, cusolver_params_handle, cusolver_vectors, cublas_fill, std::int64_t n,    \
                    cuda_data_type, void* a, std::int64_t a_leading, cuda_data_type, void* values,             \
                    cuda_data_type computed_in, void* work, std::size_t work_bytes, void* host_work,           \
                    std::size_t host_bytes, int* info, std::int64_t batches))

// X(name, its names for float, double, complex64 and complex128, type). In `type`, numbers are void: nothing
// else differs.
#define GNP_CUSOLVER_TYPED_FUNCTIONS(X)                                                                        \
  X(getrf_size, cusolverDnSgetrf_bufferSize, cusolverDnDgetrf_bufferSize, cusolverDnCgetrf_bufferSize,         \
    cusolverDnZgetrf_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, int m, int n, void* a, int a_leading, int* work_size))                    \
  X(getrf, cusolverDnSgetrf, cusolverDnDgetrf, cusolverDnCgetrf, cusolverDnZgetrf,                             \
    cusolver_status(cusolver_handle, int m, int n, void* a, int a_leading, void* work, int* pivots,            \
                    int* info))                                                                                \
  X(getrs, cusolverDnSgetrs, cusolverDnDgetrs, cusolverDnCgetrs, cusolverDnZgetrs,                             \
    cusolver_status(cusolver_handle, cublas_operation, int n, int columns, const void* a, int a_leading,       \
                    const int* pivots, void* b, int b_leading, int* info))                                     \
  X(potrf_batched, cusolverDnSpotrfBatched, cusolverDnDpotrfBatched, cusolverDnCpotrfBatched,                  \
    cusolverDnZpotrfBatched,                                                                                   \
    cusolver_status(cusolver_handle, cublas_fill, int n, void** a, int a_leading, int* info, int batches))     \
  X(orgqr_size, cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize, cusolverDnCungqr_bufferSize,         \
    cusolverDnZungqr_bufferSize,                                                                               \
    cusolver_status(cusolver_handle, int m, int n, int k, const void* a, int a_leading, const void* tau,       \
                    int* work_size))                                                                           \
  X(orgqr, cusolverDnSorgqr, cusolverDnDorgqr, cusolverDnCungqr, cusolverDnZungqr,                             \
    cusolver_status(cusolver_handle, int m, int n, int k, void* a, int a_leading, const void* tau, void* work, \
                    int work_size, int* info))

}}}  // namespace gnp::GNP_ABI::detail

#endif
