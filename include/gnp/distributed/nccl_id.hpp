// SPDX-License-Identifier: MIT
// The id by which the GPUs of a group find each other: made by one process and sent to the others.
#pragma once

#include <gnp/core/error.hpp>
#include <gnp/libraries/nccl.hpp>
#if GNP_HAS_CUDA

#include <string>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// An id, and whether NCCL has made it; if it failed, the others would otherwise wait forever for a process
/// without an id.
struct nccl_id {
  gnp::detail::nccl_unique_id id = {};
  gnp::detail::nccl_status status = gnp::detail::nccl_status::success;
};

inline nccl_id new_nccl_id() {
  nccl_id made;
  made.status = gnp::detail::nccl().ncclGetUniqueId(&made.id);
  return made;
}

/// All processes that have got the id call this, so that all throw the same error.
inline void require_made(const char* function, const nccl_id& told, int maker) {
  if (told.status == gnp::detail::nccl_status::success) return;
  throw distributed_error(std::string(function) + ": NCCL makes no id for process " + std::to_string(maker) +
                          " to connect the GPUs by: " + gnp::detail::nccl().ncclGetErrorString(told.status));
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail

#endif
