// SPDX-License-Identifier: MIT
// A mutex for what exists once in a process.
#pragma once

#include <pthread.h>

#include <gnp/core/config.hpp>
#include <mutex>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The mutex of this kind. It is never destroyed, and in a child of fork() it is free, whatever other threads of
/// the parent were doing.
template <class Kind>
std::mutex& process_mutex() {
  static std::mutex& mutex = *new std::mutex;
  static const int watched =
      ::pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
  static_cast<void>(watched);
  return mutex;
}

}}}  // namespace gnp::GNP_ABI::detail
