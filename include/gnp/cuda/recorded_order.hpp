// SPDX-License-Identifier: MIT
// Which pieces of recorded work wait for which. A graph runs pieces in parallel if they do not have to wait for
// each other.
#pragma once

#include <gnp/cuda/driver.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// The driver's functions in the form that all drivers since CUDA 11.3 have, whichever form the names in cuda.h
// refer to.
struct capture_api {
  CUresult (*awaited)(CUstream, CUstreamCaptureStatus*, cuuint64_t* id, CUgraph*, const CUgraphNode**,
                      std::size_t* count) = nullptr;
  CUresult (*wait_for)(CUstream, CUgraphNode*, std::size_t count, unsigned how) = nullptr;
};

GNP_INLINE const capture_api& capture_functions() {
  static const capture_api api = [] {
    capture_api loaded;
    load_symbol(driver().library, "cuStreamGetCaptureInfo_v2", loaded.awaited);
    load_symbol(driver().library, "cuStreamUpdateCaptureDependencies", loaded.wait_for);
    return loaded;
  }();
  return api;
}

/// Without this class, each piece of work on a recorded stream waits for everything before it. With it, a piece
/// waits only for those pieces with which it shares memory that one of the two writes:
///
///   order.begin_work();
///   order.uses(a, bytes, false);       // before what uses it is queued
///   order.uses(result, bytes, true);
///   …                                  // is queued
///   order.end_work();
///
/// Work that names no memory, and work that others queue on the stream, waits for everything before it, and
/// everything after it waits for it. Only the recording thread uses this class.
class recorded_order {
  using nodes = std::vector<CUgraphNode>;  // in the order of their addresses
  using numbers = std::vector<std::size_t>;

 public:
  /// Called when recording of the stream has begun.
  GNP_INLINE void begin(CUstream stream) {
    capture_functions();
    stream_ = stream;
  }

  /// A piece that begins within another one is part of it.
  GNP_INLINE void begin_work() {
    if (depth_ > 0) {
      ++depth_;
      return;
    }
    if (nodes queued = awaited_by_stream(); queued != last_awaited_) close_with(std::move(queued));
    is_named_ = is_anything_ = false;
    awaited_ = open_;
    pending_.clear();
    queued_.clear();
    uses_.clear();
    depth_ = 1;
  }

  /// Notes that the work of this piece that is queued from now on uses these bytes.
  GNP_INLINE void uses(const void* memory, std::size_t bytes, bool written) {
    if (depth_ == 0 || bytes == 0) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    uses_.push_back({begin, begin + bytes, written});
    if (is_anything_) return;
    const region& used = region_of(begin, begin + bytes);
    numbers earlier = used.writers;
    if (written) earlier.insert(earlier.end(), used.readers.begin(), used.readers.end());
    if (!std::exchange(is_named_, true) && !anything_is_queued()) {
      awaited_.clear();
      earlier.insert(earlier.end(), everything_after_.begin(), everything_after_.end());
      if (open_.size() >= most_open) earlier.push_back(open_.front());
    }
    wait_for(earlier);
  }

  /// Notes that the piece may use memory that has not been named.
  GNP_INLINE void uses_anything() {
    if (depth_ == 0 || std::exchange(is_anything_, true)) return;
    if (is_named_) wait_for(open_);
  }

  GNP_INLINE void end_work() noexcept {
    if (--depth_ > 0) return;
    try {
      close_piece();
    } catch (const std::bad_alloc&) {
      failure_ = CUDA_ERROR_OUT_OF_MEMORY;
    }
  }

  /// Has a piece begun that has not ended?
  bool is_within_work() const { return depth_ > 0; }

  /// The driver's first failure. After it nothing is ordered any more, and the recording cannot be used.
  CUresult failure() const { return failure_; }

 private:
  GNP_INLINE void close_piece() {
    nodes last = awaited_by_stream();
    const bool has_work = last != last_awaited_ || !queued_.empty();
    if (has_work && is_named_ && !is_anything_) {
      add(std::move(last));
    } else if (has_work) {
      close_with(std::move(last));
    }
    nodes all;
    for (const std::size_t one : open_) add_last(all, one);
    tell_stream_to_wait_for(std::move(all));
  }

  /// For this many pieces before a piece, it is known whether the piece waits for them.
  static constexpr std::size_t known_back = 256;
  struct piece {
    nodes last;                      // work that has to come after it waits for these
    std::bitset<known_back> before;  // bit k: this piece waits for the one that is k + 1 places before it
  };
  /// A range of bytes, and the pieces that have used it since it was last written. Regions do not overlap.
  struct region {
    std::uintptr_t begin, end;
    numbers writers, readers;
  };
  struct use {
    std::uintptr_t begin, end;
    bool written;
  };

  /// The maximum number of pieces that nothing waits for yet. More than a GPU can run in parallel would only
  /// cost time.
  static constexpr std::size_t most_open = 32;

