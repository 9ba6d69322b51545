// SPDX-License-Identifier: MIT
// Which streams use a block of memory, and what work on another stream has to wait for.
#pragma once

#include <gnp/cuda/stream.hpp>
#if GNP_HAS_CUDA

#include <array>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Readers wait for what was written and run beside each other; a writer waits for all of them.
///
/// A stream that has been waited for is forgotten. But some thread may be submitting to it: a thread that found
/// its stream among the users and has not queued its work yet, so that nothing queued now waits for that work.
/// Such a thread raised `submitting` before it looked, and a stream is taken off the list before `submitting`
/// is looked at: one of the two sees the other. The stream stays unsettled then, and the next use waits for it
/// again.
class block_uses {
 public:
  constexpr block_uses() = default;
  block_uses(const block_uses&) = delete;
  block_uses& operator=(const block_uses&) = delete;

  /// New memory, made on this stream.
  GNP_DECLARED void begin(stream_state* stream);

  /// Before work reads the block, on a stream that is being submitted to.
  GNP_DECLARED void read_on(stream_state* stream);

  /// Before work writes the block (and perhaps reads it), on a stream that is being submitted to.
  GNP_DECLARED void write_on(stream_state* stream);

  /// Has only this stream used it, which made it?
  bool is_made_on(const stream_state* stream) const {
    return users_[0].load() == stream && users_[1].load() == nullptr && several_ == nullptr;
  }

  /// Has it been used, or made, on any stream?
  bool is_used() const { return users_[0].load() != nullptr || several_ != nullptr; }

  /// After the last use: a stream of that GPU on which the memory can be freed, and which is the caller's to
  /// release. Never throws: this runs in destructors, also after the driver has shut down at exit.
  GNP_DECLARED stream_state* end(int ordinal) noexcept;

 private:
  using streams = std::vector<stream_state*>;

  GNP_DECLARED static bool contains(const streams& list, stream_state* stream);
  GNP_DECLARED static void add(streams& list, stream_state* stream);

  [[gnu::cold]] GNP_DECLARED void use(stream_state* stream, bool writes);

  /// Puts the users on the list: the first `found_at_once` of them where a use finds its stream without a lock.
  /// None while a stream is unsettled: each use has to wait for that.
  GNP_DECLARED void list(const streams& users, std::size_t found_at_once);

  GNP_DECLARED streams all_users() const;

  // Streams that have used the block since it was written, or wrote it. Each list holds references.
  std::array<std::atomic<stream_state*>, 4> users_{};
  /// Made when a block is first used on a second stream.
  struct several;
  several* several_ = nullptr;  // deleted at the end
  // All that was written comes before what this stream is given from now on.
  std::atomic<stream_state*> after_writes_{nullptr};
};

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/block_order.hpp>
#endif
