// SPDX-License-Identifier: MIT
// Takes memory from the driver and returns it, and throws the error when there is none left.
#pragma once

#include <gnp/cuda/memory.hpp>
#include <gnp/cuda/recorded_memory.hpp>
#include <string>

#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE std::string in_gib(std::size_t bytes) {
  const std::size_t hundredths = static_cast<std::size_t>(static_cast<double>(bytes) / (1 << 30) * 100.0 + 0.5);
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (fraction.size() < 2 ? ".0" : ".") + fraction + " GiB";
}

[[noreturn]] GNP_INLINE void throw_out_of_gpu_memory(gpu& device, std::size_t bytes) {
  std::size_t available = 0;
  std::size_t total = 0;
  driver().cuMemGetInfo(&available, &total);
  cuuint64_t used = 0;
  driver().cuMemPoolGetAttribute(device.pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used);
  throw out_of_memory(std::string("out of memory on cuda:") + std::to_string(device.ordinal) + ": asked for " +
                      in_gib(bytes) + " (" + std::to_string(bytes) + " bytes), free " + in_gib(available) +
                      " of " + in_gib(total) + ", in use by gnp's arrays " + in_gib(used));
}

[[gnu::cold]] GNP_INLINE void empty_caches(gpu& device) {
  const std::lock_guard lock(device.lock_streams);
  for (stream_state* stream : device.streams) empty_cache(stream);
}

/// Tries to make room for one more block: returns the memory that streams keep for reuse, that other work is
/// about to free, and that the pool holds in pieces.
[[gnu::cold]] GNP_INLINE void bring_memory_back(gpu& device) {
  empty_caches(device);
  wait_for_gpu(device);
  driver().cuMemPoolTrimTo(device.pool, 0);
}

GNP_INLINE std::size_t bytes_of_block(std::size_t bytes) {
  const int size_class = block_cache::class_of(bytes);
  return size_class < block_cache::classes ? block_cache::bytes_of(size_class) : round_up_bytes(bytes);
}

GNP_INLINE void* allocate_on_gpu(gpu& device, stream_state* stream, std::size_t bytes) {
  if (void* block = stream->cache.take(bytes)) return block;
  CUdeviceptr memory = 0;
  const std::size_t rounded = bytes_of_block(bytes);
  if (stream->recorded != nullptr) [[unlikely]] {
    if (void* block = stream->recorded->take(rounded)) return block;
    if (recording_here == stream->recorded) stream->recorded->start_held();
    bring_memory_back(device);
    if (void* block = stream->recorded->take(rounded)) return block;
    throw_out_of_gpu_memory(device, bytes);
  }
  CUresult result = driver().cuMemAllocAsync(&memory, rounded, stream->handle);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    bring_memory_back(device);
    result = driver().cuMemAllocAsync(&memory, rounded, stream->handle);
    if (result == CUDA_ERROR_OUT_OF_MEMORY || result == CUDA_ERROR_INVALID_VALUE) {
      throw_out_of_gpu_memory(device, bytes);
    }
  }
  check_cuda(result, "cuMemAllocAsync");
  return reinterpret_cast<void*>(memory);
}

GNP_INLINE void make_current(int ordinal) noexcept {
  gpu& device = gpu_at(ordinal);
  CUcontext current = nullptr;
  driver().cuCtxGetCurrent(&current);
  if (current != device.context) driver().cuCtxSetCurrent(device.context);
}

GNP_INLINE void free_on_gpu(int ordinal, stream_state* stream, void* memory, std::size_t bytes) noexcept {
  if (stream->recorded != nullptr) [[unlikely]] {
    if (stream->recorded->keep(memory, bytes_of_block(bytes))) return;
  } else if (stream->cache.keep(memory, bytes)) {
    return;
  }
  make_current(ordinal);
  driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(memory), stream->handle);
}

GNP_INLINE void wait_on_gpu(int ordinal, stream_state* stream) noexcept {
  make_current(ordinal);
  driver().cuStreamSynchronize(stream->handle);
}

GNP_INLINE void* allocate_page_locked(std::size_t bytes) {
  void* memory = nullptr;
  const CUresult result = driver().cuMemHostAlloc(&memory, bytes == 0 ? 1 : bytes, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    throw out_of_memory(std::string("out of page-locked host memory: asked for ") + in_gib(bytes) + " (" +
                        std::to_string(bytes) + " bytes)");
  }
  check_cuda(result, "cuMemHostAlloc");
  return memory;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
