// SPDX-License-Identifier: MIT
// The calling thread's current stream, and the order between streams that share memory.
#pragma once

#include <gnp/cuda/recording_here.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline void retain(stream_state* stream) { stream->references.fetch_add(1, std::memory_order_relaxed); }

/// Returns the memory that a stream keeps for reuse to the driver's pool.
GNP_DECLARED void empty_cache(stream_state* stream);

/// Drops a reference; dropping the last one ends the stream. The first reference to a default stream is never
/// dropped.
GNP_DECLARED void release(stream_state* stream);

GNP_DECLARED stream_state* create_stream(int ordinal);

/// A stream's Resource, constructed from the stream on first use.
template <class Resource>
Resource& resource_of(stream_state* stream) {
  static constexpr char kind = 0;  // its address distinguishes the kinds of resources
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

/// Set by use_stream, separately for each GPU; null means the GPU's default stream.
GNP_VISIBLE inline thread_local std::array<stream_state*, most_gpus> scoped_streams{};

GNP_INLINE stream_state* current_stream(gpu& device) {
  stream_state* const scoped = scoped_streams[static_cast<std::size_t>(device.ordinal)];
  return scoped != nullptr ? scoped : &device.default_stream;
}

/// Counters for the piece of work that is submitted to the stream, allocated on first use. Kernels with the
/// same counters run one after the other, and leave them at zero.
GNP_DECLARED CUdeviceptr counters_of(stream_state* stream);

/// Waits for all work that gnp has queued on the GPU, whose context must be current. If a stream of the context
/// is being recorded, the driver refuses to wait for the context, so this waits for each of the other streams.
GNP_DECLARED CUresult wait_for_gpu(gpu& device);

/// Work queued on `later` from now on waits for what is queued on `earlier` now. Each stream is used with its
/// own context current, because the handle of a default stream refers to the current context.
GNP_DECLARED void order_after(stream_state* earlier, stream_state* later);

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/stream_order.hpp>
#endif
