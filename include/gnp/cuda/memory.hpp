// SPDX-License-Identifier: MIT
// Device memory from the driver's stream-ordered pool, and page-locked host memory.
#pragma once

#include <gnp/cuda/stream.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Rounds up to whole vectors, so that a 16-byte access to the last element stays inside the block.
constexpr std::size_t round_up_bytes(std::size_t bytes) { return (bytes + 511) & ~std::size_t{511}; }

[[noreturn]] GNP_DECLARED void throw_out_of_gpu_memory(gpu& device, std::size_t bytes);

/// Returns the memory that all streams of a GPU keep for reuse. The GPU's context must be current.
[[gnu::cold]] GNP_DECLARED void empty_caches(gpu& device);

/// The size that is requested from the driver for a block of this many bytes.
GNP_DECLARED std::size_t bytes_of_block(std::size_t bytes);

GNP_DECLARED void* allocate_on_gpu(gpu& device, stream_state* stream, std::size_t bytes);

// These never throw: they run in destructors, also after the driver has shut down at exit.

GNP_DECLARED void make_current(int ordinal) noexcept;

GNP_DECLARED void free_on_gpu(int ordinal, stream_state* stream, void* memory, std::size_t bytes) noexcept;

/// Waits for the stream. A failure is reported by the next wait.
GNP_DECLARED void wait_on_gpu(int ordinal, stream_state* stream) noexcept;

GNP_DECLARED void* allocate_page_locked(std::size_t bytes);

inline void free_page_locked(void* memory) { driver().cuMemFreeHost(memory); }

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/memory_pool.hpp>
#endif
