// SPDX-License-Identifier: MIT
// What a profile has seen: for each kind of work how often it was done, how long it took, and what it moved.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <gnp/cuda/timed_events.hpp>
#include <gnp/memory/storage.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// One kind of work of a profile.
struct profile_row {
  std::string name;
  gnp::device device = gnp::device::cpu();
  std::int64_t calls = 0;
  double seconds = 0;
  std::size_t bytes = 0;  // read and written, as far as it is known
};

namespace detail {

/// A piece of work that was done.
struct done_work {
  std::string name;
  gnp::device where = gnp::device::cpu();
  std::size_t bytes = 0;
  double seconds = 0;  // on the CPU
#if GNP_HAS_CUDA
  std::shared_ptr<const timed_events> events{};  // on a GPU, which may still be at it
#endif
};

class work_log {
 public:
  GNP_INLINE void add(const done_work& work) {
    const std::lock_guard guard(lock_);
    profile_row& row = rows_[{work.name, work.where.ordinal()}];
    ++row.calls;
    row.seconds += work.seconds;
    row.bytes += work.bytes;
#if GNP_HAS_CUDA
    if (work.events == nullptr) return;
    under_way_.emplace_back(&row, work.events);
    // So that a long run does not keep an event for each of its kernels: the first half was done long ago.
    constexpr std::size_t most_under_way = 8192;
    if (under_way_.size() >= most_under_way) add_times(most_under_way / 2);
#endif
  }

  GNP_INLINE std::vector<profile_row> rows() {
    const std::lock_guard guard(lock_);
#if GNP_HAS_CUDA
    add_times(under_way_.size());
#endif
    std::vector<profile_row> copies;
    for (const auto& [key, row] : rows_) {
      copies.push_back(row);
      copies.back().name = key.first;
      copies.back().device = key.second < 0 ? device::cpu() : device::cuda(key.second);
    }
    return copies;
  }

  /// The most memory that arrays had at a time, device by device: the CPU first.
  std::array<std::size_t, most_devices> most_memory{};

 private:
#if GNP_HAS_CUDA
  GNP_INLINE void add_times(std::size_t count) {
    const auto end = under_way_.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto work = under_way_.begin(); work != end; ++work) work->first->seconds += work->second->seconds();
    under_way_.erase(under_way_.begin(), end);
  }
  std::vector<std::pair<profile_row*, std::shared_ptr<const timed_events>>> under_way_;
#endif
  std::mutex lock_;
  std::map<std::pair<std::string, int>, profile_row> rows_;
};

/// The profiles that run.
class running_logs {
 public:
  GNP_INLINE static running_logs& all() {
    static running_logs& logs = *new running_logs;
    return logs;
  }
  GNP_INLINE void add(work_log* log) {
    const std::lock_guard guard(lock_);
    note_memory();
    start_memory_over();
    logs_.push_back(log);
  }
  GNP_INLINE void remove(work_log* log) {
    const std::lock_guard guard(lock_);
    note_memory();
    std::erase(logs_, log);
  }
  GNP_INLINE void add(const done_work& work) {
    const std::lock_guard guard(lock_);
    for (work_log* log : logs_) log->add(work);
  }
  /// The most bytes that arrays have had on a device at a time while the log ran.
  GNP_INLINE std::size_t most_memory(const work_log& log, device where) {
    const std::lock_guard guard(lock_);
    note_memory();
    return log.most_memory[static_cast<std::size_t>(where.ordinal() + 1)];
  }

 private:
  GNP_INLINE void note_memory() const {
    if (logs_.empty()) return;
    const auto note = [this](std::size_t which, std::size_t bytes) {
      for (work_log* log : logs_) log->most_memory[which] = (std::max)(log->most_memory[which], bytes);
    };
    note(0, memory_on_cpu.highest.load(std::memory_order_relaxed));
#if GNP_HAS_CUDA
    for (std::size_t i = 0; i < opened_gpus.size(); ++i) {
      const gpu* const device = opened_gpus[i].load(std::memory_order_acquire);
      if (device == nullptr) continue;
      cuuint64_t bytes = 0;
      GNP_CUDA_CALL(cuMemPoolGetAttribute, device->pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &bytes);
      note(i + 1, static_cast<std::size_t>(bytes));
    }
#endif
  }
  GNP_INLINE static void start_memory_over() {
    memory_on_cpu.start_over();
#if GNP_HAS_CUDA
    for (const std::atomic<gpu*>& opened : opened_gpus) {
      cuuint64_t none = 0;
      if (const gpu* const device = opened.load(std::memory_order_acquire))
        GNP_CUDA_CALL(cuMemPoolSetAttribute, device->pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &none);
    }
#endif
  }

  std::mutex lock_;
  std::vector<work_log*> logs_;
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI
