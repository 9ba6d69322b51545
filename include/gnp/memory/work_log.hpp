// SPDX-License-Identifier: MIT
// What a profile has recorded: how often each kind of work was done, how long it took, and how many bytes it
// moved.
#pragma once

#include <array>
#include <gnp/cpu/process_mutex.hpp>
#include <gnp/cuda/timed_events.hpp>
#include <gnp/memory/profile_row.hpp>
#include <gnp/memory/storage.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A piece of work that was done.
struct done_work {
  std::string name;
  gnp::device where = gnp::device::cpu();
  std::size_t bytes = 0;
  double seconds = 0;  // on the CPU
#if GNP_HAS_CUDA
  std::shared_ptr<const timed_events> events{};  // on a GPU, which may not have finished
#endif
};

class work_log {
 public:
  GNP_DECLARED void add(const done_work& work);

  GNP_DECLARED std::vector<profile_row> rows();

  /// The most memory that arrays held at one time, for each device; the CPU comes first.
  std::array<std::size_t, most_devices> most_memory{};

 private:
#if GNP_HAS_CUDA
  GNP_DECLARED void add_times(std::size_t count);
  struct running {
    std::size_t row;
    std::shared_ptr<const timed_events> events;
  };
  std::vector<running> under_way_;
#endif
  std::mutex lock_;
  GNP_DECLARED std::size_t row_of(const done_work& work);
  std::vector<profile_row> rows_;
};

/// The profiles that run.
class running_logs {
 public:
  GNP_DECLARED static running_logs& all();
  GNP_DECLARED void add(work_log* log);
  GNP_DECLARED void remove(work_log* log);
  GNP_DECLARED void add(const done_work& work);
  /// The most bytes that arrays held on a device at one time while the log ran.
  GNP_DECLARED std::size_t most_memory(const work_log& log, device where);

 private:
  GNP_DECLARED void note_memory() const;
  GNP_DECLARED static void start_memory_over();

  std::mutex& lock_ = process_mutex<running_logs>();
  std::vector<work_log*> logs_;
};

}}}  // namespace gnp::GNP_ABI::detail
