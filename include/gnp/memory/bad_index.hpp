// SPDX-License-Identifier: MIT
// An index that a computation found to be out of bounds. It is recorded where it is found, and thrown by
// whatever waits for the result.
#pragma once

#include <atomic>
#include <gnp/cuda/arguments.hpp>
#include <gnp/memory/device.hpp>
#include <string>
#if GNP_HAS_CUDA
#include <gnp/cuda/memory.hpp>
#include <gnp/memory/ended_work.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The first index found out of bounds. state: 0 nothing, 1 being written, 2 there to be read. is_unsigned: is
/// the index the bits of an unsigned number?
GNP_KERNEL_ARGUMENTS(bad_index, unsigned state = 0; int axis = 0; long long index = 0; long long size = 0;
                     const char* function = nullptr; int is_unsigned = 0;)

[[noreturn, gnu::cold]] GNP_DECLARED void throw_out_of_bounds(const char* function, const std::string& index,
                                                              int axis, long long size);

/// Throws what was recorded, and clears the record for the next error.
[[gnu::cold]] GNP_DECLARED void throw_bad_index(bad_index& found);

/// The record for jobs that this thread runs on the CPU, whichever threads help it. A job is done when it
/// returns, and then the thread checks the record.
GNP_DECLARED bad_index& bad_index_on_cpu();
GNP_DECLARED void throw_bad_index_on_cpu();

#if GNP_HAS_CUDA

/// The record for a GPU. It is in host memory that the GPU's kernels write to, so that checking it costs one
/// load. It is allocated when the first index is sent to the GPU, and never freed, because kernels may run
/// until the program ends.
GNP_DECLARED std::atomic<bad_index*>& bad_index_of_gpu(int ordinal);
GNP_DECLARED bad_index* make_bad_index_of_gpu(int ordinal);

/// Called after every wait for a GPU.
GNP_DECLARED void throw_bad_index_of_gpu(int ordinal);

/// Does gnp wait for the GPU each time that indices are sent to it?
GNP_DECLARED std::atomic<bool>& checks_indices_at_once();
/// Has this thread sent indices since it last waited?
GNP_DECLARED bool& indices_were_sent();
/// Called after a run on a GPU.
GNP_DECLARED void check_sent_indices(device where);

#endif

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/memory/throw_index.hpp>
#endif
