// SPDX-License-Identifier: MIT
// The calling thread's current stream, and the order between streams that share memory.
#pragma once

#include <gnp/cuda/context.hpp>
#if GNP_HAS_CUDA

namespace gnp::inline GNP_ABI::detail {

inline void retain(stream_state* stream) { stream->references.fetch_add(1, std::memory_order_relaxed); }

/// Gives the memory that a stream keeps for reuse back to the driver's pool.
inline void empty_cache(stream_state* stream) {
  block_cache& cache = stream->cache;
  const std::lock_guard lock(cache.lock);
  for (int c = 0; c < block_cache::sizes; ++c) {
    while (cache.counts[c] > 0) driver().cuMemFreeAsync(cache.blocks[c][--cache.counts[c]], stream->handle);
  }
}

/// Ends a stream with its last user. The default streams' first reference is never given back.
inline void release(stream_state* stream) {
  if (stream->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  empty_cache(stream);
  driver().cuStreamDestroy(stream->handle);  // lets the queued work finish
  driver().cuEventDestroy(stream->event);
  delete stream;
}

inline stream_state* create_stream(int ordinal) {
  activate(ordinal);
  auto* stream = new stream_state;
  stream->ordinal = ordinal;
  GNP_CUDA_CALL(cuStreamCreate, &stream->handle, CU_STREAM_NON_BLOCKING);
  GNP_CUDA_CALL(cuEventCreate, &stream->event, CU_EVENT_DISABLE_TIMING);
  return stream;
}

/// Set by use_stream; null means the device's default stream.
inline thread_local stream_state* scoped_stream = nullptr;

inline stream_state* current_stream(gpu& device) {
  if (scoped_stream != nullptr && scoped_stream->ordinal == device.ordinal) return scoped_stream;
  return &device.default_stream;
}

/// Work queued on `later` from now on waits for what is queued on `earlier` now.
inline void order_after(stream_state* earlier, stream_state* later) {
  GNP_CUDA_CALL(cuEventRecord, earlier->event, earlier->handle);
  GNP_CUDA_CALL(cuStreamWaitEvent, later->handle, earlier->event, 0);
}

}  // namespace gnp::inline GNP_ABI::detail

#endif
