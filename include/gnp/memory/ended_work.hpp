// SPDX-License-Identifier: MIT
// Work of a GPU that waited for another process and was ended, because that did not come: its results mean
// nothing, and whoever waits for them is told.
#pragma once

#include <gnp/cuda/context.hpp>
#if GNP_HAS_CUDA

#include <atomic>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What there is to say of a GPU's work; null where nothing is.
GNP_DECLARED std::atomic<const std::string*>& ended_work_of_gpu(int ordinal);

[[gnu::cold]] GNP_DECLARED void note_ended_work_of_gpu(int ordinal, const std::string& why);

inline void forget_ended_work_of_gpu(int ordinal) { delete ended_work_of_gpu(ordinal).exchange(nullptr); }

/// Whoever has waited for a GPU calls it.
GNP_DECLARED void throw_ended_work_of_gpu(int ordinal);

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/memory/ending_work.hpp>
#endif
