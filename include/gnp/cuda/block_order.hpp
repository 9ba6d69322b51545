// SPDX-License-Identifier: MIT
// What a use of a block of memory waits for.
#pragma once

#include <algorithm>
#include <gnp/cuda/block_uses.hpp>
#include <mutex>
#include <vector>

#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct block_uses::several {
  streams more_users;
  streams unsettled;
};

GNP_INLINE bool block_uses::contains(const streams& list, stream_state* stream) {
  return std::find(list.begin(), list.end(), stream) != list.end();
}

GNP_INLINE void block_uses::add(streams& list, stream_state* stream) {
  if (!contains(list, stream)) list.push_back(stream);
}

GNP_INLINE void block_uses::begin(stream_state* stream) {
  retain(stream);
  retain(stream);
  after_writes_.store(stream, std::memory_order_relaxed);
  users_[0].store(stream, std::memory_order_relaxed);
}

GNP_INLINE void block_uses::read_on(stream_state* stream) {
  for (const std::atomic<stream_state*>& user : users_) {
    if (user.load() == stream) [[likely]]
      return;
  }
  use(stream, false);
}

GNP_INLINE void block_uses::write_on(stream_state* stream) {
  const bool alone = users_[0].load() == stream && users_[1].load() == nullptr;
  if (alone && after_writes_.load() == stream) [[likely]]
    return;
  use(stream, true);
}

GNP_INLINE stream_state* block_uses::end(int ordinal) noexcept {
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
    } catch (const error&) {  // the driver has shut down, and all work has ended
    }
    release(user);
  }
  if (stream_state* const writer = after_writes_.load()) release(writer);
  return last;
}

[[gnu::cold]] GNP_INLINE void block_uses::use(stream_state* stream, bool writes) {
  static std::mutex& changing = *new std::mutex;  // for all blocks: their streams rarely change
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

  // The order matters: first, threads must no longer find a stream without the lock; then submitting threads
  // are checked; then streams wait.
  list(before, 0);
  streams unsettled;
  for (stream_state* earlier : awaited) {
    if (earlier->submitting.load() != 0) unsettled.push_back(earlier);
  }
  for (stream_state* earlier : awaited) order_after(earlier, stream);

  // The work of the streams that were waited for comes before this stream's next work, so this stream now
  // stands for them in the list.
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

GNP_INLINE void block_uses::list(const streams& users, std::size_t found_at_once) {
  const std::size_t count = (std::min)(users.size(), found_at_once);
  for (std::size_t i = 0; i < users_.size(); ++i) users_[i].store(i < count ? users[i] : nullptr);
  several_->more_users.assign(users.begin() + static_cast<std::ptrdiff_t>(count), users.end());
}

GNP_INLINE block_uses::streams block_uses::all_users() const {
  streams users;
  for (const std::atomic<stream_state*>& user : users_) {
    if (stream_state* const stream = user.load()) users.push_back(stream);
  }
  if (several_ != nullptr) users.insert(users.end(), several_->more_users.begin(), several_->more_users.end());
  return users;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
