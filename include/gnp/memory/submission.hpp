// SPDX-License-Identifier: MIT
// submission: a piece of work that is submitted to a GPU. Everything that gnp queues goes through it.
#pragma once

#include <gnp/core/function_ref.hpp>
#include <gnp/cuda/launch.hpp>
#include <gnp/memory/storage.hpp>
#include <gnp/memory/watched_work.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

class movable_launch;

/// While it lives, this thread submits work to its current stream of a GPU, whose context is current:
///
///   submission work(result.device());
///   work.reads(*a.block().get());
///   work.writes(*result.block().get());
///   work.launch(function, {.blocks = 10, .threads = 256}, arguments...);
///
/// Each block is named before the work that uses it is queued. The stream then waits for other streams' work on
/// the block, and they wait for this work; no other thread can queue work between the two (block_uses).
class submission {
 public:
  explicit submission(gnp::device where)
      : device_(activate(where.ordinal())), stream_(current_stream(device_)) {
    begin();
  }
  /// On the GPU's default stream, whatever the current one is.
  struct on_default_stream {};
  submission(gnp::device where, on_default_stream)
      : device_(activate(where.ordinal())), stream_(&device_.default_stream) {
    begin();
  }
  ~submission() {
    if (stream_->recorded != nullptr) [[unlikely]]
      end_recorded();
    stream_->submitting.fetch_sub(1, std::memory_order_release);
  }
  submission(const submission&) = delete;
  submission& operator=(const submission&) = delete;

  gpu& device() const { return device_; }
  stream_state* stream() const { return stream_; }
  CUstream handle() const { return stream_->handle; }

  /// (Empty arrays share blocks without memory, which nothing uses.)
  void reads(storage& block) const {
    if (stream_->recorded != nullptr) [[unlikely]]
      return note(block, false);
    if (block.bytes != 0) block.uses.read_on(stream_);
  }
  /// Writes the block, and perhaps reads it, too.
  void writes(storage& block) const {
    if (stream_->recorded != nullptr) [[unlikely]]
      return note(block, true);
    if (block.bytes != 0) block.uses.write_on(stream_);
  }
  /// Uses memory that a library or the stream keeps, and that belongs to no array. A graph runs no other work
  /// that uses it at the same time.
  void occupies(const void* memory, std::size_t bytes) const {
    if (stream_->recorded != nullptr) [[unlikely]]
      note(memory, bytes, true);
  }
  /// The work may use any memory, so it comes after everything recorded before it, and before everything
  /// recorded later.
  void uses_anything() const {
    if (stream_->recorded != nullptr) [[unlikely]]
      note_anything();
  }
  /// The same for an array's block. Returns the address of the array's first element.
  template <class Array>
  auto* reads(const Array& a) const {
    reads(*a.block().get());
    return a.data();
  }
  template <class Array>
  auto* writes(const Array& a) const {
    writes(*a.block().get());
    return a.data();
  }

  /// Starts a kernel. The arguments must have exactly the types of its parameters.
  template <class... Arguments>
  void launch(CUfunction function, const launch_shape& shape, Arguments... arguments) const {
    void* parameters[] = {&arguments...};
    launch(function, shape, static_cast<void**>(parameters));
  }
  /// The same. While work is recorded, `describe` also describes the parameters, so that the launch can be
  /// started with some of its arrays in other memory.
  template <class Describe>
  void launch(CUfunction function, const launch_shape& shape, void** parameters,
              const Describe& describe) const {
    launch(function, shape, parameters);
    if (stream_->recorded != nullptr) [[unlikely]]
      note_launch(function, shape, [&describe](movable_launch& made) { describe(made); });
  }
  /// The same with a list of the parameters' addresses.
  void launch(CUfunction function, const launch_shape& shape, void** parameters) const {
    if (work_is_watched()) [[unlikely]]
      note_work_on(stream_, true);
    launch_kernel(device_, stream_, function, shape, parameters);
  }

 private:
  void begin() const {
    require_recorded();
    if (work_is_watched()) [[unlikely]]
      note_work_on(stream_, false);
    if (stream_->recorded != nullptr) [[unlikely]]
      begin_recorded();
    stream_->submitting.fetch_add(1);
  }
  /// While a thread records, it must not queue work on a stream that is not recorded, because that work would
  /// run immediately.
  void require_recorded() const {
    if (recording_here != nullptr && recording_here != stream_->recorded) [[unlikely]]
      throw_not_recorded(
          "what is recorded is work of one stream of one GPU; this was given to another one, and would be done "
          "at once");
  }
  [[gnu::cold]] GNP_DECLARED void begin_recorded() const;
  [[gnu::cold]] GNP_DECLARED void end_recorded() const noexcept;
  [[gnu::cold]] GNP_DECLARED void note(storage& block, bool written) const;
  [[gnu::cold]] GNP_DECLARED void note(const void* memory, std::size_t bytes, bool written) const;
  [[gnu::cold]] GNP_DECLARED void note_anything() const;
  [[gnu::cold]] GNP_DECLARED void note_launch(CUfunction function, const launch_shape& shape,
                                              function_ref<void(movable_launch&)> describe) const;

  gpu& device_;
  stream_state* stream_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif

#ifdef GNP_READS_BODIES
#include <gnp/memory/noting.hpp>
#endif
