// SPDX-License-Identifier: MIT
// gnp::stream and use_stream: the work of a scope goes to its own queue. On the CPU, work is done immediately
// when it is called.
#pragma once

#include <gnp/cuda/stream.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/device.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

/// A queue of work on a GPU. If two streams use the same array, gnp orders their work.
class stream {
 public:
  explicit stream(gnp::device where = default_device()) : device_(detail::require(where)) {
#if GNP_HAS_CUDA
    if (where.is_cuda()) state_ = detail::create_stream(where.ordinal());
#endif
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
#if GNP_HAS_CUDA
  ~stream() {
    if (state_ != nullptr) detail::release(state_);
  }
#else
  ~stream() = default;
#endif

  gnp::device device() const { return device_; }

  /// Waits until everything queued so far is done.
  GNP_DECLARED void synchronize() const;

#if GNP_HAS_CUDA
  /// The driver's handle, for the user's own CUDA code; null on the CPU.
  CUstream handle() const { return state_ == nullptr ? nullptr : state_->handle; }
  detail::stream_state* state() const { return state_; }
#endif

 private:
  gnp::device device_;
#if GNP_HAS_CUDA
  detail::stream_state* state_ = nullptr;
#endif
};

/// Until the end of the scope, queues this thread's work for the stream's GPU on the stream. Other GPUs keep
/// theirs.
class use_stream {
 public:
#if GNP_HAS_CUDA
  explicit use_stream(const stream& s) {
    if (s.device().is_cpu()) return;
    current_ = &detail::scoped_streams[static_cast<std::size_t>(s.device().ordinal())];
    previous_ = std::exchange(*current_, s.state());
  }
  ~use_stream() {
    if (current_ != nullptr) *current_ = previous_;
  }
#else
  explicit use_stream(const stream&) {}
#endif
  explicit use_stream(stream&&) = delete;  // the stream would end before this object
  use_stream(const use_stream&) = delete;
  use_stream& operator=(const use_stream&) = delete;

 private:
#if GNP_HAS_CUDA
  detail::stream_state** current_ = nullptr;  // this thread's, of that GPU
  detail::stream_state* previous_ = nullptr;
#endif
};

/// Waits until a device has done everything queued so far. Throws if any of that failed.
GNP_DECLARED void synchronize(device where = default_device());

/// Sets whether gnp waits for each computation on a GPU that indexes with arrays. Then the call with an index
/// out of bounds throws, as on the CPU; otherwise the next call that waits throws. This is for debugging,
/// because each such call has to wait.
inline void check_indices_at_once([[maybe_unused]] bool wanted = true) {
#if GNP_HAS_CUDA
  detail::checks_indices_at_once().store(wanted, std::memory_order_relaxed);
#endif
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/memory/waiting.hpp>
#endif
