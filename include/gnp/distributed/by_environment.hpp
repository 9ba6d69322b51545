// SPDX-License-Identifier: MIT
// Processes that the environment describes, as torchrun and cluster scripts set it: RANK, WORLD_SIZE,
// MASTER_ADDR, MASTER_PORT. NCCL itself lets the processes find each other.
#pragma once

#include <cstdlib>
#include <gnp/distributed/local_gpu.hpp>
#include <gnp/distributed/staged.hpp>
#include <gnp/distributed/start.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

[[noreturn]] inline void throw_no_world(int count, const std::string& why) {
  throw distributed_error("world: WORLD_SIZE is " + std::to_string(count) + ", and " + why +
                          ": start the processes with mpirun, and define GNP_MPI in one file");
}

inline std::string text_in(const char* variable, int count) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') throw_no_world(count, std::string(variable) + " is not set");
  return text;
}

/// Where the first process waits for the others, in the form that NCCL_COMM_ID has. If torchrun has its own
/// server at MASTER_PORT, which TORCHELASTIC_USE_AGENT_STORE tells, the next port is used.
inline std::string meeting_point(int count) {
  const std::string host = text_in("MASTER_ADDR", count);
  int port = std::atoi(text_in("MASTER_PORT", count).c_str());
  const char* const agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
  if (agent != nullptr && std::string(agent) == "True") ++port;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

/// Sets an environment variable during its lifetime, unless it is already set.
class variable_for_now {
 public:
  variable_for_now(const char* name, const std::string& text)
      : name_(name), is_ours_(std::getenv(name) == nullptr) {
    if (is_ours_) ::setenv(name, text.c_str(), 1);
  }
  variable_for_now(const variable_for_now&) = delete;
  variable_for_now& operator=(const variable_for_now&) = delete;
  ~variable_for_now() {
    if (is_ours_) ::unsetenv(name_);
  }

 private:
  const char* name_;
  bool is_ours_;
};

inline std::shared_ptr<engine> engine_by_environment(int count) {
  const int rank = std::atoi(text_in("RANK", count).c_str());
  const std::string where = meeting_point(count);
  if (rank < 0 || rank >= count) throw_no_world(count, "RANK is " + std::to_string(rank));
#if GNP_HAS_CUDA
  if (!cuda_available())
    throw_no_world(count, "without MPI the processes find each other by NCCL, which needs a GPU for each (" +
                              gnp::detail::cuda_unusable() + ")");
  if (const std::string& why = gnp::detail::nccl().unusable; !why.empty())
    throw_no_world(count, "without MPI the processes find each other by NCCL (" + why + ")");
  const int taken = gnp::detail::gpu_of_process.load(std::memory_order_relaxed);
  const device own = taken >= 0 ? device::cuda(taken) : default_device();
  if (own.is_cpu())
    throw_no_world(count,
                   "without MPI the processes find each other by NCCL, which needs a GPU for each; the "
                   "default device is the CPU");
  // NCCL makes the id of a communicator from this variable, and the first process listens there. This holds for
  // this communicator only: the ids of later ones are sent over it.
  const variable_for_now meeting("NCCL_COMM_ID", where);
  gnp::detail::nccl_unique_id id;
  const gnp::detail::nccl_status status = gnp::detail::nccl().ncclGetUniqueId(&id);
  if (status != gnp::detail::nccl_status::success)
    throw_no_world(count, "NCCL does not take " + where + " (" + gnp::detail::nccl_text(status) + ")");
  auto gpus = std::make_shared<communicator>("world", own.ordinal(), rank, count, id, nullptr);
  ::unsetenv("NCCL_COMM_ID");  // also if the user has set it, because NCCL would use it for later communicators
  return std::make_shared<staged_engine>(std::make_shared<gpu_mover>(own.ordinal(), std::move(gpus)));
#else
  throw_no_world(count, "without MPI the processes find each other by NCCL; " + gnp::detail::cuda_unusable());
#endif
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
