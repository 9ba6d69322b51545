// SPDX-License-Identifier: MIT
// How watched work gets into a profile's log, and becomes a range of NVTX.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <gnp/cpu/threads.hpp>
#include <gnp/cuda/nvtx.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/memory/work_log.hpp>
#include <memory>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The number of its row, which may be a new one.
GNP_INLINE std::size_t work_log::row_of(const done_work& work) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].device == work.where && rows_[i].name == work.name) return i;
  }
  rows_.push_back({work.name, work.where});
  return rows_.size() - 1;
}

GNP_INLINE void work_log::add(const done_work& work) {
  const std::lock_guard guard(lock_);
  const std::size_t number = row_of(work);
  profile_row& row = rows_[number];
  ++row.calls;
  row.seconds += work.seconds;
  row.bytes += work.bytes;
#if GNP_HAS_CUDA
  if (work.events == nullptr) return;
  under_way_.push_back({number, work.events});
  // There is a limit, so that a long run does not keep events for each of its kernels. When it is reached, the
  // first half has long been done.
  constexpr std::size_t most_under_way = 8192;
  if (under_way_.size() >= most_under_way) add_times(most_under_way / 2);
#endif
}

GNP_INLINE std::vector<profile_row> work_log::rows() {
  const std::lock_guard guard(lock_);
#if GNP_HAS_CUDA
  add_times(under_way_.size());
#endif
  return rows_;
}

#if GNP_HAS_CUDA
GNP_INLINE void work_log::add_times(std::size_t count) {
  const auto end = under_way_.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto work = under_way_.begin(); work != end; ++work) rows_[work->row].seconds += work->events->seconds();
  under_way_.erase(under_way_.begin(), end);
}
#endif

GNP_INLINE running_logs& running_logs::all() {
  static running_logs& logs = *new running_logs;
  return logs;
}

GNP_INLINE void running_logs::add(work_log* log) {
  const std::lock_guard guard(lock_);
  note_memory();
  start_memory_over();
  logs_.push_back(log);
}

GNP_INLINE void running_logs::remove(work_log* log) {
  const std::lock_guard guard(lock_);
  try {
    note_memory();
  } catch (const error&) {  // the driver fails; the next request for memory reports it
  }
  std::erase(logs_, log);
}

GNP_INLINE void running_logs::add(const done_work& work) {
  const std::lock_guard guard(lock_);
  for (work_log* log : logs_) log->add(work);
}

GNP_INLINE std::size_t running_logs::most_memory(const work_log& log, device where) {
  const std::lock_guard guard(lock_);
  note_memory();
  return log.most_memory[static_cast<std::size_t>(where.ordinal() + 1)];
}

GNP_INLINE void running_logs::note_memory() const {
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

GNP_INLINE void running_logs::start_memory_over() {
  memory_on_cpu.start_over();
#if GNP_HAS_CUDA
  for (const std::atomic<gpu*>& opened : opened_gpus) {
    cuuint64_t none = 0;
    if (const gpu* const device = opened.load(std::memory_order_acquire))
      GNP_CUDA_CALL(cuMemPoolSetAttribute, device->pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &none);
  }
#endif
}

/// Are NVTX ranges wanted? Checks the environment once. If they are not, the number of watchers goes down by
/// one.
[[gnu::cold]] GNP_INLINE bool nvtx_is_wanted() {
#if GNP_HAS_NVTX
  static const bool wanted = environment("GNP_NVTX") == "1";
#else
  static constexpr bool wanted = false;
#endif
  static const bool asked = [] {
    if (!wanted) work_watchers.fetch_sub(1);
    return true;
  }();
  return asked && wanted;
}

[[gnu::cold]] GNP_INLINE work_facts facts_of(const char* function, dtype type, std::size_t bytes) {
  return {std::string(function) + " " + name(type), bytes};
}

/// A watched piece of work in progress.
struct open_work {
  gnp::device where;
  work_facts facts;
  std::chrono::steady_clock::time_point begin;
  int exceptions;
  bool has_range;
  bool is_timed;
#if GNP_HAS_CUDA
  std::shared_ptr<timed_events> events{};
  const stream_state* stream = nullptr;  // the stream it is queued on
  bool launched = false;
#endif
};

#if GNP_HAS_CUDA
[[gnu::cold]] GNP_INLINE void note_work_on(stream_state* stream, bool launches) {
  open_work* const work = open_work_here;
  if (work == nullptr || !work->is_timed || work->launched || stream->recorded != nullptr) return;
  if (work->events != nullptr &&
      (!launches || work->stream != stream)) {  // a second piece: the first has begun
    work->launched = true;
    return;
  }
  if (work->events == nullptr) work->events = std::make_shared<timed_events>(stream);
  work->events->begin(stream);
  work->stream = stream;
  work->launched = launches;
}
#endif

[[gnu::cold]] GNP_INLINE void watched_work::begin(gnp::device where, function_ref<void(work_facts&)> describe) {
  const bool has_range = nvtx_is_wanted();
  const int watchers = work_watchers.load(std::memory_order_relaxed);
  if (open_work_here != nullptr || watchers == 0 || thread_pool::is_working()) return;
#if GNP_HAS_CUDA
  if (recording_here != nullptr) return;  // done when the graph is called
#endif
  work_ = new open_work{where, {}, {}, std::uncaught_exceptions(), has_range, watchers > (has_range ? 1 : 0)};
  describe(work_->facts);
  open_work_here = work_;
#if GNP_HAS_NVTX
  if (has_range) begin_nvtx_range(work_->facts.name.c_str());
#endif
  work_->begin = std::chrono::steady_clock::now();
}

[[gnu::cold]] GNP_INLINE void watched_work::end() noexcept {
  const std::unique_ptr<open_work> work(work_);
  open_work_here = nullptr;
#if GNP_HAS_NVTX
  if (work->has_range) end_nvtx_range();
#endif
  if (!work->is_timed || std::uncaught_exceptions() > work->exceptions) return;
  done_work done{std::move(work->facts.name), work->where, work->facts.bytes};
  try {
    if (work->where.is_cpu()) {
      done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - work->begin).count();
      return running_logs::all().add(done);
    }
#if GNP_HAS_CUDA
    if (work->events == nullptr) return;
    work->events->end(work->stream);
    done.events = work->events;
    running_logs::all().add(done);
#endif
  } catch (const std::exception&) {  // there is no event or no memory: this call is not recorded
  }
}

}}}  // namespace gnp::GNP_ABI::detail
