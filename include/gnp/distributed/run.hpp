// SPDX-License-Identifier: MIT
// run(): one process that drives several GPUs, with a thread for each.
#pragma once

#include <exception>
#include <gnp/distributed/threads.hpp>
#include <gnp/distributed/world.hpp>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

/// Calls f() on n threads, each of which is a process as far as world() is concerned. If the default device is
/// a GPU, each thread has its own GPU as default device (if there are fewer GPUs, several threads share one).
/// Waits for all threads. The first exception ends the others' calls and is thrown here.
template <class F>
void run(int n, const F& f) {
  if (n < 1) throw distributed_error("run: the number of threads must be positive, got " + std::to_string(n));
  if (detail::world_of_thread != nullptr) throw distributed_error("run: this is a thread of run() already");
  const device here = default_device();
  const auto all = std::make_shared<detail::run_of_threads>(n);
  std::vector<int> ranks(static_cast<std::size_t>(n));
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto place = std::make_shared<detail::meeting>(std::move(ranks), all);
  std::mutex lock;
  std::exception_ptr first;
  // The first exception is stored before the others can fail because of it.
  const auto end_others = [&](const std::string& why) {
    const std::lock_guard guard(lock);
    if (first == nullptr) first = std::current_exception();
    all->end(why);
  };
  const auto body = [&](int rank) {
    try {
      const use_device own(here.is_cpu() ? here : device::cuda(rank % gnp::detail::cuda_device_count()));
      const group world(std::make_shared<detail::threads_engine>(rank, place));
      detail::world_of_thread = &world;
      try {
        f();
        all->note_end_of(rank);
      } catch (...) {  // caught before this thread's world is destroyed
        end_others("process " + std::to_string(rank) + " has ended with an exception");
      }
      detail::world_of_thread = nullptr;
    } catch (...) {
      end_others("process " + std::to_string(rank) + " has not begun");
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(n));
  try {
    for (int rank = 0; rank < n; ++rank) threads.emplace_back(body, rank);
  } catch (...) {
    end_others("a thread could not be started");
  }
  for (std::thread& t : threads) t.join();
  if (first != nullptr) std::rethrow_exception(first);
}

/// The same with a thread for each GPU, or with one thread where the default device is the CPU.
template <class F>
void run(const F& f) {
  run(default_device().is_cpu() ? 1 : gnp::detail::cuda_device_count(), f);
}

}}}  // namespace gnp::GNP_ABI::distributed
