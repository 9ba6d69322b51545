// SPDX-License-Identifier: MIT
// Runs a kernel's threads on the CPU: blocks run one after the other, and the threads of a block are fibres,
// which wait for each other at barriers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <gnp/kernel/dimensions.hpp>
#include <gnp/kernel/fibre.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A launch: everything that is the same for all of its threads.
struct simulated_launch {
  const char* name;
  dimensions grid;
  dimensions block;
  std::size_t shared_bytes;
  bool checked;
  void (*body)(const void* context);  // one thread
  const void* context;
};

/// The reason why lanes of a warp wait for each other. Each lane brings a number and gets one.
enum class meeting : unsigned char {
  barrier,   // nothing
  exchange,  // the number of the lane that it names
  vote,      // a bit for each lane whose number is not zero
  match,     // a bit for each lane with the same number
};

/// The block that a CPU thread is running.
class simulated_block {
 public:
  explicit simulated_block(const simulated_launch& launch);
  simulated_block(const simulated_block&) = delete;
  simulated_block& operator=(const simulated_block&) = delete;
  ~simulated_block();

  /// The block that this thread of the CPU is running.
  GNP_DECLARED static simulated_block*& current();

  GNP_DECLARED void run(const dimensions& where);

  const simulated_launch& launch() const { return launch_; }
  const dimensions& where() const { return where_; }
  const dimensions& thread() const { return at(running_).position; }
  int lane() const { return static_cast<int>(running_ % warp_size); }
  void* dynamic_memory() { return dynamic_; }

  /// Waits until all threads of the block have arrived; returns how many of them passed a true `vote`.
  GNP_DECLARED int wait_for_all(bool vote);
  /// Waits until the lanes of `mask` have arrived.
  GNP_DECLARED std::uint64_t meet(meeting kind, unsigned mask, std::uint64_t value, int source);
  /// Lets all other threads run first. For a thread that repeatedly checks whether they have done something.
  GNP_DECLARED void yield();

  /// Notes the declaration of a variable in the block's shared memory.
  void declare(const char* name, void* memory, std::size_t bytes, std::size_t element) {
    if (launch_.checked) [[unlikely]]
      note_variable(name, memory, bytes, element);
  }
  /// Notes that an atomic operation has changed this memory.
  void changed_atomically(const void* memory, std::size_t bytes) {
    if (launch_.checked) [[unlikely]]
      note_atomic_change(memory, bytes);
  }
  /// Notes that an atomic operation has changed nothing. If that happens twice in a row, the thread may be
  /// waiting for another thread's write.
  void changed_nothing() {
    if (idle_ == running_) {
      idle_ = -1;
      yield();
    } else {
      idle_ = running_;
    }
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
  struct contents;
  /// The stacks of this CPU thread, kept for the next block.
  struct stacks;
  GNP_DECLARED static stacks& own_stacks();

  GNP_DECLARED static void live();  // the function that every fibre runs
  GNP_DECLARED void begin_threads();
  GNP_DECLARED void end_thread();
  GNP_DECLARED void begin_next(fibre& from);
  GNP_DECLARED void go_on(fibre& from);
  GNP_DECLARED void note_arrival(std::int64_t thread);
  GNP_DECLARED bool all_have_come(std::int64_t first, unsigned mask);
  GNP_DECLARED void end_meeting(std::int64_t first, unsigned mask);
  GNP_DECLARED std::string who_waits() const;
  simulated_thread& at(std::int64_t thread) { return threads_[thread]; }
  const simulated_thread& at(std::int64_t thread) const { return threads_[thread]; }
  std::int64_t count() const { return count_; }
  GNP_DECLARED void note_variable(const char* name, void* memory, std::size_t bytes, std::size_t element);
  GNP_DECLARED void note_atomic_change(const void* memory, std::size_t bytes);
  /// Notes what this thread has written to shared memory since it last waited.
  GNP_DECLARED void note_writes();
  void make_ready(simulated_thread& thread) {
    thread.now = state::ready;
    ++ready_;
  }

  const simulated_launch& launch_;
  const std::int64_t count_ = launch_.block.count();  // of its threads
  dimensions where_;
  contents* contents_;         // its own
  simulated_thread* threads_;  // part of the contents, like the dynamic memory
  void* dynamic_;
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
  std::int64_t idle_ = -1;  // the thread whose atomic operation was the last to change nothing
};

/// Runs all blocks, on as many threads as gnp may use.
GNP_DECLARED void simulate(const simulated_launch& launch);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/kernel/run_block.hpp>
#endif
