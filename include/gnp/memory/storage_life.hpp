// SPDX-License-Identifier: MIT
// How a block of memory is allocated, and freed after its last use.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gnp/cpu/process_mutex.hpp>
#include <gnp/cuda/block_cache.hpp>
#include <gnp/cuda/memory.hpp>
#include <gnp/cuda/recorded_memory.hpp>
#include <gnp/memory/storage.hpp>
#include <memory>
#include <mutex>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::size_t physical_memory() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] GNP_INLINE void throw_out_of_host_memory(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto free_pages = static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES));
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const auto mib = [](std::size_t size) { return std::to_string(size >> 20) + " MiB"; };
  throw out_of_memory(std::string("out of memory on cpu: asked for ") + mib(bytes) + " (" +
                      std::to_string(bytes) + " bytes), free " + mib(free_pages * page) + ", in use " +
                      mib((pages - free_pages) * page));
}

// An address sanitizer sees who uses memory after it was freed. It would not if the memory were kept.
#if defined(__SANITIZE_ADDRESS__)
#define GNP_KEEPS_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GNP_KEEPS_BLOCKS 0
#endif
#endif
#ifndef GNP_KEEPS_BLOCKS
#define GNP_KEEPS_BLOCKS 1
#endif

/// Blocks of 128 KiB or more that no array on the CPU uses any more. malloc would give their memory back to the
/// system once a few of them are free, and the system clears each page of new memory, which can take longer
/// than the loop that fills the block: three temporary arrays of 8 MB took 3.7 ms instead of 1.1.
class blocks_kept_on_cpu {
 public:
  /// The size that a block should have to be taken again for similar sizes.
  static std::size_t size_for(std::size_t bytes) {
    const int c = block_cache::class_of(bytes);
    return c < block_cache::classes ? block_cache::bytes_of(c) : bytes;
  }

  /// A kept block of this size, or nullptr.
  GNP_INLINE static void* take(std::size_t bytes) {
    const std::lock_guard guard(process_mutex<blocks_kept_on_cpu>());
    return cache().take(bytes);
  }
  /// False if there is no room for another block of this size.
  GNP_INLINE static bool keep(void* block, std::size_t bytes) {
    if (!GNP_KEEPS_BLOCKS) return false;
    static const std::size_t most = physical_memory() / 16;
    const std::lock_guard guard(process_mutex<blocks_kept_on_cpu>());
    return cache().kept_bytes() + bytes <= most && cache().keep(block, bytes);
  }
  /// Any of the blocks, or nullptr once there is none.
  GNP_INLINE static void* take_any() {
    const std::lock_guard guard(process_mutex<blocks_kept_on_cpu>());
    return cache().take_any();
  }
  GNP_INLINE static std::size_t bytes() {
    const std::lock_guard guard(process_mutex<blocks_kept_on_cpu>());
    return cache().kept_bytes();
  }

 private:
  // It is never destroyed, because arrays may be destroyed after everything else. The mutex above makes it
  // usable in a child of fork(), too.
  static block_cache& cache() {
    static block_cache& blocks = *new block_cache;
    return blocks;
  }
};
#undef GNP_KEEPS_BLOCKS

GNP_INLINE bool is_large_on_cpu(std::size_t bytes) { return bytes >= std::size_t{1} << 17; }

/// Frees the memory of a large block. The pointer to it is in front of the block.
GNP_INLINE void free_large_on_cpu(void* memory) noexcept {
  void* whole;
  std::memcpy(&whole, static_cast<char*>(memory) - sizeof whole, sizeof whole);
  std::free(whole);
}

/// malloc, once more without the kept blocks if there is no memory.
GNP_INLINE void* malloc_on_cpu(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory != nullptr) return memory;
  while (void* kept = blocks_kept_on_cpu::take_any()) free_large_on_cpu(kept);
  return std::malloc(bytes);
}

/// A block that begins in a page or, from 4 MiB on, in a huge page. It is aligned here, and not by
/// aligned_alloc: of the memory that was freed before, malloc finds that which is large enough, but not that
/// which is aligned.
GNP_INLINE void* allocate_large_on_cpu(std::size_t asked) {
  const std::size_t bytes = blocks_kept_on_cpu::size_for(asked);
  if (void* const kept = blocks_kept_on_cpu::take(bytes)) return kept;
  // A system that overcommits memory grants any size and kills the process later, so sizes far beyond the
  // system's memory are refused here.
  if (asked / 16 > physical_memory()) throw_out_of_host_memory(asked);
  // Arrays that all begin at the same offset in a page would compete for the same places in the cache, and a
  // load would wait for a store 4 KiB before it. So large arrays begin at offsets that differ by a few cache
  // lines.
  constexpr std::size_t step = 1024 + 64;
  constexpr std::size_t most = 15 * step;
  static std::atomic<unsigned> next{0};
  const std::size_t stagger = next.fetch_add(1, std::memory_order_relaxed) % 16 * step;
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : std::size_t{4096};
  // The size does not depend on the stagger, so that a block fits where another one was.
  auto* const whole = static_cast<char*>(malloc_on_cpu(bytes + most + sizeof(char*) + alignment - 1));
  if (whole == nullptr) throw_out_of_host_memory(asked);
  const std::size_t past = (reinterpret_cast<std::uintptr_t>(whole) + sizeof(char*)) % alignment;
  char* const page = whole + sizeof(char*) + (alignment - past) % alignment;
  // Causes fewer page faults. It is only a hint, and is not given for a last page of which little is used.
  if (alignment == huge_page) ::madvise(page, (bytes + stagger) / huge_page * huge_page, MADV_HUGEPAGE);
  std::memcpy(page + stagger - sizeof whole, &whole, sizeof whole);
  return page + stagger;
}

GNP_INLINE void* allocate_on_cpu(std::size_t bytes) {
  if (is_large_on_cpu(bytes)) return allocate_large_on_cpu(bytes);
  constexpr std::size_t alignment = 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw_out_of_host_memory(bytes);
  return memory;
}

GNP_INLINE void free_on_cpu(void* memory, std::size_t bytes) noexcept {
  if (!is_large_on_cpu(bytes)) return std::free(memory);
  if (!blocks_kept_on_cpu::keep(memory, blocks_kept_on_cpu::size_for(bytes))) free_large_on_cpu(memory);
}

GNP_INLINE storage_ref storage_ref::allocate(std::size_t bytes, gnp::device where) {
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

GNP_INLINE storage_ref storage_ref::wrap(void* data, std::size_t bytes, gnp::device where) {
  require(where);
  storage_ref ref;
  ref.block_ = new storage;
  ref.block_->data = data;
  ref.block_->bytes = bytes;
  ref.block_->device = where;
  ref.block_->owned = false;
  return ref;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfree-nonheap-object"  // g++ cannot know: nothing_on() is not counted
#endif
GNP_INLINE void storage_ref::destroy(storage* block) noexcept {
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

}}}  // namespace gnp::GNP_ABI::detail
