// SPDX-License-Identifier: MIT
// Which streams use a block of memory, and what work on another stream has to wait for.
#pragma once

#include <gnp/cuda/stream.hpp>
#if GNP_HAS_CUDA

#include <array>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Readers wait for the last write, and run at the same time; a writer waits for all of them.
///
/// A stream that has been waited for is removed from the list. But another thread may be submitting to it: a
/// thread that found its stream among the users and has not queued its work yet, so that a wait queued now does
/// not cover that work. Such a thread increments `submitting` before it reads the list, and a stream is removed
/// from the list before `submitting` is read, so one of the two threads sees the other. The stream then stays
/// unsettled, and the next use waits for it again.
class block_uses {
 public:
  constexpr block_uses() = default;
  block_uses(const block_uses&) = delete;
  block_uses& operator=(const block_uses&) = delete;

  /// New memory, made on this stream.
  GNP_DECLARED void begin(stream_state* stream);

  /// To be called before work reads the block, on the stream to which the work is submitted.
  GNP_DECLARED void read_on(stream_state* stream);

  /// To be called before work writes the block (and perhaps reads it), on the stream to which the work is
  /// submitted.
  GNP_DECLARED void write_on(stream_state* stream);

  /// Was the block made on this stream, and has it been used on no other?
  bool is_made_on(const stream_state* stream) const {
    return users_[0].load() == stream && users_[1].load() == nullptr && several_ == nullptr;
  }

  /// Has it been used, or made, on any stream?
  bool is_used() const { return users_[0].load() != nullptr || several_ != nullptr; }

  /// After the last use: returns a stream of that GPU on which the memory can be freed, and which the caller
  /// has to release. Never throws: this runs in destructors, also after the driver has shut down at exit.
  GNP_DECLARED stream_state* end(int ordinal) noexcept;

 private:
  using streams = std::vector<stream_state*>;

  GNP_DECLARED static bool contains(const streams& list, stream_state* stream);
  GNP_DECLARED static void add(streams& list, stream_state* stream);

  [[gnu::cold]] GNP_DECLARED void use(stream_state* stream, bool writes);

  /// Stores the list of users. A use can find the first `found_at_once` of them without a lock. That number is
  /// 0 while a stream is unsettled, because then each use has to wait for it.
  GNP_DECLARED void list(const streams& users, std::size_t found_at_once);

  GNP_DECLARED streams all_users() const;

  // Streams that have used the block since it was written, or wrote it. Each list holds references.
  std::array<std::atomic<stream_state*>, 4> users_{};
  /// Made when a block is first used on a second stream.
  struct several;
  several* several_ = nullptr;  // deleted at the end
  // Work queued on this stream from now on comes after all writes so far.
  std::atomic<stream_state*> after_writes_{nullptr};
};

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/cuda/block_order.hpp>
#endif
