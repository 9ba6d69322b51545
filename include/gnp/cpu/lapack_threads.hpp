// SPDX-License-Identifier: MIT
// How many threads the machine's LAPACK uses: one number for the whole process.
#pragma once

#include <pthread.h>

#include <gnp/cpu/lapack_library.hpp>
#include <gnp/cpu/threads.hpp>
#include <mutex>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Counts the callers of the library. The number of threads is set only while there is no other caller, because
/// OpenBLAS with OpenMP frees its buffers when it is set.
struct lapack_gate {
  std::mutex lock;
  condition changed;  // the last caller has returned, or a fork is over
  int callers = 0;
  bool forks = false;     // a thread is about to fork
  bool in_child = false;  // of a fork, in which only the thread that forked exists
};

GNP_INLINE lapack_gate& gate_of_lapack() {
  static lapack_gate& gate = *new lapack_gate;
  // OpenBLAS ends its threads before a fork, and would wait forever for one that is busy. So a fork waits until
  // there is no caller, and new calls wait for the fork. (Calls are never nested.)
  const auto begin = [] {
    std::unique_lock held(gate.lock);
    gate.changed.wait(held, [] { return !gate.forks; });
    gate.forks = true;
    gate.changed.wait(held, [] { return gate.callers == 0; });
    held.release();
  };
  const auto end = [] {
    gate.forks = false;
    gate.changed.notify(1, 1);
    gate.lock.unlock();
  };
  const auto end_in_child = [] {
    ::new (&gate.changed) condition;  // the threads that waited do not exist here
    gate.forks = false;
    gate.in_child = true;
    gate.lock.unlock();
  };
  static const int registered = ::pthread_atfork(begin, end, end_in_child);
  static_cast<void>(registered);
  return gate;
}

/// During its lifetime, the library uses this many threads, or the number that an earlier caller requested that
/// has not finished yet. The number does not change results.
class lapack_call {
 public:
  lapack_call(const lapack_library& library, int threads) {
    lapack_gate& gate = gate_of_lapack();
    std::unique_lock lock(gate.lock);
    gate.changed.wait(lock, [&gate] { return !gate.forks; });
    if (gate.callers++ == 0 && library.set_threads != nullptr)
      library.set_threads(gate.in_child && !library.survives_fork ? 1 : threads);
  }
  ~lapack_call() {
    lapack_gate& gate = gate_of_lapack();
    const std::lock_guard lock(gate.lock);
    if (--gate.callers == 0) gate.changed.notify(1, 1);
  }
  lapack_call(const lapack_call&) = delete;
  lapack_call& operator=(const lapack_call&) = delete;
};

}}}  // namespace gnp::GNP_ABI::detail
