// SPDX-License-Identifier: MIT
// GPU work that was ended because another process for which it waited did not respond. Its results are invalid,
// and the next call that waits for them throws an error.
#pragma once

#include <gnp/cuda/context.hpp>
#if GNP_HAS_CUDA

#include <atomic>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The error message for ended work of a GPU; null if there is none.
GNP_DECLARED std::atomic<const std::string*>& ended_work_of_gpu(int ordinal);

[[gnu::cold]] GNP_DECLARED void note_ended_work_of_gpu(int ordinal, const std::string& why);

inline void forget_ended_work_of_gpu(int ordinal) { delete ended_work_of_gpu(ordinal).exchange(nullptr); }

/// Called after every wait for a GPU.
GNP_DECLARED void throw_ended_work_of_gpu(int ordinal);

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/memory/ending_work.hpp>
#endif
