// SPDX-License-Identifier: MIT
// watched_work: a piece of work under a name that users know, for profiles and NVTX.
#pragma once

#include <atomic>
#include <gnp/core/dtype.hpp>
#include <gnp/core/function_ref.hpp>
#include <gnp/memory/storage.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The number of watchers: the running profiles, and NVTX if GNP_NVTX=1. Work only checks whether it is zero.
/// It starts at one, so that the first piece of work finds out whether NVTX is wanted.
GNP_VISIBLE inline constinit std::atomic<int> work_watchers{1};

inline bool work_is_watched() { return work_watchers.load(std::memory_order_relaxed) != 0; }

/// What a piece of work is called, and how many bytes it reads and writes.
struct work_facts {
  std::string name;
  std::size_t bytes = 0;
};

/// "sort float32": the facts of work on elements of a type.
[[gnu::cold]] GNP_DECLARED work_facts facts_of(const char* function, dtype type, std::size_t bytes);

struct open_work;

/// The work that this thread is doing. Its parts are not watched separately.
GNP_VISIBLE inline thread_local open_work* open_work_here = nullptr;

#if GNP_HAS_CUDA
/// Notes that watched work begins on its stream. Called when the stream is known, and again when the first
/// kernel is launched or a library is called, because compiling the kernel or loading the library may have
/// taken time in between.
[[gnu::cold]] GNP_DECLARED void note_work_on(stream_state* stream, bool launches);
#endif

/// Covers a piece of work that this thread does during its lifetime. If work is watched, `describe` returns its
/// facts:
///
///   const watched_work watched(where, [&] { return work_facts{"sort float32", bytes}; });
///
/// Only the outermost one counts, so that work whose parts are also watched elsewhere appears as one piece.
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
  [[gnu::cold]] GNP_DECLARED void begin(gnp::device where, function_ref<void(work_facts&)> describe);

  [[gnu::cold]] GNP_DECLARED void end() noexcept;

  open_work* work_ = nullptr;
};

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/memory/watching.hpp>
#endif
