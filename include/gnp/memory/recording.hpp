// SPDX-License-Identifier: MIT
// What a graph remembers of the work that it was recorded from: the blocks of memory that are read and written.
#pragma once

#include <gnp/cuda/arguments.hpp>
#include <gnp/cuda/recorded_memory.hpp>
#include <gnp/memory/movable_launch.hpp>
#include <gnp/memory/storage.hpp>
#if GNP_HAS_CUDA

#include <memory>
#include <mutex>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is done on the host before each replay.
class replay_preparation {
 public:
  replay_preparation() = default;
  replay_preparation(const replay_preparation&) = delete;
  replay_preparation& operator=(const replay_preparation&) = delete;
  virtual ~replay_preparation() = default;
  /// What it queues comes before the replay.
  virtual void prepare(CUstream stream) = 0;
};

/// What holds work of a recording until it is known what follows it. A pointer and no virtual function: where
/// g++ sees one class that overrides it, it compiles that class into programs that record nothing.
struct work_holder {
  void (*start)(work_holder&);  // queues what is held
};

class recording final : public recorded_memory {
 public:
  struct use {
    storage_ref block;
    bool written;
  };

  recording(CUstream source, stream_state* stream) : recorded_memory(source), stream_(stream) {
    temporaries_.begin(stream);
  }
  ~recording() override = default;

  /// The work that is queued next uses this block.
  GNP_INLINE void note(storage& block, bool written) {
    const std::lock_guard lock(noting_);
    auto known = place_of(&block);
    const bool first = known == noted_.end() || known->block != &block;
    if (first) known = noted_.insert(known, noted{&block});
    known->written |= written;
    // A block that the recording did not make might be freed before the recording ends, so it is kept. A block
    // that it did make may come and go, so that others can use its memory.
    if (first && !block.uses.is_made_on(stream_)) known->kept = storage_ref::sharing(&block);
  }
  /// Noted at once, because perhaps no recorded work uses the block, and somebody still holds it when the
  /// recording is over. Its memory may be that of an earlier block that is gone and that replays write, so
  /// replays and uses of the block have to wait for each other.
  GNP_INLINE void made(storage& block) override { note(block, true); }
  GNP_INLINE void forget(storage* block) noexcept override {
    const std::lock_guard lock(noting_);
    for (movable_launch& launch : launches_) launch.forget(block);
    const auto known = place_of(block);
    if (known != noted_.end() && known->block == block) noted_.erase(known);
  }

  /// A launch of which it is known what its parameters are.
  GNP_INLINE void note(movable_launch&& launch) {
    const std::lock_guard lock(noting_);
    launches_.push_back(std::move(launch));
  }

  /// The recording is over: blocks that it made and that somebody still holds are kept, too.
  GNP_INLINE void finish() {
    const std::lock_guard lock(noting_);
    for (const noted& one : noted_) uses_.push_back({storage_ref::sharing(one.block), one.written});
    noted_.clear();
  }
  const std::vector<use>& uses() const { return uses_; }
  const std::vector<movable_launch>& launches() const { return launches_; }
  /// Stands for all memory that nobody but the graph uses.
  block_uses& temporaries() { return temporaries_; }

  void hold_by(std::shared_ptr<work_holder> holder) { holder_ = std::move(holder); }
  work_holder* holder() const { return holder_.get(); }
  /// Whatever is recorded that cannot wait queues what waits before it.
  void start_held() const override {
    if (holder_ != nullptr) holder_->start(*holder_);
  }

  void prepare_by(std::unique_ptr<replay_preparation> preparation) { preparation_ = std::move(preparation); }
  replay_preparation* preparation() const { return preparation_.get(); }

  /// The graph is gone.
  GNP_INLINE void end(int ordinal) noexcept {
    preparation_.reset();
    stream_state* const last = temporaries_.end(ordinal);
    try {
      if (last != stream_) order_after(last, stream_);
    } catch (const error&) {  // the driver is gone, and all work with it
    }
    release(last);
    give_back(stream_->handle);
    uses_.clear();
  }

 private:
  struct noted {
    storage* block;
    bool written = false;
    storage_ref kept{};
  };
  /// The place of a block among those that are noted, or the place where it belongs.
  GNP_INLINE std::vector<noted>::iterator place_of(const storage* block) {
    auto first = noted_.begin();
    for (auto last = noted_.end(); first != last;) {
      const auto middle = first + (last - first) / 2;
      if (address_of(middle->block) < address_of(block)) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }

  stream_state* stream_;
  std::mutex noting_;
  std::vector<noted> noted_;  // by address
  std::vector<movable_launch> launches_;
  std::vector<use> uses_;
  std::unique_ptr<replay_preparation> preparation_;
  std::shared_ptr<work_holder> holder_;
  block_uses temporaries_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
