// SPDX-License-Identifier: MIT
// world(): all processes of this run, however they were started.
#pragma once

#include <gnp/distributed/alone.hpp>
#include <gnp/distributed/by_environment.hpp>
#include <gnp/distributed/group.hpp>
#include <gnp/distributed/local_gpu.hpp>
#include <gnp/distributed/start.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

namespace detail {

inline std::shared_ptr<engine> first_engine() {
  const mpi_start& mpi = mpi_of_program();
  const bool has_mpi = mpi.is_there != nullptr && mpi.is_there();
  const int by_environment = number_in("WORLD_SIZE"), by_launcher = processes_of_launcher();
  if (has_mpi || by_environment > 1) take_local_gpu();
  if (has_mpi) return mpi.of_all();
  if (by_environment > 1) return engine_by_environment(by_environment);
  if (by_launcher > 1) {
    throw distributed_error("world: this is one of " + std::to_string(by_launcher) +
                            " processes, and no file of this program defines GNP_MPI");
  }
  return std::make_shared<alone>();
}

/// The world of a thread that run() has started.
GNP_VISIBLE inline thread_local const group* world_of_thread = nullptr;

}  // namespace detail

/// All processes of this run or, inside run(), its threads. A process that was not started by a launcher is the
/// only one in its world. Each of several processes on a machine takes its own GPU as default device.
inline const group& world() {
  if (detail::world_of_thread != nullptr) return *detail::world_of_thread;
  static const group& all = *new group(detail::first_engine());  // never destroyed, because MPI ends earlier
  return all;
}

}}}  // namespace gnp::GNP_ABI::distributed
