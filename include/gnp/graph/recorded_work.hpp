// SPDX-License-Identifier: MIT
// The work of one stream as a CUDA graph.
#pragma once

#include <gnp/core/function_ref.hpp>
#include <gnp/graph/graph.hpp>
#include <gnp/graph/held_statements.hpp>
#include <gnp/memory/recording.hpp>
#include <gnp/memory/stream.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/memory/watched_work.hpp>
#include <mutex>
#include <utility>

#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Records the work that a body queues, on a stream and with memory of its own. It can be started on any stream
/// of that GPU, and waits for the work that its arrays depend on.
class recorded_work final : public graph_body {
 public:
  recorded_work(gnp::device where, function_ref<void()> body, bool joins_rows) : where_(where) {
    require_no_recording(
        "a graph cannot be recorded while another one is: record it before, and call it after");
    activate(where.ordinal());
    stream_ = create_stream(where.ordinal());
    try {
      memory_source_ = create_stream(where.ordinal());
      recording_ = new recording(memory_source_->handle, stream_);
      recording_->hold_by(std::make_shared<held_statements>(*recording_, joins_rows));
      {
        gpu& device = gpu_at(where.ordinal());
        const std::lock_guard lock(device.lock_streams);
        stream_->recorded = recording_;
      }
      record(body);
    } catch (...) {
      end();
      throw;
    }
  }
  recorded_work(const recorded_work&) = delete;
  recorded_work& operator=(const recorded_work&) = delete;
  ~recorded_work() override { end(); }

  void run() override { start(nullptr); }

  bool can_move(const storage& block) const override {
    if (!consists_of_launches_ || !block.owned || block.references.load(std::memory_order_acquire) != 2)
      return false;
    return use_of(block) != nullptr;
  }
  bool uses(const storage& block) const override { return use_of(block) != nullptr; }
  bool writes(const storage& block) const override {
    const recording::use* const use = use_of(block);
    return use != nullptr && use->written;
  }
  void run_moved(const std::vector<moved_block>& moved) override { start(moved.empty() ? nullptr : &moved); }

 private:
  /// Makes the recorded stream the thread's current one for as long as it records.
  class recording_scope {
   public:
    explicit recording_scope(stream_state* stream)
        : current_(scoped_streams[static_cast<std::size_t>(stream->ordinal)]),
          previous_(std::exchange(current_, stream)) {
      recording_here = stream->recorded;
    }
    ~recording_scope() {
      recording_here = nullptr;
      current_ = previous_;
    }
    recording_scope(const recording_scope&) = delete;
    recording_scope& operator=(const recording_scope&) = delete;

   private:
    stream_state*& current_;
    stream_state* previous_;
  };

  GNP_INLINE const recording::use* use_of(const storage& block) const {
    for (const recording::use& use : recording_->uses()) {
      if (use.block.get() == &block) return &use;
    }
    return nullptr;
  }

  /// Starts the graph; or, if blocks have been replaced, starts its launches one after the other.
  GNP_INLINE void start(const std::vector<moved_block>* moved) {
    require_no_recording("a graph cannot be called while another one is recorded");
    // The driver does not lock a graph, and two threads' replays share its memory.
    const std::lock_guard lock(starting_);
    const watched_work watched(where_, [] { return work_facts{"graph"}; });
    const submission work(where_);
    for (const recording::use& use : recording_->uses()) {
      storage* block = use.block.get();
      for (std::size_t k = 0; moved != nullptr && k < moved->size(); ++k) {
        if ((*moved)[k].recorded == use.block.get()) block = (*moved)[k].now;
      }
      use.written ? work.writes(*block) : work.reads(*block);
    }
    recording_->temporaries().write_on(work.stream());
    if (work_is_watched()) [[unlikely]]
      note_work_on(work.stream(), true);
    if (moved != nullptr) {
      for (const movable_launch& launch : recording_->launches())
        launch.start(work.device(), work.stream(), *moved);
      return;
    }
    if (recording_->preparation() != nullptr) recording_->preparation()->prepare(work.handle());
    GNP_CUDA_CALL(cuGraphLaunch, executable_, work.handle());
  }

  GNP_INLINE void record(function_ref<void()> body) {
    // Relaxed mode: other threads, and libraries that allocate memory in the meantime, are not affected.
    gpu& device = activate(where_.ordinal());
    {
      const std::lock_guard lock(device.lock_recordings);
      recording_->order().begin(stream_->handle);
      GNP_CUDA_CALL(cuStreamBeginCapture, stream_->handle, CU_STREAM_CAPTURE_MODE_RELAXED);
      ++device.recordings;
    }
    CUgraph recorded = nullptr;
    try {
      const use_device guard(where_);
      const recording_scope scope(stream_);
      body();
      recording_->start_held();
    } catch (...) {
      recording_->hold_by(nullptr);
      end_capture(device, recorded);
      if (recorded != nullptr) driver().cuGraphDestroy(recorded);
      throw;
    }
    check_cuda(end_capture(device, recorded), "cuStreamEndCapture");
    if (const CUresult ordered = recording_->order().failure(); ordered != CUDA_SUCCESS) {
      driver().cuGraphDestroy(recorded);
      throw_cuda(ordered, "cuStreamUpdateCaptureDependencies");
    }
    std::size_t nodes = 0;
    CUresult made = driver().cuGraphGetNodes(recorded, nullptr, &nodes);
    if (made == CUDA_SUCCESS) made = driver().cuGraphInstantiateWithFlags(&executable_, recorded, 0);
    driver().cuGraphDestroy(recorded);
    check_cuda(made, "cuGraphInstantiateWithFlags");
    recording_->finish();
    consists_of_launches_ = nodes == recording_->launches().size() && recording_->preparation() == nullptr;
  }

  GNP_INLINE CUresult end_capture(gpu& device, CUgraph& recorded) const {
    make_current(where_.ordinal());
    const std::lock_guard lock(device.lock_recordings);
    --device.recordings;
    return driver().cuStreamEndCapture(stream_->handle, &recorded);
  }

  /// Does not wait for work that is still running: the next users of the memory do.
  GNP_INLINE void end() noexcept {
    make_current(where_.ordinal());
    if (executable_ != nullptr) driver().cuGraphExecDestroy(executable_);
    if (recording_ != nullptr) recording_->end(where_.ordinal());
    if (memory_source_ != nullptr) release(memory_source_);
    release(stream_);
  }

  gnp::device where_;
  stream_state* stream_ = nullptr;
  stream_state* memory_source_ = nullptr;
  recording* recording_ = nullptr;  // the stream's
  CUgraphExec executable_ = nullptr;
  bool consists_of_launches_ = false;  // each of which can be started with other memory
  std::mutex starting_;
};

GNP_INLINE graph_body* record_work(gnp::device where, function_ref<void()> body, bool joins_rows) {
  return new recorded_work(where, body, joins_rows);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif

namespace gnp { inline namespace GNP_ABI {

GNP_INLINE void graph::operator()() {
  if (body_ == nullptr)
    throw graph_error("gnp::graph: this graph has no body: none was given, or it was moved from");
  if (where_.is_cuda()) return body_->run();
  const use_device guard(where_);
  body_->run();
}

}}  // namespace gnp::GNP_ABI
