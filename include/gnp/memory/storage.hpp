// SPDX-License-Identifier: MIT
// A block of memory on a device, shared by the arrays that view it.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <gnp/cuda/block_uses.hpp>
#include <gnp/cuda/memory.hpp>
#include <gnp/memory/deleter.hpp>
#include <gnp/memory/device.hpp>
#include <memory>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct storage {
  void* data = nullptr;
  std::size_t bytes = 0;
  gnp::device device = gnp::device::cpu();
  std::atomic<long> references{1};  // negative: never freed, and not counted
#if GNP_HAS_CUDA
  block_uses uses = {};
#endif
  bool owned = true;
  release_function* give_back = nullptr;  // where another owner gets the memory back: called once, and deleted
  void* given = nullptr;                  // what it is called with
};

[[noreturn]] GNP_INLINE void throw_out_of_host_memory(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto free_pages = static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES));
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const auto mib = [](std::size_t size) { return std::to_string(size >> 20) + " MiB"; };
  throw out_of_memory(std::string("out of memory on cpu: asked for ") + mib(bytes) + " (" +
                      std::to_string(bytes) + " bytes), free " + mib(free_pages * page) + ", in use " +
                      mib((pages - free_pages) * page));
}

/// The bytes of all blocks on the CPU now, and the most there have been at a time: ever, and of late.
struct cpu_memory_count {
  std::atomic<std::size_t> now{0};
  std::atomic<std::size_t> highest{0};  // since start_over()
  std::atomic<std::size_t> highest_before{0};

