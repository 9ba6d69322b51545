// SPDX-License-Identifier: MIT
// The CUDA driver's functions, from libcuda.so.1 opened on first use.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <cuda.h>

#include <atomic>
#include <gnp/core/shared_library.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// cuda.h turns some of these names into versioned ones (cuMemFree_v2); stringized after expansion, they are
// the names that the library exports.
#define GNP_DRIVER_FUNCTIONS(X)                  \
  X(cuInit)                                      \
  X(cuDriverGetVersion)                          \
  X(cuGetErrorName)                              \
  X(cuGetErrorString)                            \
  X(cuDeviceGet)                                 \
  X(cuDeviceGetCount)                            \
  X(cuDeviceGetName)                             \
  X(cuDeviceGetUuid)                             \
  X(cuDeviceGetAttribute)                        \
  X(cuDeviceTotalMem)                            \
  X(cuDevicePrimaryCtxRetain)                    \
  X(cuCtxGetCurrent)                             \
  X(cuCtxSetCurrent)                             \
  X(cuCtxSynchronize)                            \
  X(cuDeviceGetDefaultMemPool)                   \
  X(cuMemPoolSetAttribute)                       \
  X(cuMemPoolGetAttribute)                       \
  X(cuMemPoolTrimTo)                             \
  X(cuMemAllocAsync)                             \
  X(cuMemFreeAsync)                              \
  X(cuMemGetInfo)                                \
  X(cuMemHostAlloc)                              \
  X(cuMemFreeHost)                               \
  X(cuMemcpyHtoDAsync)                           \
  X(cuMemcpyDtoHAsync)                           \
  X(cuMemcpyDtoDAsync)                           \
  X(cuMemcpyPeerAsync)                           \
  X(cuMemsetD8Async)                             \
  X(cuStreamCreate)                              \
  X(cuStreamDestroy)                             \
  X(cuStreamSynchronize)                         \
  X(cuStreamWaitEvent)                           \
  X(cuStreamBeginCapture)                        \
  X(cuStreamEndCapture)                          \
  X(cuGraphInstantiateWithFlags)                 \
  X(cuGraphGetNodes)                             \
  X(cuGraphLaunch)                               \
  X(cuGraphExecDestroy)                          \
  X(cuGraphDestroy)                              \
  X(cuEventCreate)                               \
  X(cuEventDestroy)                              \
  X(cuEventRecord)                               \
  X(cuEventQuery)                                \
  X(cuEventSynchronize)                          \
  X(cuPointerGetAttributes)                      \
  X(cuModuleLoadData)                            \
  X(cuModuleGetFunction)                         \
  X(cuModuleGetGlobal)                           \
  X(cuFuncSetAttribute)                          \
  X(cuFuncGetAttribute)                          \
  X(cuLaunchKernel)                              \
  X(cuLaunchKernelEx)                            \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuOccupancyMaxPotentialBlockSize)

struct driver_api {
#define GNP_DECLARE(function) decltype(&::function) function = nullptr;
  GNP_DRIVER_FUNCTIONS(GNP_DECLARE)
#undef GNP_DECLARE
  shared_library library;
  std::string unusable;  // why there is no CUDA device; empty if there is one
  bool broken = false;   // there is a driver, but it does not work: an error, never a reason to use the CPU
  int device_count = 0;
};

/// True in a child of fork() whose parent had started CUDA: the driver does not work in such a child.
GNP_VISIBLE inline std::atomic<bool> forked_from_driver{false};

/// The driver, loaded once. Check `unusable` before calling anything through it.
GNP_DECLARED const driver_api& driver();

[[noreturn]] GNP_DECLARED void throw_cuda(CUresult result, const char* call);

inline void check_cuda(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) [[unlikely]]
    throw_cuda(result, call);
}

/// GNP_CUDA_CALL(cuLaunchKernel, ...): calls the driver, and throws device_error if the call fails.
#define GNP_CUDA_CALL(function, ...) \
  ::gnp::detail::check_cuda(::gnp::detail::driver().function(__VA_ARGS__), GNP_STRINGIZE(function))

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/load_driver.hpp>
#endif
