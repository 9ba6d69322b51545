// SPDX-License-Identifier: MIT
// What gnp uses of NCCL, in declarations of gnp's own, as cublas_functions.hpp has them of cuBLAS.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <cuda.h>

#include <climits>
#include <cstddef>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct nccl_communicator;
using nccl_handle = nccl_communicator*;

enum class nccl_status : int { success = 0, in_progress = 7 };
enum class nccl_type : int {
  int8 = 0,
  uint8 = 1,
  int32 = 2,
  uint32 = 3,
  int64 = 4,
  uint64 = 5,
  float16 = 6,
  float32 = 7,
  float64 = 8,
  bfloat16 = 9
};
enum class nccl_operation : int { sum = 0, prod = 1, max = 2, min = 3 };

/// What the processes of a communicator find each other by.
struct nccl_unique_id {
  char bytes[128] = {};
};

// X(name as the library exports it, type).
#define GNP_NCCL_FUNCTIONS(X)                                                                                 \
  X(ncclGetUniqueId, nccl_status(nccl_unique_id*))                                                            \
  X(ncclCommInitRank, nccl_status(nccl_handle*, int count, nccl_unique_id, int rank))                         \
  X(ncclCommFinalize, nccl_status(nccl_handle))                                                               \
  X(ncclCommDestroy, nccl_status(nccl_handle))                                                                \
  X(ncclCommAbort, nccl_status(nccl_handle))                                                                  \
  X(ncclCommGetAsyncError, nccl_status(nccl_handle, nccl_status*))                                            \
  X(ncclGetErrorString, const char*(nccl_status))                                                             \
  X(ncclGetLastError, const char*(nccl_handle))                                                               \
  X(ncclAllReduce, nccl_status(const void* from, void* into, std::size_t count, nccl_type, nccl_operation,    \
                               nccl_handle, CUstream))                                                        \
  X(ncclReduce, nccl_status(const void* from, void* into, std::size_t count, nccl_type, nccl_operation,       \
                            int root, nccl_handle, CUstream))                                                 \
  X(ncclReduceScatter, nccl_status(const void* from, void* into, std::size_t count_of_part, nccl_type,        \
                                   nccl_operation, nccl_handle, CUstream))                                    \
  X(ncclBroadcast,                                                                                            \
    nccl_status(const void* from, void* into, std::size_t count, nccl_type, int root, nccl_handle, CUstream)) \
  X(ncclAllGather,                                                                                            \
    nccl_status(const void* from, void* into, std::size_t count_of_part, nccl_type, nccl_handle, CUstream))   \
  X(ncclSend, nccl_status(const void* from, std::size_t count, nccl_type, int peer, nccl_handle, CUstream))   \
  X(ncclRecv, nccl_status(void* into, std::size_t count, nccl_type, int peer, nccl_handle, CUstream))         \
  X(ncclGroupStart, nccl_status())                                                                            \
  X(ncclGroupEnd, nccl_status())

}}}  // namespace gnp::GNP_ABI::detail

#endif
