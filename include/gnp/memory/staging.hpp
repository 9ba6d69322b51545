// SPDX-License-Identifier: MIT
// Ordinary host memory to and from a GPU by way of page-locked buffers that several threads fill and empty
// while the link is busy. The driver's own way is one thread: a fifth of the link's speed.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <gnp/cpu/threads.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/storage.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The buffers of one GPU, made as they are needed, two for each thread, and kept.
class staging {
 public:
  /// Less is left to the driver.
  static constexpr std::size_t least_bytes = std::size_t{2} << 20;

  /// Queues the whole copy; `from` has been read when this returns.
  GNP_INLINE void to_device(stream_state* stream, CUdeviceptr to, const char* from, std::size_t bytes) {
    fill_device(stream, to, bytes, [from](char* staged, std::size_t begin, std::size_t size) {
      std::memcpy(staged, from + begin, size);
    });
  }

  /// The same with what `fill(staged, begin, size)` brings: bytes [begin, begin + size), on several threads at
  /// once.
  template <class Fill>
  void fill_device(stream_state* stream, CUdeviceptr to, std::size_t bytes, const Fill& fill) {
    for_each_thread(stream, bytes, [&](const pieces& mine) {
      for (std::size_t i = 0; i < mine.count; ++i) {
        buffer& b = mine.buffer_of(i);
        b.wait();
        fill(b.memory, mine.begin(i), mine.size(i));
        GNP_CUDA_CALL(cuMemcpyHtoDAsync, to + mine.begin(i), b.memory, mine.size(i), stream->handle);
        b.is_used_by(stream);
      }
    });
  }

  /// `to` is complete when this returns.
  GNP_INLINE void to_host(stream_state* stream, char* to, CUdeviceptr from, std::size_t bytes) {
    for_each_thread(stream, bytes, [=](const pieces& mine) {
      const auto queue = [&](std::size_t i) {
        buffer& b = mine.buffer_of(i);
        b.wait();
        GNP_CUDA_CALL(cuMemcpyDtoHAsync, b.memory, from + mine.begin(i), mine.size(i), stream->handle);
        b.is_used_by(stream);
      };
      for (std::size_t i = 0; i < mine.count; ++i) {
        if (i == 0) queue(0);
        if (i + 1 < mine.count) queue(i + 1);
        buffer& b = mine.buffer_of(i);
        b.wait();
        std::memcpy(to + mine.begin(i), b.memory, mine.size(i));
      }
    });
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{2} << 20;
  static constexpr int most_threads = 8;  // more do not make the link faster

  struct buffer {
    char* memory = nullptr;
    CUevent done = nullptr;  // recorded after the copy that used the buffer last

    void make() {
      if (done != nullptr) return;
      if (memory == nullptr) memory = static_cast<char*>(allocate_page_locked(buffer_bytes));
      GNP_CUDA_CALL(cuEventCreate, &done, CU_EVENT_DISABLE_TIMING);
    }
    void wait() { GNP_CUDA_CALL(cuEventSynchronize, done); }
    void is_used_by(stream_state* stream) { GNP_CUDA_CALL(cuEventRecord, done, stream->handle); }
  };

  /// One thread's share: every piece whose number leaves `thread` when divided by `threads`.
  struct pieces {
    buffer* buffers;  // two
    std::size_t thread;
    std::size_t threads;
    std::size_t piece;
    std::size_t bytes;
    std::size_t count = 0;

    buffer& buffer_of(std::size_t i) const { return buffers[i % 2]; }
    std::size_t begin(std::size_t i) const { return (thread + i * threads) * piece; }
    std::size_t size(std::size_t i) const { return (std::min)(piece, bytes - begin(i)); }
  };

  template <class Body>
  void for_each_thread(stream_state* stream, std::size_t bytes, const Body& body) {
    require_no_recording(
        "much data from outside, or to it, is no work of the GPU alone: do that before or after");
    const std::lock_guard lock(mutex_);
    // Two pieces for each thread at least, of half a MiB: what starting one thread more is worth.
    constexpr std::size_t least_piece = std::size_t{1} << 19;
    const auto available = static_cast<std::size_t>(thread_count().load(std::memory_order_relaxed));
    const std::size_t threads =
        (std::min)({bytes / (2 * least_piece), available, static_cast<std::size_t>(most_threads)});
    const std::size_t share = (bytes + 2 * threads - 1) / (2 * threads);
    const std::size_t piece = (std::min)(round_up_bytes(share), buffer_bytes);
    for (std::size_t i = 0; i < 2 * threads; ++i) buffers_[i].make();
    const std::size_t pieces_in_all = (bytes + piece - 1) / piece;
    parallel_for(static_cast<std::int64_t>(threads), 1, [&](std::int64_t begin, std::int64_t end) {
      activate(stream->ordinal);
      for (; begin < end; ++begin) {
        const auto thread = static_cast<std::size_t>(begin);
        pieces mine{&buffers_[2 * thread], thread, threads, piece, bytes};
        mine.count = (pieces_in_all - thread + threads - 1) / threads;
        body(mine);
      }
    });
  }

  std::mutex mutex_;
  std::array<buffer, 2 * most_threads> buffers_{};
};

/// Never destroyed: arrays, global ones too, may be copied until the program ends.
GNP_INLINE staging& staging_of(int ordinal) {
  static auto& all = *new std::array<staging, most_gpus>;
  return all.at(static_cast<std::size_t>(ordinal));
}

/// Is this host memory that the driver knows nothing of?
GNP_INLINE bool is_pageable(const void* memory) {
  unsigned kind = 0;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* answer = &kind;
  // The plural function: the singular one fails where the driver does not know the memory.
  GNP_CUDA_CALL(cuPointerGetAttributes, 1, &attribute, &answer, reinterpret_cast<CUdeviceptr>(memory));
  return kind == 0;
}

/// Waits for a copy between host and device: what the caller does with the host memory next must be safe.
inline void finish(stream_state* stream) { GNP_CUDA_CALL(cuStreamSynchronize, stream->handle); }

GNP_INLINE void host_to_gpu(stream_state* stream, void* to, const void* from, std::size_t bytes) {
  const auto target = reinterpret_cast<CUdeviceptr>(to);
  if (stream->recorded == nullptr && bytes >= staging::least_bytes && is_pageable(from)) {
    staging_of(stream->ordinal).to_device(stream, target, static_cast<const char*>(from), bytes);
    return;
  }
  GNP_CUDA_CALL(cuMemcpyHtoDAsync, target, source_of_copy(stream, from, bytes), bytes, stream->handle);
  if (stream->recorded == nullptr) finish(stream);
}

GNP_INLINE void gpu_to_host(stream_state* stream, void* to, const void* from, std::size_t bytes) {
  require_no_recording(
      "elements were asked for (item(), a number, asnumpy(), printing, load and save, a result whose shape "
      "depends "
      "on the elements), which there are none of yet: what is recorded is computed when the graph is called");
  const auto source = reinterpret_cast<CUdeviceptr>(from);
  if (bytes >= staging::least_bytes && is_pageable(to)) {
    staging_of(stream->ordinal).to_host(stream, static_cast<char*>(to), source, bytes);
  } else {
    GNP_CUDA_CALL(cuMemcpyDtoHAsync, to, source, bytes, stream->handle);
    finish(stream);
  }
  throw_bad_index_of_gpu(stream->ordinal);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
