// SPDX-License-Identifier: MIT
// profile: what a scope does, as a table of its kernels and library calls.
#pragma once

#include <chrono>
#include <gnp/memory/watched_work.hpp>
#include <gnp/memory/work_log.hpp>
#include <iosfwd>

namespace gnp { inline namespace GNP_ABI {

/// Sees all work of the process from here to the end of the scope, or to stop():
///
///   gnp::profile seen;
///   ...
///   std::cout << seen;
///
/// On a GPU a piece of work's time is that of its stream, from before its first kernel to behind its last. A
/// graph's call is one row.
class profile {
 public:
  profile() : begin_(std::chrono::steady_clock::now()) {
    detail::running_logs::all().add(&log_);
    detail::work_watchers.fetch_add(1);
  }
  ~profile() { stop(); }
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;

  /// What is done from now on does not count.
  GNP_DECLARED void stop() noexcept;

  /// The longest first. Waits for work on GPUs that is still under way.
  GNP_DECLARED std::vector<profile_row> rows() const;

  /// How long it has run, on the clock.
  double seconds() const {
    return std::chrono::duration<double>((stopped_ ? end_ : std::chrono::steady_clock::now()) - begin_).count();
  }

  /// The most bytes that arrays had on a device at a time, those from before the profile among them.
  GNP_DECLARED std::size_t highest_memory(device where = default_device()) const;

 private:
  mutable detail::work_log log_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point end_;
  bool stopped_ = false;
};

GNP_DECLARED std::ostream& operator<<(std::ostream& out, const profile& seen);

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/memory/profile_table.hpp>
#endif
