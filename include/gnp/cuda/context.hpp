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

/// What a CUDA library keeps for one stream: its handle and workspace. The library's bridge makes it with
/// resource_of; it ends with the stream.
struct stream_resource {
  stream_resource() = default;
  stream_resource(const stream_resource&) = delete;
  stream_resource& operator=(const stream_resource&) = delete;
  virtual ~stream_resource() = default;
  const void* kind = nullptr;
  stream_resource* next = nullptr;
};

class recorded_memory;

/// How many counters a stream keeps for its kernels.
inline constexpr std::size_t stream_counters = 8192;

/// The state of a stream that storage remembers: shared, because an array may outlive its stream's handle.
struct stream_state {
  CUstream handle = nullptr;
  CUevent event = nullptr;
  int ordinal = 0;
  std::atomic<int> references{1};
  std::atomic<int> submitting{0};  // the number of pieces of work that threads are about to queue (submission)
  std::atomic<stream_resource*> resources{nullptr};
  block_cache cache;
  std::atomic<CUdeviceptr> counters{0};  // for kernels whose blocks wait for each other; zero between kernels
  recorded_memory* recorded = nullptr;   // if a graph is recorded on the stream; ends with the stream
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
  std::vector<stream_state*> streams;  // all streams, including the default one
  std::mutex lock_recordings;  // held while waiting for the whole GPU, and while a recording begins or ends
  int recordings = 0;          // under way
};

inline constexpr int most_gpus = 64;

GNP_VISIBLE inline constinit std::array<std::atomic<gpu*>, most_gpus> opened_gpus{};

/// The GPU with this number, opened on first use and never closed.
GNP_DECLARED gpu& gpu_at(int ordinal);

[[noreturn, gnu::cold]] GNP_DECLARED void throw_forked(int ordinal);

/// The GPU, with its context made current on this thread (the user's code may have changed the current
/// context).
GNP_DECLARED gpu& activate(int ordinal);

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/open_gpu.hpp>
#endif
