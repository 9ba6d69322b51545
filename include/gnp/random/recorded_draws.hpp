// SPDX-License-Identifier: MIT
// Random numbers in a graph: its kernels read their random source from memory that each replay fills, so that
// replay k returns what the k-th run of the body would.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/random/philox.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Each recording has one, and it is a draws_of_replays.
class recorded_draws {
 public:
  recorded_draws(const recorded_draws&) = delete;
  recorded_draws& operator=(const recorded_draws&) = delete;

  /// The draws of what this thread is recording.
  GNP_DECLARED static recorded_draws& here();

  /// Adds `count` calls of a generator, and returns the number of the first of them.
  GNP_DECLARED std::uint64_t calls_of(const std::shared_ptr<generator_state>& generator, std::uint64_t count);

  /// The address at which a kernel finds the source of these numbers, counted from that group.
  GNP_DECLARED const scalar::random_source* place(const numbers_of_call& numbers, std::uint64_t group);

 protected:
  recorded_draws() = default;
  ~recorded_draws() = default;
};

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/draws_of_replays.hpp>
#endif

#endif
