// SPDX-License-Identifier: MIT
// How a block's threads run on the CPU: one runs until it waits, and then the next one runs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <gnp/core/error.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/kernel/shared_check.hpp>
#include <gnp/kernel/simulator.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct simulated_block::stacks {
  std::vector<std::unique_ptr<fibre>> all;
  std::vector<fibre*> free;
};

struct simulated_block::contents {
  /// (nvcc cannot compile a vector of std::max_align_t, because it is an unnamed type.)
  struct alignas(std::max_align_t) aligned_bytes {
    unsigned char bytes[alignof(std::max_align_t)];
  };

  explicit contents(const simulated_launch& launch)
      : threads(static_cast<std::size_t>(launch.block.count())),
        dynamic(launch.shared_bytes / sizeof(aligned_bytes) + 1),
        shared(launch.name),
        meetings(threads.size() / warp_size + 1),
        arrived(meetings.size()) {}

  std::vector<simulated_thread> threads;
  std::vector<aligned_bytes> dynamic;
  shared_check shared;
  std::vector<unsigned> meetings;  // of each warp
  // For each warp, a bit for each lane that is at a meeting, has ended or does not exist: what most checks of a
  // meeting need.
  std::vector<unsigned> arrived;
};

inline simulated_block::simulated_block(const simulated_launch& launch)
    : launch_(launch),
      contents_(new contents(launch)),
      threads_(contents_->threads.data()),
      dynamic_(contents_->dynamic.data()) {}

inline simulated_block::~simulated_block() { delete contents_; }

GNP_INLINE simulated_block*& simulated_block::current() {
  static constinit thread_local simulated_block* block = nullptr;
  return block;
}

GNP_INLINE void simulated_block::note_variable(const char* name, void* memory, std::size_t bytes,
                                               std::size_t element) {
  contents_->shared.declare(name, memory, bytes, element);
}

GNP_INLINE void simulated_block::note_atomic_change(const void* memory, std::size_t bytes) {
  contents_->shared.accept(memory, bytes);
}

GNP_INLINE void simulated_block::note_writes() {
  if (launch_.checked) [[unlikely]]
    contents_->shared.note_writes(
        {running_, barriers_, contents_->meetings[static_cast<std::size_t>(running_ / warp_size)]},
        launch_.block, where_);
}

GNP_INLINE simulated_block::stacks& simulated_block::own_stacks() {
  static thread_local stacks own;
  return own;
}

GNP_INLINE void simulated_block::run(const dimensions& where) {
  where_ = where;
  running_ = begun_ = ended_ = ready_ = at_barrier_ = 0;
  idle_ = -1;
  for (std::int64_t t = 0; t < count(); ++t) {
    at(t) = {};
    at(t).position = launch_.block.position(t);
  }
  std::fill(contents_->arrived.begin(), contents_->arrived.end(), 0U);
  for (std::int64_t t = count(); t % warp_size != 0; ++t) note_arrival(t);
  contents_->shared.begin_block();
  {
    // (There may be no memory for a stack.)
    const struct entered {
      ~entered() { current() = outer; }
      simulated_block* outer;
    } block{std::exchange(current(), this)};
    go_on(outside_);
  }
  if (failure_) {
    // The other threads never continue, so their stacks are no longer needed.
    own_stacks() = {};
    std::rethrow_exception(failure_);
  }
}

GNP_INLINE void simulated_block::live() {
  fibre::has_begun();
  for (;;) {
    // (The block may be a different one in each iteration.)
    current()->begin_threads();
    simulated_block& block = *current();
    fibre& own = *block.at(block.running_).stack;
    own_stacks().free.push_back(&own);
    block.go_on(own);
  }
}

/// Runs threads that have not started, one after the other, until an earlier thread is ready to continue.
GNP_INLINE void simulated_block::begin_threads() {
  fibre* const own = at(running_).stack;
  for (;;) {
    at(running_).now = state::running;
    try {
      launch_.body(launch_.context);
      end_thread();
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_) own->switch_to(outside_);  // never to return
    if (ready_ > 0 || begun_ == count()) return;
    running_ = begun_++;
    at(running_).stack = own;
  }
}

