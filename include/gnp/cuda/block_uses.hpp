// SPDX-License-Identifier: MIT
// Which streams use a block of memory, and what work on another stream has to wait for.
#pragma once

#include <gnp/cuda/stream.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
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
  GNP_INLINE void begin(stream_state* stream) {
    retain(stream);
    retain(stream);
    after_writes_.store(stream, std::memory_order_relaxed);
    users_[0].store(stream, std::memory_order_relaxed);
  }

  /// Before work reads the block, on a stream that is being submitted to.
  GNP_INLINE void read_on(stream_state* stream) {
    for (const std::atomic<stream_state*>& user : users_) {
      if (user.load() == stream) [[likely]]
        return;
    }
    use(stream, false);
  }

  /// Before work writes the block (and perhaps reads it), on a stream that is being submitted to.
  GNP_INLINE void write_on(stream_state* stream) {
    const bool alone = users_[0].load() == stream && users_[1].load() == nullptr;
    if (alone && after_writes_.load() == stream) [[likely]]
      return;
    use(stream, true);
  }

  /// Has only this stream used it, which made it?
  bool is_made_on(const stream_state* stream) const {
    return users_[0].load() == stream && users_[1].load() == nullptr && several_ == nullptr;
  }

  /// Has it been used, or made, on any stream?
  bool is_used() const { return users_[0].load() != nullptr || several_ != nullptr; }

  /// After the last use: a stream of that GPU on which the memory can be freed, and which is the caller's to
  /// release. Never throws: this runs in destructors, also after the driver has shut down at exit.
  GNP_INLINE stream_state* end(int ordinal) noexcept {
    stream_state* last = users_[0].load();
    const bool alone = users_[1].load() == nullptr && several_ == nullptr;
    if (last != nullptr && last->ordinal == ordinal && alone) [[likely]] {
      if (stream_state* const writer = after_writes_.load()) release(writer);
      return last;
    }
    streams users = all_users();
    last = &gpu_at(ordinal).default_stream;
    for (stream_state* user : users) {
      if (user->ordinal == ordinal) last = user;
    }
    retain(last);
    if (several_ != nullptr) {
      users.insert(users.end(), several_->unsettled.begin(), several_->unsettled.end());
      delete several_;
    }
    for (stream_state* user : users) {
      try {
        if (user != last) order_after(user, last);
      } catch (const error&) {  // the driver is gone, and all work with it
      }
      release(user);
    }
    if (stream_state* const writer = after_writes_.load()) release(writer);
    return last;
  }

 private:
  using streams = std::vector<stream_state*>;

  static bool contains(const streams& list, stream_state* stream) {
    return std::find(list.begin(), list.end(), stream) != list.end();
  }
  static void add(streams& list, stream_state* stream) {
    if (!contains(list, stream)) list.push_back(stream);
  }

  [[gnu::cold]] GNP_INLINE void use(stream_state* stream, bool writes) {
    static std::mutex& changing = *new std::mutex;  // for all blocks: one changes its streams rarely
    const std::lock_guard lock(changing);
    const streams before = all_users();
    if (several_ == nullptr) several_ = new several;
    const streams unsettled_before = several_->unsettled;
    stream_state* const after_writes_before = after_writes_.load();
    streams awaited = unsettled_before;
    if (writes) {
      for (stream_state* user : before) add(awaited, user);
    } else if (after_writes_before != nullptr && !contains(before, stream)) {
      add(awaited, after_writes_before);
    }
    std::erase(awaited, stream);

    // First nobody finds a stream without the lock any more; then it is seen who is submitting; then streams
    // wait.
    list(before, 0);
    streams unsettled;
    for (stream_state* earlier : awaited) {
      if (earlier->submitting.load() != 0) unsettled.push_back(earlier);
    }
    for (stream_state* earlier : awaited) order_after(earlier, stream);

    // What streams that were waited for have done comes before this stream's work now: it stands for them.
    streams users;
    for (stream_state* user : before) {
      if (user != stream && !contains(awaited, user)) users.push_back(user);
    }
    users.push_back(stream);
    several_->unsettled = unsettled;
    list(users, unsettled.empty() ? users_.size() : 0);

    for (stream_state* user : users) retain(user);
    for (stream_state* earlier : unsettled) retain(earlier);
    if (writes || !unsettled_before.empty()) {
      retain(stream);
      after_writes_.store(stream);
      if (after_writes_before != nullptr) release(after_writes_before);
    }
    for (stream_state* user : before) release(user);
    for (stream_state* earlier : unsettled_before) release(earlier);
  }

  /// Puts the users on the list: the first `found_at_once` of them where a use finds its stream without a lock.
  /// None while a stream is unsettled: each use has to wait for that.
  GNP_INLINE void list(const streams& users, std::size_t found_at_once) {
    const std::size_t count = (std::min)(users.size(), found_at_once);
    for (std::size_t i = 0; i < users_.size(); ++i) users_[i].store(i < count ? users[i] : nullptr);
    several_->more_users.assign(users.begin() + static_cast<std::ptrdiff_t>(count), users.end());
  }

  GNP_INLINE streams all_users() const {
    streams users;
    for (const std::atomic<stream_state*>& user : users_) {
      if (stream_state* const stream = user.load()) users.push_back(stream);
    }
    if (several_ != nullptr)
      users.insert(users.end(), several_->more_users.begin(), several_->more_users.end());
    return users;
  }

  // Streams that have used the block since it was written, or wrote it. Each list holds references.
  std::array<std::atomic<stream_state*>, 4> users_{};
  /// Made when a block is first used on a second stream.
  struct several {
    streams more_users;
    streams unsettled;
  };
  several* several_ = nullptr;  // deleted at the end
  // All that was written comes before what this stream is given from now on.
  std::atomic<stream_state*> after_writes_{nullptr};
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
