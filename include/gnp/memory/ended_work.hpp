// SPDX-License-Identifier: MIT
// GPU work that was ended because the process it waited for did not come: its results mean nothing, and whoever
// waits for them is told.
#pragma once

#include <gnp/cuda/context.hpp>
#if GNP_HAS_CUDA

#include <atomic>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is to be said about ended work of a GPU; null where there is none.
GNP_DECLARED std::atomic<const std::string*>& ended_work_of_gpu(int ordinal);

[[gnu::cold]] GNP_DECLARED void note_ended_work_of_gpu(int ordinal, const std::string& why);

inline void forget_ended_work_of_gpu(int ordinal) { delete ended_work_of_gpu(ordinal).exchange(nullptr); }

/// Called by whoever has waited for a GPU.
GNP_DECLARED void throw_ended_work_of_gpu(int ordinal);

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/memory/ending_work.hpp>
#endif
