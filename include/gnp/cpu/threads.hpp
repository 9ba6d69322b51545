// SPDX-License-Identifier: MIT
// parallel_for over a pool of threads that is started with the first large piece of work.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <gnp/core/error.hpp>
#include <mutex>
#include <vector>

namespace gnp::inline GNP_ABI {
namespace detail {

/// GNP_NUM_THREADS where it is a positive number, else the number of cores this process may use.
inline int threads_from_environment() {
  const char* variable = std::getenv("GNP_NUM_THREADS");
  const int asked = variable == nullptr ? 0 : std::atoi(variable);
  if (asked > 0) return asked;
  cpu_set_t usable;
  const int cores = ::sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  return cores > 0 ? cores : 1;
}

/// A condition variable for std::mutex. <condition_variable> and <thread> cost as much to include as a third of
/// gnp.
class condition {
 public:
  template <class Predicate>
  void wait(std::unique_lock<std::mutex>& lock, const Predicate& satisfied) {
    while (!satisfied()) ::pthread_cond_wait(&condition_, lock.mutex()->native_handle());
  }
  void notify_all() { ::pthread_cond_broadcast(&condition_); }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

inline std::atomic<int>& thread_count() {
  static std::atomic<int> count{threads_from_environment()};
  return count;
}

/// Workers that run one piece of work at a time. A second caller at the same moment does its work alone.
class thread_pool {
 public:
  using function = void (*)(void* context, int part);

  /// Calls f(context, part) for part in [0, parts), this thread taking its share; rethrows what a part threw.
  void run(int parts, function f, void* context) {
    std::unique_lock busy(busy_, std::defer_lock);
    if (is_working_ || !busy.try_lock()) {
      for (int part = 0; part < parts; ++part) f(context, part);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(workers_.size()) < parts - 1) start_worker();
      function_ = f;
      context_ = context;
      parts_ = parts;
      next_ = 0;
      unfinished_ = parts;
      failure_ = nullptr;
    }
    wake_.notify_all();
    is_working_ = true;
    take_parts();
    is_working_ = false;
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return unfinished_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

  ~thread_pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (const pthread_t worker : workers_) ::pthread_join(worker, nullptr);
  }

 private:
  void start_worker() {
    pthread_t worker;
    const auto body = [](void* pool) -> void* {
      static_cast<thread_pool*>(pool)->work();
      return nullptr;
    };
    if (::pthread_create(&worker, nullptr, body, this) != 0)
      throw error("the system refuses another thread; set GNP_NUM_THREADS");
    workers_.push_back(worker);
  }

  void work() {
    is_working_ = true;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stopping_ || next_ < parts_; });
        if (stopping_) return;
      }
      take_parts();
    }
  }

  void take_parts() {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (next_ >= parts_) return;
      const int part = next_++;
      const function f = function_;
      void* const context = context_;
      lock.unlock();
      std::exception_ptr failure;
      try {
        f(context, part);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure && !failure_) failure_ = failure;
      if (--unfinished_ == 0) done_.notify_all();
    }
  }

  static inline thread_local bool is_working_ = false;  // on a piece of work: what that starts runs where it is

  std::mutex busy_;
  std::mutex mutex_;
  condition wake_;
  condition done_;
  std::vector<pthread_t> workers_;
  function function_ = nullptr;
  void* context_ = nullptr;
  int parts_ = 0;
  int next_ = 0;
  int unfinished_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
};

/// f(begin, end) over pieces of [0, count), each of at least `grain`, on all threads gnp may use.
template <class F>
void parallel_for(std::int64_t count, std::int64_t grain, const F& f) {
  const std::int64_t most = count / grain;
  const std::int64_t threads = thread_count().load(std::memory_order_relaxed);
  const int parts = static_cast<int>(most < threads ? most : threads);
  if (parts <= 1) {
    f(std::int64_t{0}, count);
    return;
  }
  struct work {
    const F& f;
    std::int64_t count;
    int parts;
  } w{f, count, parts};
  static thread_pool pool;
  pool.run(
      parts,
      [](void* context, int part) {
        const work& piece = *static_cast<const work*>(context);
        const std::int64_t share = piece.count / piece.parts;
        const std::int64_t extra = piece.count % piece.parts;  // the first `extra` parts take one more
        const std::int64_t begin = share * part + (part < extra ? part : extra);
        piece.f(begin, begin + share + (part < extra ? 1 : 0));
      },
      &w);
}

}  // namespace detail

/// How many threads the CPU device uses for large work; all cores (or GNP_NUM_THREADS) until set.
inline void set_num_threads(int count) {
  detail::thread_count().store(count < 1 ? 1 : count, std::memory_order_relaxed);
}
/// The number of threads it uses.
inline int get_num_threads() { return detail::thread_count().load(std::memory_order_relaxed); }

}  // namespace gnp::inline GNP_ABI
