// SPDX-License-Identifier: MIT
// Where the threads of one process wait for each other and exchange data.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <gnp/core/error.hpp>
#include <gnp/distributed/start.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// What the groups of a run have in common: all groups end at once when the first thread throws, and all know
/// which threads have ended.
class run_of_threads {
 public:
  explicit run_of_threads(int threads) : ended_(static_cast<std::size_t>(threads)) {}

  /// A thread has ended, though an array somewhere may keep its place in a group.
  void note_end_of(int thread) {
    ended_[static_cast<std::size_t>(thread)].store(true, std::memory_order_release);
  }
  bool has_ended(int thread) const {
    return ended_[static_cast<std::size_t>(thread)].load(std::memory_order_acquire);
  }
  void end(const std::string& why) {
    const std::lock_guard lock(lock_);
    if (why_.empty()) why_ = why;
    over_.store(true, std::memory_order_release);
  }
  std::string failure() const {
    if (!over_.load(std::memory_order_acquire)) return {};
    const std::lock_guard lock(lock_);
    return why_;
  }

 private:
  mutable std::mutex lock_;
  std::atomic<bool> over_{false};
  std::string why_;
  std::vector<std::atomic<bool>> ended_;
};

/// The meeting place of one group.
class meeting {
 public:
  /// What a thread contributes to a call. All threads must contribute the same size and kind.
  struct offer {
    const char* function = "";
    const void* from = nullptr;
    void* into = nullptr;
    std::size_t size = 0;
    int kind = 0;
  };
  /// A message in transit: it is in the sender's memory until it is `taken`, or in a copy if it is small.
  struct letter {
    const void* data = nullptr;
    std::size_t bytes = 0;
    std::vector<std::byte> copy = {};
    std::shared_ptr<bool> taken = nullptr;
  };

  /// `threads` are those of the run, in the order of their ranks here.
  meeting(std::vector<int> threads, std::shared_ptr<run_of_threads> run)
      : offers(threads.size()),
        run_(std::move(run)),
        threads_(std::move(threads)),
        letters_(offers.size() * offers.size()) {}

  int size() const { return static_cast<int>(offers.size()); }
  run_of_threads& run() const { return *run_; }
  const std::shared_ptr<run_of_threads>& shared_run() const { return run_; }
  int thread_of(int rank) const { return threads_[static_cast<std::size_t>(rank)]; }

  /// Runs f(), during which the others use this thread's memory. A thread that throws may free its memory, so
  /// if f() throws, the group ends: no other thread begins to use the memory, and this thread waits for those
  /// that are using it.
  template <class F>
  void share_memory(const F& f) {
    try {
      f();
    } catch (...) {
      std::unique_lock lock(lock_);
      if (over_.empty()) over_ = "out of memory";  // nothing else fails there; short enough to need no memory
      changed_.wait(lock, [&] { return users_ == 0; });
      throw;
    }
  }

  /// Returns when all threads have called it.
  void meet(const char* function) {
    std::unique_lock lock(lock_);
    come(function, lock);
  }
  /// When all threads have called it, runs f(), which uses their memory. Then it waits for all threads again,
  /// so that they keep their memory until all are done.
  template <class F>
  void meet_and_use(const char* function, const F& f) {
    {
      std::unique_lock lock(lock_);
      come(function, lock);
      const use others(*this, lock);
      f();
    }
    meet(function);
  }
  /// Notes that a thread will not take part any more.
  void leave(int rank) {
    const std::lock_guard lock(lock_);
    left_[static_cast<std::size_t>(rank)] = true;
    changed_.notify_all();
  }

