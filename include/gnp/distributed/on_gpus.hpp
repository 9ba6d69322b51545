// SPDX-License-Identifier: MIT
// Which GPUs the processes of a group have, and whether NCCL connects them.
#pragma once

#include <cstring>
#include <gnp/distributed/engine.hpp>
#include <gnp/distributed/gpu_mover.hpp>
#include <gnp/distributed/nccl_id.hpp>
#include <gnp/memory/device.hpp>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

#if GNP_HAS_CUDA

/// What a process can use to connect with the others.
struct gpu_of_process {
  char uuid[16] = {};
  int has_nccl = 0;
  int has_mover = 0;
};

/// Connects the GPUs of a group. Returns null if that is impossible: if NCCL is missing somewhere, or two
/// processes have the same GPU. All processes call this, and all get the same answer.
inline std::shared_ptr<mover> connect_gpus(const char* function, engine& host, int ordinal) {
  if (host.size() == 1) return std::make_shared<gpu_mover>(ordinal, nullptr);
  gpu_of_process own;
  CUuuid uuid;
  GNP_CUDA_CALL(cuDeviceGetUuid, &uuid, gnp::detail::activate(ordinal).handle);
  std::memcpy(own.uuid, uuid.bytes, sizeof own.uuid);
  own.has_nccl = gnp::detail::nccl().unusable.empty() ? 1 : 0;
  const std::shared_ptr<mover> known = host.mover_on_gpu(ordinal);
  own.has_mover = known != nullptr ? 1 : 0;
  std::vector<gpu_of_process> all(static_cast<std::size_t>(host.size()));
  host.all_gather(function, &own, all.data(), std::vector<std::size_t>(all.size(), sizeof own));
  bool all_have_movers = true;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].has_nccl == 0) return nullptr;
    all_have_movers = all_have_movers && all[r].has_mover != 0;
    for (std::size_t q = 0; q < r; ++q) {
      if (std::memcmp(all[r].uuid, all[q].uuid, sizeof own.uuid) == 0) return nullptr;
    }
  }
  if (all_have_movers) return known;
  nccl_id told = host.rank() == 0 ? new_nccl_id() : nccl_id();
  host.broadcast(function, &told, sizeof told, 0);
  require_made(function, told, 0);
  return std::make_shared<gpu_mover>(
      ordinal, std::make_shared<communicator>(function, ordinal, host.rank(), host.size(), told.id, &host));
}

#endif

/// The GPUs of a group, each connected with those of the others when first used.
class connected_gpus {
 public:
  /// What moves memory of this GPU; null if it has to go through the host. All processes of the group call this
  /// together, equally often.
  mover* mover_of([[maybe_unused]] const char* function, [[maybe_unused]] engine& host,
                  [[maybe_unused]] gnp::device where) {
#if GNP_HAS_CUDA
    for (const connected& c : all_) {
      if (c.where == where) return c.by.get();
    }
    all_.push_back({where, connect_gpus(function, host, where.ordinal())});
    return all_.back().by.get();
#else
    return nullptr;
#endif
  }

  struct connected {
    gnp::device where;
    std::shared_ptr<mover> by;
  };
  /// In the order in which they were made, which is the same on all processes.
  const std::vector<connected>& all() const { return all_; }

 private:
  std::vector<connected> all_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
