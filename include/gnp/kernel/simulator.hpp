// SPDX-License-Identifier: MIT
// The threads of a kernel on the CPU: the blocks one after the other, the threads of a block as fibres, which
// wait for each other at barriers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <gnp/core/error.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/kernel/dimensions.hpp>
#include <gnp/kernel/fibre.hpp>
#include <gnp/kernel/shared_check.hpp>
#include <memory>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A launch: what is the same for all of its threads.
struct simulated_launch {
  const char* name;
  dimensions grid;
  dimensions block;
  std::size_t shared_bytes;
  bool checked;
  void (*body)(const void* context);  // one thread
  const void* context;
};

/// What lanes of a warp meet for. Each brings a number, and gets one.
enum class meeting : unsigned char {
  barrier,   // nothing
  exchange,  // the number of the lane it names
  vote,      // a bit for each lane whose number is not zero
  match,     // a bit for each lane with the same number
};

/// The block that a thread of the CPU works on.
class simulated_block {
 public:
  explicit simulated_block(const simulated_launch& launch)
      : launch_(launch),
        threads_(static_cast<std::size_t>(launch.block.count())),
        dynamic_(launch.shared_bytes / sizeof(aligned_bytes) + 1),
        shared_(launch.name),
        meetings_(threads_.size() / warp_size + 1),
        awaited_(meetings_.size()) {}

  /// The one that this thread is in the middle of.
  GNP_INLINE static simulated_block*& current() {
    static constinit thread_local simulated_block* block = nullptr;
    return block;
  }

  GNP_DECLARED void run(const dimensions& where);

  const simulated_launch& launch() const { return launch_; }
  const dimensions& where() const { return where_; }
  const dimensions& thread() const { return at(running_).position; }
  int lane() const { return static_cast<int>(running_ % warp_size); }
  void* dynamic_memory() { return dynamic_.data(); }

  /// Waits until all threads of the block are here; returns how many of them came with `vote`.
  GNP_DECLARED int wait_for_all(bool vote);
  /// Waits until the lanes of `mask` are here.
  GNP_DECLARED std::uint64_t meet(meeting kind, unsigned mask, std::uint64_t value, int source);
  /// Lets all other threads go on first, for one that looks again and again at what they are to do.
  GNP_DECLARED void yield();

  /// A variable of the block's shared memory, where it is declared.
  void declare(const char* name, void* memory, std::size_t bytes, std::size_t element) {
    if (launch_.checked) [[unlikely]]
      shared_.declare(name, memory, bytes, element);
  }
  /// An atomic operation has changed it.
  void changed_atomically(const void* memory, std::size_t bytes) {
    if (launch_.checked) [[unlikely]]
      shared_.accept(memory, bytes);
  }

  /// "smooth3: thread (3, 0, 0) of block (1, 0, 0)"
  GNP_DECLARED std::string place() const;

  static constexpr std::int64_t warp_size = 32;

 private:
  enum class state : unsigned char { not_begun, ready, running, at_barrier, at_meeting, ended };
  struct simulated_thread {
    fibre* stack = nullptr;
    dimensions position;
    state now = state::not_begun;
    meeting kind = meeting::barrier;
    unsigned mask = 0;
    int source = 0;
    std::uint64_t value = 0;
  };
  /// (nvcc cannot compile a vector of std::max_align_t, which has no name of its own.)
  struct alignas(std::max_align_t) aligned_bytes {
    unsigned char bytes[alignof(std::max_align_t)];
  };
  /// The stacks of this thread of the CPU, kept for the next block.
  struct stacks {
    std::vector<std::unique_ptr<fibre>> all;
    std::vector<fibre*> free;
  };
  GNP_DECLARED static stacks& own_stacks();

  GNP_DECLARED static void live();  // a fibre's whole life
  GNP_DECLARED void begin_threads();
  GNP_DECLARED void end_thread();
  GNP_DECLARED void begin_next(fibre& from);
  GNP_DECLARED void go_on(fibre& from);
  GNP_DECLARED bool all_have_come(std::int64_t first, unsigned mask);
  GNP_DECLARED void end_meeting(std::int64_t first, unsigned mask);
  GNP_DECLARED std::string who_waits() const;
  simulated_thread& at(std::int64_t thread) { return threads_[static_cast<std::size_t>(thread)]; }
  const simulated_thread& at(std::int64_t thread) const { return threads_[static_cast<std::size_t>(thread)]; }
  std::int64_t count() const { return static_cast<std::int64_t>(threads_.size()); }
  /// What this thread has written to shared memory since it last waited.
  void note_writes() {
    if (launch_.checked) [[unlikely]]
      shared_.note_writes({running_, barriers_, meetings_[static_cast<std::size_t>(running_ / warp_size)]},
                          launch_.block, where_);
  }
  void make_ready(simulated_thread& thread) {
    thread.now = state::ready;
    ++ready_;
  }

  const simulated_launch& launch_;
  dimensions where_;
  std::vector<simulated_thread> threads_;
  std::vector<aligned_bytes> dynamic_;
  shared_check shared_;
  fibre outside_;
  std::exception_ptr failure_;
  std::int64_t running_ = 0;
  std::int64_t begun_ = 0;
  std::int64_t ended_ = 0;
  std::int64_t ready_ = 0;
  std::int64_t at_barrier_ = 0;
  int votes_ = 0;
  int result_ = 0;
  unsigned barriers_ = 0;
  std::vector<unsigned> meetings_;     // of each warp
  std::vector<std::int64_t> awaited_;  // of each warp, the lane that was missing the last time
};

/// Runs all blocks, on as many threads as gnp may use.
GNP_DECLARED void simulate(const simulated_launch& launch);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/kernel/run_block.hpp>
#endif
