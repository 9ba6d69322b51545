// SPDX-License-Identifier: MIT
// What the environment says about a program's processes, and how long a process waits for the others.
#pragma once

#include <atomic>
#include <cstdlib>
#include <gnp/core/error.hpp>
#include <gnp/distributed/engine.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

namespace detail {

/// How to start with MPI: set by the file that defines GNP_MPI.
struct mpi_start {
  bool (*is_there)() = nullptr;
  std::shared_ptr<engine> (*of_all)() = nullptr;
};
GNP_VISIBLE inline mpi_start& mpi_of_program() {
  static mpi_start start;
  return start;
}

inline int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

/// How many processes an MPI launcher has started; 0 if there is no launcher.
inline int processes_of_launcher() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const int count = number_in(variable); count > 0) return count;
  }
  return 0;
}

inline std::string seconds_text(double seconds) {
  const std::string text = std::to_string(seconds);
  return text.substr(0, text.find_last_not_of('0') + (text[text.find_last_not_of('0')] == '.' ? 0 : 1)) + " s";
}

GNP_VISIBLE inline std::atomic<double>& timeout_of_program() {
  static std::atomic<double> seconds = [] {
    const char* const text = std::getenv("GNP_DISTRIBUTED_TIMEOUT");
    const double given = text == nullptr ? 0 : std::atof(text);
    return given > 0 ? given : 600.0;
  }();
  return seconds;
}

}  // namespace detail

/// How many seconds a call waits for the other processes before it throws distributed_error: 600, or what
/// GNP_DISTRIBUTED_TIMEOUT says.
inline double timeout() { return detail::timeout_of_program().load(std::memory_order_relaxed); }
inline void set_timeout(double seconds) {
  if (!(seconds > 0)) throw error("set_timeout: the time must be positive, got " + std::to_string(seconds));
  detail::timeout_of_program().store(seconds, std::memory_order_relaxed);
}

}}}  // namespace gnp::GNP_ABI::distributed
