// SPDX-License-Identifier: MIT
// How a GPU is opened and made current.
#pragma once

#include <gnp/cuda/context.hpp>

#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE gpu* open_gpu(int ordinal) {
  gpu* device = new gpu;
  device->ordinal = ordinal;
  GNP_CUDA_CALL(cuDeviceGet, &device->handle, ordinal);
  GNP_CUDA_CALL(cuDevicePrimaryCtxRetain, &device->context, device->handle);
  GNP_CUDA_CALL(cuCtxSetCurrent, device->context);
  char name[256] = {};
  GNP_CUDA_CALL(cuDeviceGetName, name, static_cast<int>(sizeof name), device->handle);
  device->name = name;
  int major = 0;
  int minor = 0;
  GNP_CUDA_CALL(cuDeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device->handle);
  GNP_CUDA_CALL(cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device->handle);
  device->arch = major * 10 + minor;
  GNP_CUDA_CALL(cuDeviceGetAttribute, &device->multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                device->handle);
  // Keep freed memory in the pool: returning it to the system on every synchronisation costs milliseconds.
  GNP_CUDA_CALL(cuDeviceGetDefaultMemPool, &device->pool, device->handle);
  cuuint64_t threshold = ~cuuint64_t{0};
  GNP_CUDA_CALL(cuMemPoolSetAttribute, device->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
  // The legacy default stream: ordered with the user's own default-stream CUDA code.
  device->default_stream.handle = CU_STREAM_LEGACY;
  device->default_stream.ordinal = ordinal;
  GNP_CUDA_CALL(cuEventCreate, &device->default_stream.event, CU_EVENT_DISABLE_TIMING);
  device->streams.push_back(&device->default_stream);
  return device;
}

GNP_INLINE gpu& gpu_at(int ordinal) {
  static std::mutex opening;
  std::atomic<gpu*>& slot = opened_gpus.at(static_cast<std::size_t>(ordinal));
  if (gpu* known = slot.load(std::memory_order_acquire)) return *known;
  const std::lock_guard lock(opening);
  if (gpu* known = slot.load(std::memory_order_acquire)) return *known;
  gpu* device = open_gpu(ordinal);
  slot.store(device, std::memory_order_release);
  return *device;
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_forked(int ordinal) {
  throw device_error(
      std::string("cuda:") + std::to_string(ordinal) +
      ": this process was forked from one that had started CUDA, which works in its parent only. "
      "fork() before the first use of a GPU, or work on gnp::device::cpu() here");
}

GNP_INLINE gpu& activate(int ordinal) {
  if (forked_from_driver.load(std::memory_order_relaxed)) [[unlikely]]
    throw_forked(ordinal);
  gpu& device = gpu_at(ordinal);
  CUcontext current = nullptr;
  GNP_CUDA_CALL(cuCtxGetCurrent, &current);
  if (current != device.context) GNP_CUDA_CALL(cuCtxSetCurrent, device.context);
  return device;
}

/// Makes another context current for a scope.
class context_guard {
 public:
  explicit context_guard(CUcontext wanted) {
    GNP_CUDA_CALL(cuCtxGetCurrent, &previous_);
    if (previous_ == wanted) return;
    GNP_CUDA_CALL(cuCtxSetCurrent, wanted);
    changed_ = true;
  }
  ~context_guard() {
    if (changed_) driver().cuCtxSetCurrent(previous_);
  }
  context_guard(const context_guard&) = delete;
  context_guard& operator=(const context_guard&) = delete;

 private:
  CUcontext previous_ = nullptr;
  bool changed_ = false;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
