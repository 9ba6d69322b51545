// SPDX-License-Identifier: MIT
// Kernels of linalg's own: compiled on first use for each element type and GPU.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/core/dtype.hpp>
#include <gnp/cuda/jit.hpp>
#include <gnp/cuda/stream.hpp>

namespace gnp::inline GNP_ABI::detail {

/// The CUfunction of one source on each GPU.
class linalg_kernel {
 public:
  template <class MakeSource>
  CUfunction on(const gpu& device, const MakeSource& make_source) {
    std::atomic<CUfunction>& slot = functions_.at(static_cast<std::size_t>(device.ordinal));
    CUfunction function = slot.load(std::memory_order_acquire);
    if (function == nullptr) {
      function = load_kernel(device, make_source());
      slot.store(function, std::memory_order_release);
    }
    return function;
  }

 private:
  std::array<std::atomic<CUfunction>, most_gpus> functions_{};
};

/// Launches on the current stream; the arguments are the kernel's parameters, of exactly their types.
template <class... Arguments>
void launch_linalg(CUfunction function, stream_state* stream, index_t blocks, int threads,
                   std::size_t shared_bytes, Arguments... arguments) {
  if (blocks > 0x7fffffff)
    throw error(std::string("linalg: ") + std::to_string(blocks) +
                " matrices or columns are more than one launch can cover");
  void* parameters[] = {&arguments...};
  GNP_CUDA_CALL(cuLaunchKernel, function, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(threads),
                1, 1, static_cast<unsigned>(shared_bytes), stream->handle, parameters, nullptr);
}

/// "float" or "double": what a real or complex type is made of.
constexpr const char* device_real(dtype d) {
  return d == dtype::float32 || d == dtype::complex64 ? "float" : "double";
}

}  // namespace gnp::inline GNP_ABI::detail

#endif
