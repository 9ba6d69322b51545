// SPDX-License-Identifier: MIT
// How a block of memory is allocated, and freed after its last use.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gnp/cuda/memory.hpp>
#include <gnp/cuda/recorded_memory.hpp>
#include <gnp/memory/storage.hpp>
#include <memory>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn]] GNP_INLINE void throw_out_of_host_memory(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto free_pages = static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES));
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const auto mib = [](std::size_t size) { return std::to_string(size >> 20) + " MiB"; };
  throw out_of_memory(std::string("out of memory on cpu: asked for ") + mib(bytes) + " (" +
                      std::to_string(bytes) + " bytes), free " + mib(free_pages * page) + ", in use " +
                      mib((pages - free_pages) * page));
}

/// A block of 4 MiB or more that begins in a huge page. For new memory, the system clears each page, which can take
/// longer than the loop that fills the block. So malloc should find room for it in memory that was freed before,
/// which it keeps for blocks of up to 32 MiB. With aligned_alloc it does not: each block leaves a gap of less
/// than a huge page, in which the next one does not fit. So this function aligns the block itself, and stores
/// the pointer that is to be freed in front of it.
GNP_INLINE void* allocate_large_on_cpu(std::size_t bytes) {
  // A system that overcommits memory grants any size and kills the process later, so sizes far beyond the
  // system's memory are refused here.
  const auto physical =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (bytes / 16 > physical) throw_out_of_host_memory(bytes);
  // Arrays that all begin at the same offset in a page would compete for the same places in the cache, and a
  // load would wait for a store 4 KiB before it. So large arrays begin at offsets that differ by a few cache
  // lines.
  constexpr std::size_t step = 1024 + 64;
  constexpr std::size_t most = 15 * step;
  static std::atomic<unsigned> next{0};
  const std::size_t stagger = next.fetch_add(1, std::memory_order_relaxed) % 16 * step;
  // The size does not depend on the stagger, so that a block fits where another one was.
  char* const whole = static_cast<char*>(std::malloc(bytes + most + sizeof(char*) + huge_page - 1));
  if (whole == nullptr) throw_out_of_host_memory(bytes);
  const std::size_t past = (reinterpret_cast<std::uintptr_t>(whole) + sizeof(char*)) % huge_page;
  char* const page = whole + sizeof(char*) + (huge_page - past) % huge_page;
  // Causes fewer page faults. It is only a hint, and is not given for a last page of which little is used.
  ::madvise(page, (bytes + stagger) / huge_page * huge_page, MADV_HUGEPAGE);
  std::memcpy(page + stagger - sizeof whole, &whole, sizeof whole);
  return page + stagger;
}

GNP_INLINE bool is_large_on_cpu(std::size_t bytes) { return bytes >= 2 * huge_page; }

GNP_INLINE void* allocate_on_cpu(std::size_t bytes) {
  if (is_large_on_cpu(bytes)) return allocate_large_on_cpu(bytes);
  constexpr std::size_t alignment = 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw_out_of_host_memory(bytes);
  return memory;
}

GNP_INLINE void free_on_cpu(void* memory, std::size_t bytes) noexcept {
  if (is_large_on_cpu(bytes)) std::memcpy(&memory, static_cast<char*>(memory) - sizeof memory, sizeof memory);
  std::free(memory);
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
