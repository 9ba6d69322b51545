// SPDX-License-Identifier: MIT
// The calling thread's current stream, and the order between streams that share memory.
#pragma once

#include <gnp/cuda/recorded_memory.hpp>
#if GNP_HAS_CUDA

#include <memory>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline void retain(stream_state* stream) { stream->references.fetch_add(1, std::memory_order_relaxed); }

/// Gives the memory that a stream keeps for reuse back to the driver's pool.
GNP_INLINE void empty_cache(stream_state* stream) {
  while (void* block = stream->cache.take_any()) {
    driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(block), stream->handle);
  }
}

/// Ends a stream with its last user. The default streams' first reference is never given back.
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

/// The Resource that a stream has, made (of the stream) on first use.
template <class Resource>
Resource& resource_of(stream_state* stream) {
  static constexpr char kind = 0;  // its address tells the kinds apart
  const auto find = [stream]() -> Resource* {
    for (stream_resource* r = stream->resources.load(std::memory_order_acquire); r != nullptr; r = r->next) {
      if (r->kind == &kind) return static_cast<Resource*>(r);
    }
    return nullptr;
  };
  if (Resource* known = find()) return *known;
  static std::mutex& making = *new std::mutex;
  const std::lock_guard lock(making);
  if (Resource* known = find()) return *known;
  auto* made = new Resource(stream);
  made->kind = &kind;
  made->next = stream->resources.load(std::memory_order_relaxed);
  while (!stream->resources.compare_exchange_weak(made->next, made, std::memory_order_release)) {
  }
  return *made;
}

/// Set by use_stream, for each GPU its own; null means the GPU's default stream.
GNP_VISIBLE inline thread_local std::array<stream_state*, most_gpus> scoped_streams{};

GNP_INLINE stream_state* current_stream(gpu& device) {
  stream_state* const scoped = scoped_streams[static_cast<std::size_t>(device.ordinal)];
  return scoped != nullptr ? scoped : &device.default_stream;
}

/// How many counters a stream keeps for its kernels.
inline constexpr std::size_t stream_counters = 8192;

/// The stream's counters, made on first use. Its kernels run one after the other and leave them at zero.
GNP_INLINE CUdeviceptr counters_of(stream_state* stream) {
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

/// Waits for all that gnp has queued on the GPU, whose context is current. The driver refuses to wait for a
/// context in which a stream is recorded: then each of the other streams is waited for.
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

/// Work queued on `later` from now on waits for what is queued on `earlier` now. Each is addressed in its own
/// context: the handle of a default stream means that of the current one.
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