  void add(std::size_t bytes) {
    const std::size_t sum = now.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::size_t known = highest.load(std::memory_order_relaxed);
    while (sum > known && !highest.compare_exchange_weak(known, sum, std::memory_order_relaxed)) {
    }
  }
  void remove(std::size_t bytes) { now.fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t highest_ever() const {
    return (std::max)(highest.load(std::memory_order_relaxed), highest_before.load(std::memory_order_relaxed));
  }
  /// One thread at a time.
  void start_over() {
    highest_before.store(highest_ever(), std::memory_order_relaxed);
    highest.store(now.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
};
GNP_VISIBLE inline constinit cpu_memory_count memory_on_cpu{};

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

GNP_INLINE void* allocate_on_cpu(std::size_t bytes) {
  const bool large = bytes >= 2 * huge_page;
  if (large) {
    // A system that overcommits grants anything and kills the process later; far past its memory is a refusal.
    const auto physical =
        static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (bytes / 16 > physical) throw_out_of_host_memory(bytes);
  }
  // Arrays that all begin at the same place of a page compete for the same places in the cache, and a load
  // waits for a store 4 KiB back: large ones begin a few lines apart. free_on_cpu() finds the block's beginning
  // again.
  static std::atomic<unsigned> next{0};
  const std::size_t stagger = large ? next.fetch_add(1, std::memory_order_relaxed) % 16 * (1024 + 64) : 0;
  const std::size_t alignment = large ? huge_page : 64;
  const std::size_t rounded = (bytes + stagger + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw_out_of_host_memory(bytes);
  // Fewer page faults; a hint only, and not for a last page of which little is used.
  if (large) ::madvise(memory, (bytes + stagger) / huge_page * huge_page, MADV_HUGEPAGE);
  return static_cast<char*>(memory) + stagger;
}

GNP_INLINE void free_on_cpu(void* memory, std::size_t bytes) noexcept {
  const bool large = bytes >= 2 * huge_page;
  const std::size_t stagger = large ? reinterpret_cast<std::uintptr_t>(memory) % huge_page : 0;
  std::free(static_cast<char*>(memory) - stagger);
}

/// No memory, on each device: what empty arrays share, so that an array that was moved from is one at no cost.
template <class Sequence>
struct empty_storages;
template <int... Place>
struct empty_storages<std::integer_sequence<int, Place...>> {
  storage at[sizeof...(Place)] = {
      {.device = Place == 0 ? device::cpu() : device::cuda(Place - 1), .references{-1}}...};
};
#if GNP_HAS_CUDA
inline constexpr int most_devices = 1 + most_gpus;
#else
inline constexpr int most_devices = 1;
#endif
inline constinit empty_storages<std::make_integer_sequence<int, most_devices>> nothing_on{};
// So that it is there until after the last destructor.
static_assert(std::is_trivially_destructible_v<storage>);

/// Owns one reference to a storage, of which there always is one.
class storage_ref {
 public:
  /// No memory on a device.
  explicit storage_ref(gnp::device where = gnp::device::cpu()) noexcept
      : block_(&nothing_on.at[where.ordinal() + 1]) {}
  storage_ref(const storage_ref& other) noexcept : block_(other.block_) {
    if (counted()) block_->references.fetch_add(1, std::memory_order_relaxed);
  }
  /// Leaves no memory on the same device.
  storage_ref(storage_ref&& other) noexcept
      : block_(std::exchange(other.block_, &nothing_on.at[other.block_->device.ordinal() + 1])) {}
  storage_ref& operator=(storage_ref other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~storage_ref() {
    if (counted() && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(block_);
  }

  GNP_INLINE static storage_ref allocate(std::size_t bytes, gnp::device where) {
    storage_ref ref;
    auto block = std::make_unique<storage>();
    block->bytes = bytes;
    block->device = where;
    if (where.is_cpu()) {
      block->data = allocate_on_cpu(bytes);
      memory_on_cpu.add(bytes);
    } else {
#if GNP_HAS_CUDA
      gpu& device = activate(require(where).ordinal());
      stream_state* stream = current_stream(device);
      if (bytes > 0) block->data = allocate_on_gpu(device, stream, bytes);
      block->uses.begin(stream);
      ref.block_ = block.release();
      if (stream->recorded != nullptr) [[unlikely]]
        stream->recorded->made(*ref.block_);
      return ref;
#else
      require(where);
#endif
    }
    ref.block_ = block.release();
    return ref;
  }

  /// One more reference to a block that somebody has one to.
  static storage_ref sharing(storage* block) {
    storage_ref ref;
    ref.block_ = block;
    if (ref.counted()) block->references.fetch_add(1, std::memory_order_relaxed);
    return ref;
  }

  /// Memory that stays the caller's, or that its owner gets back (give_back_by).
  GNP_INLINE static storage_ref wrap(void* data, std::size_t bytes, gnp::device where) {
    require(where);
    storage_ref ref;
    ref.block_ = new storage;
    ref.block_->data = data;
    ref.block_->bytes = bytes;
    ref.block_->device = where;
    ref.block_->owned = false;
    return ref;
  }

  /// The function is called with `given` when the last handle is gone and work on the memory is done, from
  /// whichever thread that is.
  void give_back_by(deleter function, void* given) noexcept {
    block_->give_back = function.take();
    block_->given = given;
  }

  storage* get() const { return block_; }
  storage* operator->() const { return block_; }

 private:
  bool counted() const noexcept { return block_->references.load(std::memory_order_relaxed) > 0; }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfree-nonheap-object"  // g++ cannot know that nothing_on's are not counted
#endif
  GNP_INLINE static void destroy(storage* block) noexcept {
    if (block->device.is_cpu() && block->owned) {
      free_on_cpu(block->data, block->bytes);
      memory_on_cpu.remove(block->bytes);
    }
#if GNP_HAS_CUDA
    if (block->uses.is_used()) {
      stream_state* const last = block->uses.end(block->device.ordinal());
      if (last->recorded != nullptr) [[unlikely]]
        last->recorded->forget(block);
      if (block->owned && block->data != nullptr) {
        free_on_gpu(block->device.ordinal(), last, block->data, block->bytes);
      } else if (block->give_back != nullptr) {
        wait_on_gpu(block->device.ordinal(), last);
      }
      release(last);
    }
#endif
    if (block->give_back != nullptr) {
      (*block->give_back)(block->given);
      delete block->give_back;
    }
    delete block;
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  storage* block_;
};

}}}  // namespace gnp::GNP_ABI::detail
