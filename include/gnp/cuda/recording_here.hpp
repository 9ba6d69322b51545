// SPDX-License-Identifier: MIT
// Whether this thread records its work for a graph, and what it must not do while it does.
#pragma once

#include <gnp/core/error.hpp>
#include <gnp/cuda/context.hpp>
#if GNP_HAS_CUDA

#include <cstddef>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The address from which a copy to the GPU reads host memory. A graph repeats the copy later, so it keeps the
/// present contents.
GNP_DECLARED const void* source_of_copy(stream_state* stream, const void* from, std::size_t bytes);

/// What this thread records at the moment.
GNP_VISIBLE inline thread_local recorded_memory* recording_here = nullptr;

[[noreturn, gnu::cold]] GNP_DECLARED void throw_not_recorded(const char* what);

/// Throws the error for a function that needs elements.
[[noreturn, gnu::cold]] GNP_DECLARED void throw_without_elements();

/// Called before anything that waits for the GPU. While work is recorded, the GPU does not run it.
inline void require_no_recording(const char* what) {
  if (recording_here != nullptr) [[unlikely]]
    throw_not_recorded(what);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/recorded_memory.hpp>
#endif
