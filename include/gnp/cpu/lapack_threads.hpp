// SPDX-License-Identifier: MIT
// How many threads the machine's LAPACK uses: one number for the whole process.
#pragma once

#include <pthread.h>

#include <gnp/cpu/lapack_library.hpp>
#include <gnp/cpu/threads.hpp>
#include <mutex>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Counts who is calling the library. The number of threads is set only while nobody else is calling: OpenBLAS
/// with OpenMP frees its buffers when it is set.
struct lapack_gate {
  std::mutex lock;
  int callers = 0;
  bool in_child = false;  // of a fork, where only the thread that forked went on
};

GNP_INLINE lapack_gate& gate_of_lapack() {
  static lapack_gate& gate = *new lapack_gate;
  // A child must not find the lock held by a thread that it does not have.
  static const int registered = ::pthread_atfork([] { gate.lock.lock(); }, [] { gate.lock.unlock(); },
                                                 [] {
                                                   gate.callers = 0;
                                                   gate.in_child = true;
                                                   gate.lock.unlock();
                                                 });
  static_cast<void>(registered);
  return gate;
}

/// While it lives, the library works with this many threads, or with the number that an earlier caller, still
/// at work, asked for. The number changes no result.
class lapack_call {
 public:
  lapack_call(const lapack_library& library, int threads) {
    lapack_gate& gate = gate_of_lapack();
    const std::lock_guard lock(gate.lock);
    if (gate.callers++ == 0 && library.set_threads != nullptr)
      library.set_threads(gate.in_child && !library.survives_fork ? 1 : threads);
  }
  ~lapack_call() {
    lapack_gate& gate = gate_of_lapack();
    const std::lock_guard lock(gate.lock);
    --gate.callers;
  }
  lapack_call(const lapack_call&) = delete;
  lapack_call& operator=(const lapack_call&) = delete;
};

}}}  // namespace gnp::GNP_ABI::detail
