// SPDX-License-Identifier: MIT
// profile: what the program does in a scope, as a table of kernels and library calls.
#pragma once

#include <gnp/memory/profile_row.hpp>
#include <iosfwd>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// Observes all work of the process from here to the end of the scope, or to stop():
///
///   gnp::profile seen;
///   ...
///   std::cout << seen;
///
/// On a GPU, a piece of work is timed on its stream, from before its first kernel to after its last. A graph's
/// call is one row.
class profile {
 public:
  profile() : state_(begin()) {}
  ~profile() { end(); }
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;

  /// Work from now on does not count.
  GNP_DECLARED void stop() noexcept;

  /// The rows, the longest time first. Waits for GPU work that is still running.
  GNP_DECLARED_ON_USE std::vector<profile_row> rows() const;

  /// How long the profile has run, in wall-clock time.
  GNP_DECLARED double seconds() const;

  /// The most bytes that arrays held on a device at one time, including arrays that are older than the profile.
  GNP_DECLARED std::size_t highest_memory(device where = default_device()) const;

 private:
  struct state;
  GNP_DECLARED static state* begin();
  GNP_DECLARED void end() noexcept;

  state* state_;
};

GNP_DECLARED_ON_USE std::ostream& operator<<(std::ostream& out, const profile& seen);

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/memory/profile_table.hpp>
#endif
