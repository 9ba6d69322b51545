// SPDX-License-Identifier: MIT
// A user's kernel on each GPU, and the shape of its launches.
#pragma once

#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/kernel/grid.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An array among a kernel's arguments; without memory where the argument is not an array.
struct kernel_array {
  leaf_view leaf = {};
  bool written = false;
};

/// The device that the arrays are on; the default device where there are no arrays.
GNP_DECLARED device device_of(const kernel_array* arrays, std::size_t count, const char* kernel);

#if GNP_HAS_CUDA

/// Declares that the work to come reads or writes the arrays.
GNP_DECLARED void use(const submission& work, const kernel_array* arrays, std::size_t count);

/// A kernel that is loaded or compiled for each GPU when it is first needed there.
class loaded_kernel {
 public:
  struct on_gpu {
    CUfunction function = nullptr;
    unsigned block = 256;  // threads of a block that fill the GPU best
  };
  template <class MakeProgram>
  on_gpu on(const gpu& device, const MakeProgram& make_program) {
    return on(device, make_program, 0);
  }
  /// Number `which` of the program's kernels.
  template <class MakeProgram>
  on_gpu on(const gpu& device, const MakeProgram& make_program, std::size_t which) {
    const auto ordinal = static_cast<std::size_t>(device.ordinal);
    const CUfunction known = functions_[ordinal].load(std::memory_order_acquire);
    if (known != nullptr) [[likely]]
      return {known, blocks_[ordinal].load(std::memory_order_relaxed)};
    const CUfunction function = load_program(device, make_program()).function(which);
    blocks_[ordinal].store(prepare(device, function), std::memory_order_relaxed);
    functions_[ordinal].store(function, std::memory_order_release);
    return {function, blocks_[ordinal].load(std::memory_order_relaxed)};
  }

 private:
  /// Allows the kernel to use all shared memory; returns the block size that fills the GPU best.
  [[gnu::cold]] GNP_DECLARED static unsigned prepare(const gpu& device, CUfunction function);

  std::array<std::atomic<CUfunction>, most_gpus> functions_{};
  std::array<std::atomic<unsigned>, most_gpus> blocks_{};
};

/// The blocks and threads of a launch; `block` is used if the grid does not specify the block size.
GNP_DECLARED launch_shape shape_of(const grid& wanted, unsigned block, const gpu& device, const char* kernel);

#endif

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/kernel/launching.hpp>
#endif