GNP_INLINE void simulated_block::end_thread() {
  note_writes();
  at(running_).now = state::ended;
  note_arrival(running_);
  ++ended_;
  if (at_barrier_ > 0) {
    throw error(place() + " has ended, and " + who_waits() +
                ": all threads of a block have to come to a barrier");
  }
  // Lanes that have ended need not arrive.
  const std::int64_t first = running_ - running_ % warp_size;
  for (std::int64_t t = first; t < (std::min)(first + warp_size, count()); ++t) {
    if (at(t).now == state::at_meeting && all_have_come(first, at(t).mask)) end_meeting(first, at(t).mask);
  }
}

/// Switches from `from` to a thread that has not started.
GNP_INLINE void simulated_block::begin_next(fibre& from) {
  stacks& own = own_stacks();
  if (own.free.empty()) {
    own.all.push_back(std::make_unique<fibre>(&live, static_cast<int>(own.all.size())));
    own.free.reserve(own.all.capacity());  // nothing could catch an exception of push_back later on
    own.free.push_back(own.all.back().get());
  }
  fibre* const next = own.free.back();
  own.free.pop_back();
  running_ = begun_++;
  at(running_).stack = next;
  if (next != &from) from.switch_to(*next);
}

/// Switches from `from` to a thread that can continue; if there is none, to one that has not started; otherwise
/// back to run().
GNP_INLINE void simulated_block::go_on(fibre& from) {
  if (ready_ > 0) {
    std::int64_t next = running_;
    do {
      next = next + 1 == count() ? 0 : next + 1;
    } while (at(next).now != state::ready);
    --ready_;
    running_ = next;
    at(next).now = state::running;
    if (at(next).stack != &from) from.switch_to(*at(next).stack);
    return;
  }
  if (begun_ < count()) return begin_next(from);
  if (ended_ < count()) {
    failure_ = std::make_exception_ptr(
        error(std::string(launch_.name) + ": block " + where_.text() + " cannot go on: " + who_waits()));
  }
  from.switch_to(outside_);
}

GNP_INLINE int simulated_block::wait_for_all(bool vote) {
  simulated_thread& own = at(running_);
  note_writes();
  votes_ += vote ? 1 : 0;
  if (ended_ > 0) {
    std::int64_t other = 0;
    while (at(other).now != state::ended) ++other;
    throw error(place() + " waits at a barrier, and thread " + at(other).position.text() +
                " has ended: all threads of a block have to come to a barrier");
  }
  if (++at_barrier_ < count()) {
    own.now = state::at_barrier;
    go_on(*own.stack);
    return result_;
  }
  for (simulated_thread& thread : contents_->threads) {
    if (thread.now == state::at_barrier) make_ready(thread);
  }
  at_barrier_ = 0;
  result_ = std::exchange(votes_, 0);
  ++barriers_;
  return result_;
}

GNP_INLINE void simulated_block::note_arrival(std::int64_t thread) {
  contents_->arrived[static_cast<std::size_t>(thread / warp_size)] |= 1U << (thread % warp_size);
}

GNP_INLINE bool simulated_block::all_have_come(std::int64_t first, unsigned mask) {
  if ((mask & ~contents_->arrived[static_cast<std::size_t>(first / warp_size)]) != 0) return false;
  for (std::int64_t t = first; t < (std::min)(first + warp_size, count()); ++t) {
    if ((mask >> (t - first) & 1U) != 0 && at(t).now == state::at_meeting && at(t).mask != mask) return false;
  }
  return true;
}

