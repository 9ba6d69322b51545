// SPDX-License-Identifier: MIT
// What may wait for other processes without an end, waited for until it has taken too long.
#pragma once

#include <chrono>
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

/// Does f() on a thread of its own, and says why it was not waited for; an empty text where it has ended. It
/// may go on then: what it uses has to be its own.
template <class F, class Failure>
std::string why_not_in_time(F f, const Failure& failure_of_others) {
  auto done = std::make_shared<std::promise<void>>();
  const std::future<void> ended = done->get_future();
  std::thread([work = std::move(f), done] {
    work();
    done->set_value();
  }).detach();
  const auto start = std::chrono::steady_clock::now();
  while (ended.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (std::string why = failure_of_others(); !why.empty()) return why;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() > timeout()) return nobody_came();
  }
  return {};
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
