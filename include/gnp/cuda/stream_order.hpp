// SPDX-License-Identifier: MIT
// How streams are created and ended, and how they wait for each other.
#pragma once

#include <gnp/cuda/open_gpu.hpp>
#include <gnp/cuda/recorded_memory.hpp>
#include <gnp/cuda/stream.hpp>
#include <memory>
#include <utility>

#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void empty_cache(stream_state* stream) {
  while (void* block = stream->cache.take_any()) {
    driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(block), stream->handle);
  }
}

GNP_INLINE void release(stream_state* stream) {
  if (stream->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  {
    gpu& device = gpu_at(stream->ordinal);
    const std::lock_guard lock(device.lock_streams);
    std::erase(device.streams, stream);
  }
  for (const stream_resource* r = stream->resources.load(); r != nullptr;) delete std::exchange(r, r->next);
  empty_cache(stream);
  if (const CUdeviceptr counters = stream->counters.load()) driver().cuMemFreeAsync(counters, stream->handle);
  driver().cuStreamDestroy(stream->handle);  // lets the queued work finish
  driver().cuEventDestroy(stream->event);
  delete stream->recorded;
  delete stream;
}

GNP_INLINE stream_state* create_stream(int ordinal) {
  gpu& device = activate(ordinal);
  auto made = std::make_unique<stream_state>();
  made->ordinal = ordinal;
  GNP_CUDA_CALL(cuStreamCreate, &made->handle, CU_STREAM_NON_BLOCKING);
  GNP_CUDA_CALL(cuEventCreate, &made->event, CU_EVENT_DISABLE_TIMING);
  const std::lock_guard lock(device.lock_streams);
  device.streams.push_back(made.get());
  return made.release();
}

GNP_INLINE CUdeviceptr counters_of(stream_state* stream) {
  if (stream->recorded != nullptr) [[unlikely]]
    return stream->recorded->counters();
  if (const CUdeviceptr known = stream->counters.load(std::memory_order_acquire)) [[likely]]
    return known;
  static std::mutex& making = *new std::mutex;
  const std::lock_guard lock(making);
  if (const CUdeviceptr known = stream->counters.load(std::memory_order_acquire)) return known;
  CUdeviceptr counters = 0;
  GNP_CUDA_CALL(cuMemAllocAsync, &counters, stream_counters * sizeof(unsigned), stream->handle);
  GNP_CUDA_CALL(cuMemsetD8Async, counters, 0, stream_counters * sizeof(unsigned), stream->handle);
  stream->counters.store(counters, std::memory_order_release);
  return counters;
}

GNP_INLINE CUresult wait_for_gpu(gpu& device) {
  const std::lock_guard recordings(device.lock_recordings);
  if (device.recordings == 0) [[likely]]
    return driver().cuCtxSynchronize();
  const std::lock_guard lock(device.lock_streams);
  CUresult result = CUDA_SUCCESS;
  for (const stream_state* stream : device.streams) {
    if (stream->recorded != nullptr) continue;
    const CUresult one = driver().cuStreamSynchronize(stream->handle);
    if (result == CUDA_SUCCESS) result = one;
  }
  return result;
}

GNP_INLINE void order_after(stream_state* earlier, stream_state* later) {
  {
    const context_guard guard(gpu_at(earlier->ordinal).context);
    GNP_CUDA_CALL(cuEventRecord, earlier->event, earlier->handle);
  }
  const context_guard guard(gpu_at(later->ordinal).context);
  GNP_CUDA_CALL(cuStreamWaitEvent, later->handle, earlier->event, 0);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
