// SPDX-License-Identifier: MIT
// One GPU: its primary context, memory pool and properties, made on first use.
#pragma once

#include <gnp/cuda/block_cache.hpp>
#include <gnp/cuda/driver.hpp>
#if GNP_HAS_CUDA

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a CUDA library keeps for one stream, its handle and workspace: made by the library's bridge with
/// resource_of, ended with the stream.
struct stream_resource {
  stream_resource() = default;
  stream_resource(const stream_resource&) = delete;
  stream_resource& operator=(const stream_resource&) = delete;
  virtual ~stream_resource() = default;
  const void* kind = nullptr;
  stream_resource* next = nullptr;
};

class recorded_memory;

/// The state of a stream that storage remembers: shared, because an array may outlive its stream's handle.
struct stream_state {
  CUstream handle = nullptr;
  CUevent event = nullptr;
  int ordinal = 0;
  std::atomic<int> references{1};
  std::atomic<int> submitting{0};  // pieces of work that threads are about to queue (submission)
  std::atomic<stream_resource*> resources{nullptr};
  block_cache cache;
  std::atomic<CUdeviceptr> counters{0};  // of kernels whose blocks wait for each other; zero between kernels
  recorded_memory* recorded = nullptr;   // of a stream that a graph is recorded on; ends with the stream
};

struct gpu {
  int ordinal = 0;
  CUdevice handle = 0;
  CUcontext context = nullptr;
  CUmemoryPool pool = nullptr;
  int arch = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  std::string name;
  stream_state default_stream;
  std::mutex lock_streams;
  std::vector<stream_state*> streams;  // all there are, the default one among them
  std::mutex lock_recordings;  // while the whole GPU is waited for, and while a recording begins or ends
  int recordings = 0;          // under way
};

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

inline constexpr int most_gpus = 64;

GNP_VISIBLE inline constinit std::array<std::atomic<gpu*>, most_gpus> opened_gpus{};

/// The GPU with this number, opened on first use and never closed.
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

/// The GPU, with its context current on this thread (the user's code may have changed it since).
GNP_INLINE gpu& activate(int ordinal) {
  if (forked_from_driver.load(std::memory_order_relaxed)) [[unlikely]]
    throw_forked(ordinal);
  gpu& device = gpu_at(ordinal);
  CUcontext current = nullptr;
  GNP_CUDA_CALL(cuCtxGetCurrent, &current);
  if (current != device.context) GNP_CUDA_CALL(cuCtxSetCurrent, device.context);
  return device;
}

/// Another context for a scope.
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