  static void add_to(numbers& list, const numbers& more) {
    for (const std::size_t one : more) {
      if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
    }
  }
  GNP_INLINE void add_last(nodes& to, std::size_t number) const {
    to.insert(to.end(), pieces_[number].last.begin(), pieces_[number].last.end());
  }
  GNP_INLINE bool comes_before(std::size_t earlier, std::size_t later) const {
    return earlier < later && later - earlier <= known_back && pieces_[later].before[later - earlier - 1];
  }

  /// The one region that contains all of these bytes; existing regions that overlap them are merged into it.
  GNP_INLINE region& region_of(std::uintptr_t begin, std::uintptr_t end) {
    const auto first =
        std::find_if(regions_.begin(), regions_.end(), [=](const region& r) { return r.end > begin; });
    if (first == regions_.end() || first->begin >= end) return *regions_.insert(first, {begin, end, {}, {}});
    first->begin = (std::min)(first->begin, begin);
    auto next = first + 1;
    for (; next != regions_.end() && next->begin < end; ++next) {
      first->end = next->end;
      add_to(first->writers, next->writers);
      add_to(first->readers, next->readers);
    }
    first->end = (std::max)(first->end, end);
    regions_.erase(first + 1, next);
    return *first;
  }

  /// Has anything been queued since the stream was last told what to wait for?
  GNP_INLINE bool anything_is_queued() {
    nodes now = awaited_by_stream();
    if (now == last_awaited_) return false;
    queued_ = std::move(now);
    pending_.clear();
    return true;
  }

  /// Makes the work that is queued next in this piece wait for these pieces, too.
  GNP_INLINE void wait_for(const numbers& pieces) {
    anything_is_queued();
    for (const std::size_t one : pieces) {
      if (std::find(awaited_.begin(), awaited_.end(), one) != awaited_.end()) continue;
      awaited_.push_back(one);
      pending_.push_back(one);
    }
    // There is no need to wait for a piece that comes before another awaited one.
    std::erase_if(pending_, [this](std::size_t one) {
      return std::any_of(awaited_.begin(), awaited_.end(),
                         [this, one](std::size_t other) { return comes_before(one, other); });
    });
    nodes all = queued_;
    for (const std::size_t one : pending_) add_last(all, one);
    tell_stream_to_wait_for(std::move(all));
  }

  /// Adds the piece that was queued, which comes after what it waited for.
  GNP_INLINE void add(nodes last) {
    const std::size_t number = pieces_.size();
    piece made{std::move(last), {}};
    for (const std::size_t one : awaited_) {
      const std::size_t back = number - one;
      if (back > known_back) continue;
      made.before |= pieces_[one].before << back;
      made.before.set(back - 1);
    }
    pieces_.push_back(std::move(made));
    for (const use& u : uses_) {
      if (!u.written) add_to(region_of(u.begin, u.end).readers, {number});
    }
    const auto is_before = [this, number](std::size_t one) {
      return comes_before(one, number) || std::find(awaited_.begin(), awaited_.end(), one) != awaited_.end();
    };
    for (const use& u : uses_) {
      if (!u.written) continue;
      region& written = region_of(u.begin, u.end);
      std::erase_if(written.writers, is_before);
      std::erase_if(written.readers, is_before);
      std::erase(written.readers, number);
      add_to(written.writers, {number});
    }
    std::erase_if(open_, is_before);
    open_.push_back(number);
  }

  /// Adds a piece that comes after everything before it, and for which everything after it waits.
  GNP_INLINE void close_with(nodes last) {
    pieces_.push_back({std::move(last), std::bitset<known_back>().set()});
    regions_.clear();
    open_ = everything_after_ = {pieces_.size() - 1};
  }

  GNP_INLINE nodes awaited_by_stream() {
    if (failure_ != CUDA_SUCCESS) return last_awaited_;
    CUstreamCaptureStatus status = {};
    cuuint64_t id = 0;
    CUgraph graph = nullptr;
    const CUgraphNode* first = nullptr;
    std::size_t count = 0;
    failure_ = capture_functions().awaited(stream_, &status, &id, &graph, &first, &count);
    if (failure_ != CUDA_SUCCESS) return last_awaited_;
    nodes all(first, first + count);
    std::sort(all.begin(), all.end());
    return all;
  }

  GNP_INLINE void tell_stream_to_wait_for(nodes all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (failure_ == CUDA_SUCCESS && all != last_awaited_)
      failure_ =
          capture_functions().wait_for(stream_, all.data(), all.size(), CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    last_awaited_ = std::move(all);
  }

  CUstream stream_ = nullptr;
  std::vector<piece> pieces_;
  std::vector<region> regions_;  // by address
  numbers open_;                 // the pieces that nothing waits for yet
  numbers everything_after_;     // the piece that all others wait for; at first there is none
  nodes last_awaited_;           // the nodes that the stream was last told to wait for
  CUresult failure_ = CUDA_SUCCESS;

  // Of the piece that is being queued.
  int depth_ = 0;
  bool is_named_ = false;     // has it named any memory?
  bool is_anything_ = false;  // may it use what it has not named?
  numbers awaited_;           // the pieces that it waits for
  numbers pending_;           // those of them for which no work of the piece waits yet
  nodes queued_;              // the last nodes that have been queued in it
  std::vector<use> uses_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
