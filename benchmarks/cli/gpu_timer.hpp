// SPDX-License-Identifier: MIT
// The GPU's own clock: the time between two events on gnp's current stream.
#pragma once

#include <gnp/core.hpp>

namespace bench {

#if GNP_HAS_CUDA
class gpu_timer {
 public:
  /// On the default device, which must be a GPU.
  gpu_timer() : ordinal_(gnp::default_device().ordinal()) {
    gnp::detail::activate(ordinal_);
    // By its oldest name, which every driver has; gnp itself has no use for it.
    gnp::detail::load_symbol(gnp::detail::driver().library, "cuEventElapsedTime", elapsed_time_);
    GNP_CUDA_CALL(cuEventCreate, &start_, CU_EVENT_DEFAULT);
    GNP_CUDA_CALL(cuEventCreate, &stop_, CU_EVENT_DEFAULT);
  }
  ~gpu_timer() {
    gnp::detail::driver().cuEventDestroy(start_);
    gnp::detail::driver().cuEventDestroy(stop_);
  }
  gpu_timer(const gpu_timer&) = delete;
  gpu_timer& operator=(const gpu_timer&) = delete;

  void start() { record(start_); }

  /// Waits for what was queued since start(); the seconds it took the GPU.
  double stop() {
    record(stop_);
    gnp::synchronize();
    float milliseconds = 0;
    gnp::detail::check_cuda(elapsed_time_(&milliseconds, start_, stop_), "cuEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  void record(CUevent event) {
    const CUstream stream = gnp::detail::current_stream(gnp::detail::activate(ordinal_))->handle;
    GNP_CUDA_CALL(cuEventRecord, event, stream);
  }

  int ordinal_;
  CUresult (*elapsed_time_)(float*, CUevent, CUevent) = nullptr;
  CUevent start_ = nullptr;
  CUevent stop_ = nullptr;
};
#else
/// Without the CUDA headers there is no GPU to time.
class gpu_timer {
 public:
  void start() {}
  double stop() { throw gnp::device_error("gnp-bench was compiled without the CUDA headers"); }
};
#endif

}  // namespace bench
