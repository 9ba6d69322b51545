// SPDX-License-Identifier: MIT
// What a graph remembers about the work that was recorded for it: the blocks of memory that are read and
// written.
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
  /// The work that it queues runs before the replay.
  virtual void prepare(CUstream stream) = 0;
};

/// Something that holds back work of a recording until it is known what follows. It has a function pointer
/// instead of a virtual function, because g++ would compile the only overriding class into programs that record
/// nothing.
struct work_holder {
  void (*start)(work_holder&);  // queues the work that is held back
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

  /// Notes that the work that is queued next uses this block.
  GNP_INLINE void note(storage& block, bool written) {
    const std::lock_guard lock(noting_);
    auto known = place_of(&block);
    const bool first = known == noted_.end() || known->block != &block;
    if (first) known = noted_.insert(known, noted{&block});
    known->written |= written;
    // A block that existed before the recording might be freed before the recording ends, so it is kept alive.
    // A block that was made during the recording may be freed, so that later blocks can reuse its memory.
    if (first && !block.uses.is_made_on(stream_)) known->kept = storage_ref::sharing(&block);
  }
  /// Noted immediately, because it is possible that no recorded work uses the block, but that something still
  /// refers to it when the recording is over. It may have the memory of an earlier block that replays write, so
  /// that replays and uses of the block have to wait for each other.
  GNP_INLINE void made(storage& block) override { note(block, true); }
  GNP_INLINE void forget(storage* block) noexcept override {
    const std::lock_guard lock(noting_);
    for (movable_launch& launch : launches_) launch.forget(block);
    const auto known = place_of(block);
    if (known != noted_.end() && known->block == block) noted_.erase(known);
  }

  /// Adds a launch whose parameters are known.
  GNP_INLINE void note(movable_launch&& launch) {
    const std::lock_guard lock(noting_);
    launches_.push_back(std::move(launch));
  }

  /// The recording is over. Blocks that were made during it and that something still refers to are kept as
  /// well.
  GNP_INLINE void finish() {
    const std::lock_guard lock(noting_);
    for (const noted& one : noted_) uses_.push_back({storage_ref::sharing(one.block), one.written});
    noted_.clear();
  }
  const std::vector<use>& uses() const { return uses_; }
  const std::vector<movable_launch>& launches() const { return launches_; }
  /// Represents all memory that only the graph uses.
  block_uses& temporaries() { return temporaries_; }

  void hold_by(std::shared_ptr<work_holder> holder) { holder_ = std::move(holder); }
  work_holder* holder() const { return holder_.get(); }
  /// Called before work that cannot be held back, so that the work held back so far is queued first.
  void start_held() const override {
    if (holder_ != nullptr) holder_->start(*holder_);
  }

  void prepare_by(std::unique_ptr<replay_preparation> preparation) { preparation_ = std::move(preparation); }
  replay_preparation* preparation() const { return preparation_.get(); }

  /// Called when the graph is destroyed.
  GNP_INLINE void end(int ordinal) noexcept {
    preparation_.reset();
    stream_state* const last = temporaries_.end(ordinal);
    try {
      if (last != stream_) order_after(last, stream_);
    } catch (const error&) {  // the driver has shut down, and all work has ended
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
  /// The position of a block in the list, or the position where it has to be inserted.
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
