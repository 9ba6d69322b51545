// SPDX-License-Identifier: MIT
// Passes a GPU's memory between gnp and other code, and orders the streams of both sides.
#pragma once

#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_CUDA

/// Is it the legacy default stream, which is also gnp's?
inline bool is_default_stream(void* handle) { return handle == nullptr || handle == CU_STREAM_LEGACY; }

/// Work that other code queues on its stream from now on runs after gnp's work on the block. gnp's later work
/// runs after everything that is on the default stream by then.
GNP_DECLARED void hand_over(storage& block, void* stream);

/// gnp's work on the block runs after everything that is now on the default stream, and on that stream of other
/// code.
GNP_DECLARED void take_over(storage& block, void* stream);

/// gnp's work on the block runs after everything that is now on the default stream, and after an event of other
/// code.
GNP_DECLARED void take_over_behind(storage& block, const void* event);

/// Waits for an event of other code. The GPU's context is current then.
GNP_DECLARED void wait_for_event(gnp::device where, const void* event);

#else

inline void take_over_behind(storage&, const void*) {}
inline void wait_for_event(gnp::device, const void*) {}
inline void hand_over(storage&, void*) {}
inline void take_over(storage&, void*) {}

#endif

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/interop/stream_order.hpp>
#endif
