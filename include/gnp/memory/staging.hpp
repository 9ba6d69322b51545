// SPDX-License-Identifier: MIT
// Copies between ordinary host memory and a GPU, through page-locked buffers that several threads fill and
// empty while the link is busy. The driver's own copies use one thread, and reach a fifth of the link's speed.
#pragma once

#include <array>
#include <cstddef>
#include <gnp/core/function_ref.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/storage.hpp>
#include <mutex>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The buffers of one GPU, two for each thread. They are allocated when needed, and kept.
class staging {
 public:
  /// Smaller copies are left to the driver.
  static constexpr std::size_t least_bytes = std::size_t{2} << 20;

  /// Queues the whole copy; `from` has been read when this returns.
  GNP_DECLARED void to_device(stream_state* stream, CUdeviceptr to, const char* from, std::size_t bytes);

  /// The same, but `fill(staged, begin, size)` writes the data: bytes [begin, begin + size). Several threads
  /// call it at the same time.
  GNP_DECLARED void fill_device(stream_state* stream, CUdeviceptr to, std::size_t bytes,
                                function_ref<void(char*, std::size_t, std::size_t)> fill);

  /// `to` is complete when this returns.
  GNP_DECLARED void to_host(stream_state* stream, char* to, CUdeviceptr from, std::size_t bytes);

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{2} << 20;
  static constexpr int most_threads = 8;  // more threads do not make the copy faster

  struct buffer {
    char* memory = nullptr;
    CUevent done = nullptr;  // recorded after the last copy that used the buffer

    GNP_DECLARED void make();
    void wait() { GNP_CUDA_CALL(cuEventSynchronize, done); }
    void is_used_by(stream_state* stream) { GNP_CUDA_CALL(cuEventRecord, done, stream->handle); }
  };

  struct pieces;
  template <class Body>
  void for_each_thread(stream_state* stream, std::size_t bytes, const Body& body);

  std::mutex mutex_;
  std::array<buffer, 2 * most_threads> buffers_{};
};

/// Never destroyed: arrays, global ones too, may be copied until the program ends.
GNP_DECLARED staging& staging_of(int ordinal);

/// Is this host memory that the driver does not know?
GNP_DECLARED bool is_pageable(const void* memory);

/// Waits for a copy between host and device, so that the caller may then do anything with the host memory.
inline void finish(stream_state* stream) { GNP_CUDA_CALL(cuStreamSynchronize, stream->handle); }

GNP_DECLARED void host_to_gpu(stream_state* stream, void* to, const void* from, std::size_t bytes);

GNP_DECLARED void gpu_to_host(stream_state* stream, void* to, const void* from, std::size_t bytes);

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/memory/staged_copies.hpp>
#endif
