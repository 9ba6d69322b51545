// SPDX-License-Identifier: MIT
// The most recently used plans of Fourier transforms on the CPU, for all threads.
#pragma once

#include <gnp/cpu/process_mutex.hpp>
#include <gnp/dense/fft_real.hpp>
#include <gnp/dense/fft_single.hpp>
#include <memory>
#include <mutex>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Plans by length. At most 16 of each kind are kept, and no more than 64 MiB in addition to the newest. A plan
/// that is no longer kept exists as long as it is in use.
template <class Plan>
std::shared_ptr<const Plan> fft_plan(index_t n) {
  struct entry {
    index_t n;
    std::shared_ptr<const Plan> plan;
  };
  std::mutex& lock = process_mutex<Plan>();
  static std::vector<entry>& plans = *new std::vector<entry>;  // the newest last
  constexpr std::size_t most = 16;
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  const auto find = [n]() -> std::shared_ptr<const Plan> {
    for (auto at = plans.begin(); at != plans.end(); ++at) {
      if (at->n != n) continue;
      std::rotate(at, at + 1, plans.end());
      return plans.back().plan;
    }
    return nullptr;
  };
  {
    const std::lock_guard guard(lock);
    if (auto known = find()) return known;
  }
  auto made = std::make_shared<const Plan>(n);
  const std::lock_guard guard(lock);
  if (auto known = find()) return known;
  plans.push_back({n, made});
  std::size_t bytes = 0;
  for (const entry& e : plans) bytes += e.plan->bytes();
  while (plans.size() > 1 && (plans.size() > most || bytes > most_bytes)) {
    bytes -= plans.front().plan->bytes();
    plans.erase(plans.begin());
  }
  return made;
}

}}}  // namespace gnp::GNP_ABI::detail
