// SPDX-License-Identifier: MIT
// How a block of memory is allocated, and freed after its last use.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
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

GNP_INLINE void* allocate_on_cpu(std::size_t bytes) {
  const bool large = bytes >= 2 * huge_page;
  if (large) {
    // A system that overcommits memory grants any size and kills the process later, so sizes far beyond the
    // system's memory are refused here.
    const auto physical =
        static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (bytes / 16 > physical) throw_out_of_host_memory(bytes);
  }
  // Arrays that all begin at the same offset in a page would compete for the same places in the cache, and a
  // load would wait for a store 4 KiB before it. So large arrays begin at offsets that differ by a few cache
  // lines. free_on_cpu() finds the beginning of the block again.
  static std::atomic<unsigned> next{0};
  const std::size_t stagger = large ? next.fetch_add(1, std::memory_order_relaxed) % 16 * (1024 + 64) : 0;
  const std::size_t alignment = large ? huge_page : 64;
  const std::size_t rounded = (bytes + stagger + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw_out_of_host_memory(bytes);
  // Causes fewer page faults. It is only a hint, and is not given for a last page of which little is used.
  if (large) ::madvise(memory, (bytes + stagger) / huge_page * huge_page, MADV_HUGEPAGE);
  return static_cast<char*>(memory) + stagger;
}

GNP_INLINE void free_on_cpu(void* memory, std::size_t bytes) noexcept {
  const bool large = bytes >= 2 * huge_page;
  const std::size_t stagger = large ? reinterpret_cast<std::uintptr_t>(memory) % huge_page : 0;
  std::free(static_cast<char*>(memory) - stagger);
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
