// SPDX-License-Identifier: MIT
// How the buffers between host memory and a GPU are filled and emptied.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/cuda/memory.hpp>
#include <gnp/memory/staging.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void staging::buffer::make() {
  if (done != nullptr) return;
  if (memory == nullptr) memory = static_cast<char*>(allocate_page_locked(buffer_bytes));
  GNP_CUDA_CALL(cuEventCreate, &done, CU_EVENT_DISABLE_TIMING);
}

/// The pieces that one thread copies: those whose number modulo `threads` is `thread`.
struct staging::pieces {
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
void staging::for_each_thread(stream_state* stream, std::size_t bytes, const Body& body) {
  require_no_recording(
      "much data from outside, or to it, is no work of the GPU alone: do that before or after");
  const std::lock_guard lock(mutex_);
  // At least two pieces of half a MiB for each thread, because it is not worth starting another thread for
  // less.
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

GNP_INLINE void staging::to_device(stream_state* stream, CUdeviceptr to, const char* from, std::size_t bytes) {
  fill_device(stream, to, bytes, [from](char* staged, std::size_t begin, std::size_t size) {
    std::memcpy(staged, from + begin, size);
  });
}

GNP_INLINE void staging::fill_device(stream_state* stream, CUdeviceptr to, std::size_t bytes,
                                     function_ref<void(char*, std::size_t, std::size_t)> fill) {
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

GNP_INLINE void staging::to_host(stream_state* stream, char* to, CUdeviceptr from, std::size_t bytes) {
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

GNP_INLINE staging& staging_of(int ordinal) {
  static auto& all = *new std::array<staging, most_gpus>;
  return all.at(static_cast<std::size_t>(ordinal));
}

GNP_INLINE bool is_pageable(const void* memory) {
  unsigned kind = 0;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* answer = &kind;
  // The function for several attributes, because the one for a single attribute fails if the driver does not
  // know the memory.
  GNP_CUDA_CALL(cuPointerGetAttributes, 1, &attribute, &answer, reinterpret_cast<CUdeviceptr>(memory));
  return kind == 0;
}

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
  if (recording_here != nullptr) [[unlikely]]
    throw_without_elements();
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
