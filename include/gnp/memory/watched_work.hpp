// SPDX-License-Identifier: MIT
// watched_work: a piece of work under a name that users know, where somebody wants to see it: a profile, or
// NVTX.
#pragma once

#include <chrono>
#include <exception>
#include <gnp/core/dtype.hpp>
#include <gnp/core/function_ref.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/cuda/nvtx.hpp>
#include <gnp/memory/work_log.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Who watches: profiles that run, and NVTX where GNP_NVTX=1. Zero is nobody, which is all that work asks. One
/// at first, for the question whether NVTX does.
GNP_VISIBLE inline constinit std::atomic<int> work_watchers{1};

inline bool work_is_watched() { return work_watchers.load(std::memory_order_relaxed) != 0; }

/// Are ranges of NVTX wanted? Asks the environment once; where they are not, nobody watches for them any more.
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

/// What a piece of work is called, and how many bytes it reads and writes.
struct work_facts {
  std::string name;
  std::size_t bytes = 0;
};

/// "sort float32": work of elements of a type.
[[gnu::cold]] GNP_INLINE work_facts facts_of(const char* function, dtype type, std::size_t bytes) {
  return {std::string(function) + " " + name(type), bytes};
}

/// A watched piece of work that is under way.
struct open_work {
  gnp::device where;
  work_facts facts;
  std::chrono::steady_clock::time_point begin;
  int exceptions;
  bool has_range;
  bool is_timed;
#if GNP_HAS_CUDA
  std::shared_ptr<timed_events> events{};
  const stream_state* stream = nullptr;  // the one it is queued on
  bool launched = false;
#endif
};

/// The work that this thread is at. What is part of it is not watched by itself.
GNP_VISIBLE inline thread_local open_work* open_work_here = nullptr;

#if GNP_HAS_CUDA
/// Watched work begins on its stream: when it has found it, and again when its first kernel is launched or a
/// library is called, which may have been compiled or loaded in between.
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

/// While it lives, this thread does a piece of work, which `describe` says the facts of where it is watched:
///
///   const watched_work watched(where, [&] { return work_facts{"sort float32", bytes}; });
///
/// The outermost counts: work whose parts are watched elsewhere, too, is seen as one.
class watched_work {
 public:
  template <class Describe>
  watched_work(gnp::device where, const Describe& describe) {
    if (work_is_watched()) [[unlikely]]
      begin(where, [&describe](work_facts& facts) { facts = describe(); });
  }
  ~watched_work() {
    if (work_ != nullptr) [[unlikely]]
      end();
  }
  watched_work(const watched_work&) = delete;
  watched_work& operator=(const watched_work&) = delete;

 private:
  [[gnu::cold]] GNP_INLINE void begin(gnp::device where, function_ref<void(work_facts&)> describe) {
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

  [[gnu::cold]] GNP_INLINE void end() noexcept {
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
    } catch (const std::exception&) {  // no event, or no memory: this call is not seen
    }
  }

  open_work* work_ = nullptr;
};

}}}  // namespace gnp::GNP_ABI::detail
