// SPDX-License-Identifier: MIT
// A block of memory on a device, shared by the arrays that view it.
#pragma once

#include <atomic>
#include <cstddef>
#include <gnp/cuda/block_uses.hpp>
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
  release_function* give_back = nullptr;  // for memory of another owner: called once, then deleted
  void* given = nullptr;                  // what it is called with
};

/// The current bytes of all blocks on the CPU, and the most at any one time: ever, and since start_over().
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
  /// To be called by one thread at a time.
  void start_over() {
    highest_before.store(highest_ever(), std::memory_order_relaxed);
    highest.store(now.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
};
GNP_VISIBLE inline constinit cpu_memory_count memory_on_cpu{};

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

GNP_DECLARED void* allocate_on_cpu(std::size_t bytes);

GNP_DECLARED void free_on_cpu(void* memory, std::size_t bytes) noexcept;

/// One storage without memory for each device. Empty arrays share it, so that a moved-from array becomes an
/// empty one at no cost.
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
// They need no destructor, so that they exist until after the last array is destroyed.
static_assert(std::is_trivially_destructible_v<storage>);

/// Owns one reference to a storage. It is never null.
class storage_ref {
 public:
  /// A storage without memory, on this device.
  explicit storage_ref(gnp::device where = gnp::device::cpu()) noexcept
      : block_(&nothing_on.at[where.ordinal() + 1]) {}
  storage_ref(const storage_ref& other) noexcept : block_(other.block_) {
    if (counted()) block_->references.fetch_add(1, std::memory_order_relaxed);
  }
  /// Leaves `other` without memory, on the same device.
  storage_ref(storage_ref&& other) noexcept
      : block_(std::exchange(other.block_, &nothing_on.at[other.block_->device.ordinal() + 1])) {}
  storage_ref& operator=(storage_ref other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~storage_ref() {
    if (counted() && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(block_);
  }

  GNP_DECLARED static storage_ref allocate(std::size_t bytes, gnp::device where);

  /// Makes one more reference to a block that is already referred to.
  static storage_ref sharing(storage* block) {
    storage_ref ref;
    ref.block_ = block;
    if (ref.counted()) block->references.fetch_add(1, std::memory_order_relaxed);
    return ref;
  }

  /// Wraps memory that belongs to the caller, or that is returned to its owner (give_back_by).
  GNP_DECLARED static storage_ref wrap(void* data, std::size_t bytes, gnp::device where);

  /// When the last handle is gone and work on the memory is done, calls the function with `given`, on the
  /// thread that dropped the last handle.
  void give_back_by(deleter function, void* given) noexcept {
    block_->give_back = function.take();
    block_->given = given;
  }

  storage* get() const { return block_; }
  storage* operator->() const { return block_; }

 private:
  bool counted() const noexcept { return block_->references.load(std::memory_order_relaxed) > 0; }

  GNP_DECLARED static void destroy(storage* block) noexcept;

  storage* block_;
};

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/memory/storage_life.hpp>
#endif
