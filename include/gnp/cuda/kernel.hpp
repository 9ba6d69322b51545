// SPDX-License-Identifier: MIT
// device_kernel: one text, and the function made from it on each GPU.
#pragma once

#include <gnp/cuda/arguments.hpp>
#include <gnp/cuda/context.hpp>
#include <gnp/cuda/device_program.hpp>
#if GNP_HAS_CUDA

#ifdef GNP_READS_BODIES
#include <gnp/cuda/jit.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// To be declared static, one for each text. Its function is loaded or compiled when it is first needed; later
/// calls find it without building the text or taking a lock.
class device_kernel {
 public:
  template <class MakeSource>
  CUfunction on(const gpu& device, const MakeSource& make_source) {
    std::atomic<CUfunction>& slot = functions_[static_cast<std::size_t>(device.ordinal)];
    CUfunction function = slot.load(std::memory_order_acquire);
    if (function == nullptr) [[unlikely]] {
      function = load_kernel(device, make_source());
      slot.store(function, std::memory_order_release);
    }
    return function;
  }

 private:
  std::array<std::atomic<CUfunction>, most_gpus> functions_{};
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
