// SPDX-License-Identifier: MIT
// Which GPU of its machine a process takes, if a launcher has started several processes there.
#pragma once

#include <cstdlib>
#include <gnp/distributed/start.hpp>
#include <gnp/memory/device.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// The rank of this process among those of its machine; -1 if no launcher says it.
inline int rank_on_machine() {
  for (const char* variable :
       {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    const char* const text = std::getenv(variable);
    if (text != nullptr && *text != '\0') return std::atoi(text);
  }
  return -1;
}

/// Makes that GPU the default of this process, unless GNP_DEVICE decides.
inline void take_local_gpu() {
  const char* const given = std::getenv("GNP_DEVICE");
  const int rank = rank_on_machine();
  if ((given != nullptr && *given != '\0') || rank < 0 || !cuda_available()) return;
  gnp::detail::gpu_of_process.store(rank % gnp::detail::cuda_device_count(), std::memory_order_relaxed);
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