GNP_INLINE void simulated_block::end_meeting(std::int64_t first, unsigned mask) {
  const int lanes = static_cast<int>((std::min)(warp_size, count() - first));
  const auto warp = static_cast<std::size_t>(first / warp_size);
  ++contents_->meetings[warp];
  std::uint64_t values[warp_size] = {};
  unsigned here = 0;
  unsigned votes = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    const simulated_thread& thread = at(first + lane);
    if ((mask >> lane & 1U) == 0 || thread.now != state::at_meeting) continue;
    values[lane] = thread.value;
    here |= 1U << lane;
    votes |= thread.value != 0 ? 1U << lane : 0U;
  }
  for (int lane = 0; lane < lanes; ++lane) {
    if ((here >> lane & 1U) == 0) continue;
    simulated_thread& own = at(first + lane);
    if (own.kind == meeting::exchange) {
      if (own.source >= 0 && own.source < lanes && (here >> own.source & 1U) != 0)
        own.value = values[own.source];
    } else if (own.kind == meeting::vote) {
      own.value = votes;
    } else if (own.kind == meeting::match) {
      own.value = 0;
      for (int other = 0; other < lanes; ++other) {
        if ((here >> other & 1U) != 0 && values[other] == values[lane]) own.value |= std::uint64_t{1} << other;
      }
    }
    make_ready(own);
  }
  contents_->arrived[warp] &= ~here;
}

GNP_INLINE std::uint64_t simulated_block::meet(meeting kind, unsigned mask, std::uint64_t value, int source) {
  simulated_thread& own = at(running_);
  const int lane = this->lane();
  if ((mask >> lane & 1U) == 0)
    throw error(place() + " is lane " + std::to_string(lane) + ", which is not among those it waits for");
  note_writes();
  own.now = state::at_meeting;
  note_arrival(running_);
  own.kind = kind;
  own.mask = mask;
  own.value = value;
  own.source = source;
  const std::int64_t first = running_ - lane;
  if (all_have_come(first, mask)) {
    end_meeting(first, mask);
    --ready_;  // this thread continues immediately
    own.now = state::running;
  } else {
    go_on(*own.stack);
  }
  return own.value;
}

GNP_INLINE void simulated_block::yield() {
  note_writes();
  simulated_thread& own = at(running_);
  make_ready(own);
  // Threads that have not started come first. go_on() would only start them if no thread were ready, but this
  // thread is.
  begun_ < count() ? begin_next(*own.stack) : go_on(*own.stack);
}

GNP_INLINE std::string simulated_block::place() const {
  return std::string(launch_.name) + ": thread " + thread().text() + " of block " + where_.text();
}

GNP_INLINE std::string simulated_block::who_waits() const {
  std::int64_t barrier = 0;
  std::int64_t warp = 0;
  std::int64_t example = 0;
  for (std::int64_t t = 0; t < count(); ++t) {
    barrier += at(t).now == state::at_barrier ? 1 : 0;
    if (at(t).now != state::at_meeting) continue;
    if (warp++ == 0) example = t;
  }
  std::string text;
  if (barrier > 0) text = std::to_string(barrier) + " threads wait at a barrier";
  if (warp > 0) {
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", at(example).mask);
    text += std::string(barrier > 0 ? ", " : "") + std::to_string(warp) +
            " threads for other lanes of their warp, thread " + at(example).position.text() +
            " among them for lanes " + mask;
  }
  return text;
}

GNP_INLINE void simulate(const simulated_launch& launch) {
  if (const simulated_block* const outer = simulated_block::current()) [[unlikely]]
    throw error(outer->place() + " launches " + launch.name + ": a kernel cannot launch another one");
  struct {
    const simulated_launch& launch;
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> failed{false};
  } shared{launch};
  const auto take_blocks = [](void* context, int) {
    auto& work = *static_cast<decltype(shared)*>(context);
    simulated_block block(work.launch);
    const std::int64_t count = work.launch.grid.count();
    for (std::int64_t b = work.next++; b < count && !work.failed; b = work.next++) {
      try {
        block.run(work.launch.grid.position(b));
      } catch (...) {
        work.failed = true;
        throw;
      }
    }
  };
  // Each CPU thread may need a thousand stacks, and a process can have about ten thousand.
  constexpr std::int64_t most = 16;
  const std::int64_t threads = thread_count().load(std::memory_order_relaxed);
  const std::int64_t parts = (std::min)({launch.grid.count(), threads, most});
  thread_pool::of_process().run(static_cast<int>(parts), take_blocks, &shared);
}

}}}  // namespace gnp::GNP_ABI::detail