  void put(int from, int to, letter&& l) {
    const std::lock_guard lock(lock_);
    queue(from, to).push_back(std::move(l));
    changed_.notify_all();
  }
  /// Calls f(letter) with the next letter. The sender keeps its memory until then.
  template <class F>
  void take(const char* function, int from, int to, const F& f) {
    std::unique_lock lock(lock_);
    require_no_failure(function);
    wait(function, lock, [&] { return !queue(from, to).empty(); }, from);
    const letter l = std::move(queue(from, to).front());
    queue(from, to).pop_front();
    {
      const use senders(*this, lock);
      f(l);
    }
    if (l.taken != nullptr) *l.taken = true;
    changed_.notify_all();
  }
  void wait_until_taken(const char* function, int by, const bool& taken) {
    std::unique_lock lock(lock_);
    wait(function, lock, [&] { return taken; }, by);
  }

  std::vector<offer> offers;  // each thread writes its own before a meeting, and all read them after it
  std::vector<std::pair<int, int>> colors_and_keys = std::vector<std::pair<int, int>>(offers.size());
  std::vector<std::shared_ptr<meeting>> made = std::vector<std::shared_ptr<meeting>>(offers.size());

 private:
  /// During its lifetime, a thread uses other threads' memory without the lock. It only copies, which takes a
  /// limited time, so that it is safe to wait for it.
  class use {
   public:
    use(meeting& where, std::unique_lock<std::mutex>& lock) : where_(where), lock_(lock) {
      ++where_.users_;
      lock_.unlock();
    }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ~use() {
      lock_.lock();
      if (--where_.users_ == 0 && !where_.over_.empty()) where_.changed_.notify_all();
    }

   private:
    meeting& where_;
    std::unique_lock<std::mutex>& lock_;
  };

  void come(const char* function, std::unique_lock<std::mutex>& lock) {
    require_no_failure(function);
    const long turn = turn_;
    if (++come_ == size()) {
      come_ = 0;
      ++turn_;
      changed_.notify_all();
      return;
    }
    wait(function, lock, [&] { return turn_ != turn; });
  }

  std::deque<letter>& queue(int from, int to) {
    return letters_[static_cast<std::size_t>(from) * offers.size() + static_cast<std::size_t>(to)];
  }

  void require_no_failure(const char* function) const {
    if (!over_.empty())
      throw distributed_error(std::string(function) +
                              ": an earlier call among the processes has failed: " + over_);
  }

  /// The first of the awaited threads, `peer` or all, that will not take part any more; -1 if there is none. A
  /// thread that has all its messages may leave while others still wait for theirs.
  int first_that_left(int peer) const {
    for (int r = peer < 0 ? 0 : peer; r < (peer < 0 ? size() : peer + 1); ++r) {
      if (left_[static_cast<std::size_t>(r)] || run_->has_ended(thread_of(r))) return r;
    }
    return -1;
  }

  /// Waits for something that `peer` or, without a peer, all threads have to do.
  template <class Condition>
  void wait(const char* function, std::unique_lock<std::mutex>& lock, const Condition& is_so, int peer = -1) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
      std::string why = run_->failure();
      if (why.empty()) why = over_;
      if (why.empty() && is_so()) return;
      if (const int gone = first_that_left(peer); why.empty() && gone >= 0)
        why = "process " + std::to_string(gone) + " has ended";
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
      if (why.empty() && waited.count() > timeout())
        why = std::string("another process did not come within ") + seconds_text(timeout());
      if (!why.empty()) {
        if (over_.empty()) over_ = why;
        throw distributed_error(std::string(function) + ": " + why);
      }
      changed_.wait_for(lock, std::chrono::milliseconds(20));  // the run may end elsewhere
    }
  }

  std::shared_ptr<run_of_threads> run_;
  std::vector<int> threads_;
  std::mutex lock_;
  std::condition_variable changed_;
  int come_ = 0;
  long turn_ = 0;
  std::vector<bool> left_ = std::vector<bool>(offers.size());
  int users_ = 0;     // threads that use others' memory now; no more begin when a call has failed
  std::string over_;  // why a call has failed; after that, the state of the other threads is unknown
  std::vector<std::deque<letter>> letters_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
