// SPDX-License-Identifier: MIT
// What the fake driver sees of the order of work: which streams wait for which, and whether two uses of the
// same memory, one of which writes, could run at the same time. It is shared with the tests beside that driver.
#pragma once

#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

/// Each stream counts its work, and knows how far each other stream had come when it waited for it.
class order_of_work {
 public:
  virtual ~order_of_work() = default;

  /// Bytes that may be allocated at a time.
  virtual void limit_memory(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
  }
  /// The next recording of an event fails.
  virtual void fail_next_record() {
    const std::lock_guard lock(mutex_);
    fail_next_record_ = true;
  }
  /// From now on, copies between devices take their time between being asked for and being queued.
  virtual void dawdle() { dawdles_ = true; }
  /// Who is told of each kernel that is launched.
  using launch_watcher = void (*)(const CUlaunchConfig& config, void** parameters);
  virtual void watch_launches(launch_watcher watcher) { watcher_ = watcher; }
  /// Which of its work each piece of the graph that was recorded last waits for, by their numbers.
  using awaited_pieces = std::vector<std::vector<std::size_t>>;
  virtual awaited_pieces last_graph() {
    const std::lock_guard lock(mutex_);
    return last_graph_;
  }
  /// The driver refuses to order what is recorded, until it is told not to.
  virtual void fail_order_of_graphs(bool fails) { order_of_graphs_fails_ = fails; }
  /// Uses of memory that was still in use elsewhere.
  virtual int conflicts() {
    const std::lock_guard lock(mutex_);
    return conflicts_;
  }
  /// Has `later` waited for all that `earlier` has been given so far?
  virtual bool comes_after(CUstream later, CUstream earlier) {
    const std::lock_guard lock(mutex_);
    return clocks_[later][earlier] >= clocks_[earlier][earlier];
  }

  template <class Pieces>
  void note_graph(const Pieces& pieces) {
    const std::lock_guard lock(mutex_);
    last_graph_.clear();
    for (const auto& piece : pieces) {
      auto& numbers = last_graph_.emplace_back();
      for (const auto* awaited : piece->awaited) {
        const auto found =
            std::find_if(pieces.begin(), pieces.end(), [awaited](const auto& p) { return p.get() == awaited; });
        numbers.push_back(static_cast<std::size_t>(found - pieces.begin()));
      }
      std::sort(numbers.begin(), numbers.end());
    }
  }
  bool order_of_graphs_fails() const { return order_of_graphs_fails_; }
  void launch(const CUlaunchConfig& config, void** parameters) {
    if (watcher_ != nullptr) watcher_(config, parameters);
  }
  void* allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (allocated_ + bytes > limit_) return nullptr;
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) return nullptr;
    blocks_[static_cast<char*>(memory)].bytes = bytes;
    allocated_ += bytes;
    return memory;
  }
  void free(CUstream stream, void* memory) {
    const std::lock_guard lock(mutex_);
    use_locked(stream, nullptr, memory);
    const auto freed = blocks_.find(static_cast<char*>(memory));
    allocated_ -= freed->second.bytes;
    blocks_.erase(freed);
    std::free(memory);
  }
  virtual void use(CUstream stream, const void* read, const void* written) {
    if (dawdles_ && read != nullptr && written != nullptr) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    const std::lock_guard lock(mutex_);
    use_locked(stream, read, written);
  }
  bool record(CUevent event, CUstream stream) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(fail_next_record_, false)) return false;
    events_[event] = clocks_[stream];
    return true;
  }
  void wait(CUstream stream, CUevent event) {
    const std::lock_guard lock(mutex_);
    merge(clocks_[stream], events_[event]);
  }
  /// All that the stream was given is done: whatever is queued from now on comes after it.
  void synchronize(CUstream stream) {
    const std::lock_guard lock(mutex_);
    merge(done_, clocks_[stream]);
  }

 private:
  using clock = std::map<CUstream, long>;
  struct use_of_block {
    CUstream stream;
    long time;
    bool writes;
  };
  struct block {
    std::size_t bytes = 0;
    std::vector<use_of_block> uses;
  };

  static void merge(clock& into, const clock& from) {
    for (const auto& [stream, time] : from) into[stream] = (std::max)(into[stream], time);
  }

  void use_locked(CUstream stream, const void* read, const void* written) {
    const long now = ++clocks_[stream][stream];
    for (const void* address : {read, written}) {
      block* const used = block_at(address);
      if (used == nullptr) continue;
      const bool writes = address == written;
      for (const use_of_block& other : used->uses) {
        if (!writes && !other.writes) continue;
        if (other.stream == stream ||
            (std::max)(clocks_[stream][other.stream], done_[other.stream]) >= other.time)
          continue;
        ++conflicts_;
      }
      if (writes) used->uses.clear();
      used->uses.push_back({stream, now, writes});
    }
  }
  block* block_at(const void* address) {
    auto after = blocks_.upper_bound(static_cast<char*>(const_cast<void*>(address)));
    if (after == blocks_.begin()) return nullptr;
    --after;
    return address < after->first + after->second.bytes ? &after->second : nullptr;
  }

  std::mutex mutex_;
  std::map<char*, block> blocks_;
  std::map<CUstream, clock> clocks_;
  std::map<CUevent, clock> events_;
  clock done_;
  std::size_t allocated_ = 0;
  std::size_t limit_ = static_cast<std::size_t>(-1);
  int conflicts_ = 0;
  bool fail_next_record_ = false;
  bool dawdles_ = false;
  bool order_of_graphs_fails_ = false;
  awaited_pieces last_graph_;
  launch_watcher watcher_ = nullptr;
};

/// The fake driver's own. Tests reach it through the library that gnp has opened; its functions are virtual, so
/// that they run there.
extern "C" order_of_work* fake_order_of_work();
