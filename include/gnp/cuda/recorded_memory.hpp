// SPDX-License-Identifier: MIT
// The memory that the work of a graph uses. It belongs to the graph, so that each replay has the same memory.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/cuda/recorded_order.hpp>
#include <gnp/cuda/recording_here.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct storage;

/// Blocks for arrays that are made while a stream is recorded. A freed block may be reused later in the
/// recording, by work that waits for its earlier uses. Nothing else gets it as long as the graph exists.
class recorded_memory {
 public:
  /// Memory is allocated on `source`, which is not the stream that is recorded.
  explicit recorded_memory(CUstream source) : source_(source) {
    static std::atomic<std::uint64_t> made{0};
    number_ = made.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  recorded_memory(const recorded_memory&) = delete;
  recorded_memory& operator=(const recorded_memory&) = delete;
  virtual ~recorded_memory() = default;

  /// A block of this many bytes; null if there is no memory left.
  GNP_INLINE void* take(std::size_t bytes) {
    // A small block is reused only if there are several to choose from, so that work rarely has to wait for
    // memory.
    constexpr std::size_t small_block = std::size_t{1} << 20;
    void* block = take_freed(bytes, bytes <= small_block ? 8 : 1);
    if (block == nullptr) block = make(bytes);
    if (block == nullptr) block = take_freed(bytes, 1);
    if (recording_here == this) order_.uses(block, bytes, true);
    return block;
  }
  /// A block that no recorded work has used; null if there is no memory left.
  GNP_INLINE void* make(std::size_t bytes) {
    CUdeviceptr made = 0;
    const CUresult result = driver().cuMemAllocAsync(&made, bytes, source_);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
    check_cuda(result, "cuMemAllocAsync");
    GNP_CUDA_CALL(cuStreamSynchronize, source_);
    return reinterpret_cast<void*>(made);
  }
  /// Keeps a block for the graph; false if the graph no longer exists.
  GNP_INLINE bool keep(void* block, std::size_t bytes) {
    const std::lock_guard lock(lock_);
    if (!over_) free_.push_back({bytes, block});
    return !over_;
  }
  /// Called when the graph is destroyed: frees what it kept, on a stream that comes after all its work.
  GNP_INLINE void give_back(CUstream after) noexcept {
    const std::lock_guard lock(lock_);
    over_ = true;
    for (const kept& one : free_) driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(one.block), after);
    free_.clear();
    for (void* one : std::exchange(counters_, {})) {
      if (one != nullptr) driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(one), after);
    }
    if (!host_copies_.empty()) driver().cuStreamSynchronize(after);
    for (void* copy : std::exchange(host_copies_, {})) driver().cuMemFreeHost(copy);
  }

  /// Counters for one piece of work, like those of counters_of(). There are several sets, so that a few pieces
  /// can run at the same time.
  GNP_INLINE CUdeviceptr counters() {
    void*& next = counters_[next_counters_++ % counters_.size()];
    constexpr std::size_t bytes = stream_counters * sizeof(unsigned);
    if (next == nullptr) {
      void* const made = make(bytes);
      if (made == nullptr) check_cuda(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAllocAsync");
      GNP_CUDA_CALL(cuMemsetD8Async, reinterpret_cast<CUdeviceptr>(made), 0, bytes, source_);
      GNP_CUDA_CALL(cuStreamSynchronize, source_);
      next = made;
    }
    order_.uses(next, bytes, true);
    return reinterpret_cast<CUdeviceptr>(next);
  }

  recorded_order& order() { return order_; }

  /// The number of this recording in the program, counted from 1.
  std::uint64_t number() const { return number_; }

  /// A block has been made.
  virtual void made(storage& block) = 0;
  /// A block is gone.
  virtual void forget(storage* block) noexcept = 0;
  /// Queues the work that is held back, so that memory that it keeps becomes available.
  virtual void start_held() const = 0;

  /// Copies host memory that a copy to the GPU reads at each replay.
  GNP_INLINE const void* keep_host_copy(const void* from, std::size_t bytes) {
    void* copy = nullptr;
    GNP_CUDA_CALL(cuMemHostAlloc, &copy, bytes == 0 ? 1 : bytes, CU_MEMHOSTALLOC_PORTABLE);
    host_copies_.push_back(copy);
    return std::memcpy(copy, from, bytes);
  }

 private:
  struct kept {
    std::size_t bytes;
    void* block;
  };

  /// If there are at least `enough` freed blocks of this size, the one that was freed first; otherwise null.
  /// The work that takes it then waits for the oldest use.
  GNP_INLINE void* take_freed(std::size_t bytes, std::ptrdiff_t enough) {
    const std::lock_guard lock(lock_);
    const auto fits = [bytes](const kept& one) { return one.bytes == bytes; };
    if (std::count_if(free_.begin(), free_.end(), fits) < enough) return nullptr;
    const auto known = std::find_if(free_.begin(), free_.end(), fits);
    void* const block = known->block;
    free_.erase(known);
    return block;
  }
  CUstream source_;
  std::uint64_t number_;
  recorded_order order_;
  std::mutex lock_;
  std::vector<kept> free_;  // in the order in which they were freed
  std::array<void*, 4> counters_{};
  std::size_t next_counters_ = 0;
  std::vector<void*> host_copies_;
  bool over_ = false;
};

GNP_INLINE const void* source_of_copy(stream_state* stream, const void* from, std::size_t bytes) {
  return stream->recorded == nullptr ? from : stream->recorded->keep_host_copy(from, bytes);
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_not_recorded(const char* what) {
  throw graph_error(std::string("gnp::graph: ") + what);
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_without_elements() {
  const char* const function =
      asking_for_elements != nullptr ? asking_for_elements : "asnumpy(), printing, saving or a move to the CPU";
  throw graph_error(std::string("gnp::graph, gnp::jit: elements are asked for, by ") + function +
                    ": there are none while work is recorded, it is done when the recording is called");
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
