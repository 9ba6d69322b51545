// SPDX-License-Identifier: MIT
// Measures how long a stream takes for a piece of work, with one event before it and one after it.
#pragma once

#include <gnp/cuda/open_gpu.hpp>
#include <gnp/cuda/stream.hpp>
#if GNP_HAS_CUDA

#include <array>
#include <mutex>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Events that no interval uses at the moment, kept for later ones. They belong to the GPU whose context is
/// current.
struct idle_events {
  std::mutex lock;
  std::vector<CUevent> events;

  GNP_INLINE CUevent take() {
    {
      const std::lock_guard guard(lock);
      if (!events.empty()) {
        CUevent event = events.back();
        events.pop_back();
        return event;
      }
    }
    CUevent made = nullptr;
    GNP_CUDA_CALL(cuEventCreate, &made, CU_EVENT_DEFAULT);
    return made;
  }
  GNP_INLINE static idle_events& of_gpu(int ordinal) {
    static auto& of_gpus = *new std::array<idle_events, most_gpus>;
    return of_gpus[static_cast<std::size_t>(ordinal)];
  }
};

/// From the last begin() to end(), on the stream. The GPU's context is current.
class timed_events {
 public:
  explicit timed_events(stream_state* stream)
      : ordinal_(stream->ordinal),
        first_(idle_events::of_gpu(ordinal_).take()),
        last_(idle_events::of_gpu(ordinal_).take()) {}
  timed_events(const timed_events&) = delete;
  timed_events& operator=(const timed_events&) = delete;
  ~timed_events() {
    idle_events& idle = idle_events::of_gpu(ordinal_);
    const std::lock_guard guard(idle.lock);
    idle.events.push_back(first_);
    idle.events.push_back(last_);
  }

  void begin(const stream_state* stream) const { GNP_CUDA_CALL(cuEventRecord, first_, stream->handle); }
  void end(const stream_state* stream) const { GNP_CUDA_CALL(cuEventRecord, last_, stream->handle); }

  /// Waits until the work is done.
  GNP_INLINE double seconds() const {
    // The function has this name in all drivers; cuda.h may refer to one that only later drivers have.
    static const auto elapsed = [] {
      CUresult (*function)(float*, CUevent, CUevent) = nullptr;
      load_symbol(driver().library, "cuEventElapsedTime", function);
      return function;
    }();
    const context_guard guard(gpu_at(ordinal_).context);
    GNP_CUDA_CALL(cuEventSynchronize, last_);
    float milliseconds = 0;
    check_cuda(elapsed(&milliseconds, first_, last_), "cuEventElapsedTime");
    return static_cast<double>(milliseconds) / 1000;
  }

 private:
  int ordinal_;
  CUevent first_;
  CUevent last_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
