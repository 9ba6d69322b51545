// SPDX-License-Identifier: MIT
// parallel_for over a pool of threads that is started with the first large piece of work.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <gnp/core/config.hpp>
#include <mutex>
#include <new>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// The number of elements for which a separate thread is worthwhile.
inline constexpr std::int64_t cpu_grain = 1 << 15;

/// GNP_NUM_THREADS if it is a positive number, otherwise the number of cores that this process may use.
GNP_INLINE int threads_from_environment() {
  const char* variable = std::getenv("GNP_NUM_THREADS");
  const int asked = variable == nullptr ? 0 : std::atoi(variable);
  if (asked > 0) return asked;
  cpu_set_t usable;
  const int cores = ::sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  return cores > 0 ? cores : 1;
}

/// A condition variable for std::mutex. Including <condition_variable> and <thread> would take a third of the
/// time that gnp takes to compile.
class condition {
 public:
  template <class Predicate>
  void wait(std::unique_lock<std::mutex>& lock, const Predicate& satisfied) {
    while (!satisfied()) ::pthread_cond_wait(&condition_, lock.mutex()->native_handle());
  }
  /// Wakes `count` of the `waiting` threads.
  GNP_INLINE void notify(int count, int waiting) {
    if (count >= waiting) {
      ::pthread_cond_broadcast(&condition_);
    } else {
      for (int i = 0; i < count; ++i) ::pthread_cond_signal(&condition_);
    }
  }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

GNP_INLINE std::atomic<int>& thread_count() {
  static std::atomic<int> count{threads_from_environment()};
  return count;
}

/// Workers that run one piece of work at a time. A second caller at the same time does its work on its own
/// thread.
class thread_pool {
 public:
  using function = void (*)(void* context, int part);

  /// The pool of this process. It is never destroyed, because static destructors may compute, too. A child of
  /// fork() gets a new pool, because the threads of the old one do not exist there.
  GNP_INLINE static thread_pool& of_process() {
    static thread_pool& pool = *new thread_pool;
    static const int watched = ::pthread_atfork(nullptr, nullptr, [] { ::new (&pool) thread_pool; });
    static_cast<void>(watched);
    return pool;
  }

  /// Is this thread working on a part of some work?
  static bool is_working() { return is_working_; }

  /// Calls f(context, part) for part in [0, parts), also on this thread; rethrows an exception thrown by a
  /// part.
  GNP_INLINE void run(int parts, function f, void* context) {
    std::unique_lock busy(busy_, std::defer_lock);
    if (is_working_ || !busy.try_lock()) {
      for (int part = 0; part < parts; ++part) f(context, part);
      return;
    }
    task work{f, context, parts, 0, parts, nullptr};
    std::unique_lock lock(mutex_);
    while (workers_ < parts - 1 && start_worker()) ++workers_;
    task_ = &work;
    wake_.notify(parts - 1, workers_);
    is_working_ = true;
    take_parts(work, lock);
    is_working_ = false;
    done_.wait(lock, [&work] { return work.unfinished == 0; });
    task_ = nullptr;
    if (work.failure) std::rethrow_exception(work.failure);
  }

 private:
  /// Lives on the stack of the thread that waits for it.
  struct task {
    function f;
    void* context;
    int parts;
    int next;
    int unfinished;
    std::exception_ptr failure;
  };

  /// False if the system refuses to start another thread; then fewer threads do the work.
  GNP_INLINE bool start_worker() {
    pthread_t worker;
    const auto body = [](void* pool) -> void* { static_cast<thread_pool*>(pool)->work(); };
    return ::pthread_create(&worker, nullptr, body, this) == 0 && ::pthread_detach(worker) == 0;
  }

  [[noreturn]] GNP_INLINE void work() {
    is_working_ = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return task_ != nullptr && task_->next < task_->parts; });
      take_parts(*task_, lock);
    }
  }

  /// Takes parts until none is left. The lock is held except while a part is worked on.
  GNP_INLINE void take_parts(task& work, std::unique_lock<std::mutex>& lock) {
    while (work.next < work.parts) {
      const int part = work.next++;
      lock.unlock();
      std::exception_ptr failure;
      try {
        work.f(work.context, part);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure && !work.failure) work.failure = failure;
      if (--work.unfinished == 0) {
        done_.notify(1, 1);
        return;
      }
    }
  }

  GNP_VISIBLE static inline thread_local bool is_working_ =
      false;  // working on a part: work that it starts runs on this thread

  std::mutex busy_;
  std::mutex mutex_;  // of everything below
  condition wake_;
  condition done_;
  int workers_ = 0;
  task* task_ = nullptr;
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
  thread_pool::of_process().run(
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
GNP_INLINE void set_num_threads(int count) {
  detail::thread_count().store(count < 1 ? 1 : count, std::memory_order_relaxed);
}
/// The number of threads that the CPU device uses.
inline int get_num_threads() { return detail::thread_count().load(std::memory_order_relaxed); }

}}  // namespace gnp::GNP_ABI
