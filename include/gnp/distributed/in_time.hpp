// SPDX-License-Identifier: MIT
// Runs something that may wait for other processes forever, and stops waiting if it takes too long.
#pragma once

#include <chrono>
#include <exception>
#include <future>
#include <gnp/distributed/start.hpp>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

inline std::string nobody_came() {
  return std::string("another process did not come within ") + seconds_text(timeout());
}

/// Runs f() on its own thread. Returns an empty text when f() has ended, or else why it was not waited for. In
/// that case f() may still be running, so it must own what it uses. Throws what f() throws, and also if no
/// thread can be started.
template <class F, class Failure>
std::string why_not_in_time(F f, const Failure& failure_of_others) {
  auto done = std::make_shared<std::promise<std::exception_ptr>>();
  std::future<std::exception_ptr> ended = done->get_future();
  std::thread([work = std::move(f), done] {
    std::exception_ptr wrong;
    try {
      work();
    } catch (...) {  // an exception that leaves a thread would end the program
      wrong = std::current_exception();
    }
    done->set_value(std::move(wrong));
  }).detach();
  const auto start = std::chrono::steady_clock::now();
  while (ended.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (std::string why = failure_of_others(); !why.empty()) return why;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() > timeout()) return nobody_came();
  }
  if (const std::exception_ptr wrong = ended.get(); wrong != nullptr) std::rethrow_exception(wrong);
  return {};
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
