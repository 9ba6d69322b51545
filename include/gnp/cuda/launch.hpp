// SPDX-License-Identifier: MIT
// Launches of kernels.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/context.hpp>

namespace gnp::inline GNP_ABI::detail {

/// When a kernel's blocks take their places on the GPU.
enum class launched { after_the_kernel_before, early };

/// Launches a kernel whose text begins with wait_for_results() (kernels/prelude.hpp). Early, from compute
/// capability 9.0 on: its blocks take their places as soon as the last blocks of the kernel before it have
/// theirs, and wait there, which saves a fifth of what a launch takes on the host and most of the gap between
/// two kernels. Not for blocks that are to be spread evenly: early ones go where there is room first.
inline void launch(const gpu& device, CUfunction function, std::uint64_t blocks, unsigned threads,
                   stream_state* stream, void** parameters, launched when = launched::early) {
  CUlaunchAttribute early = {};
  early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  early.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config = {};
  config.gridDimX = static_cast<unsigned>(blocks);
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = threads;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream->handle;
  config.attrs = &early;
  config.numAttrs = when == launched::early && device.arch >= 90 ? 1 : 0;
  GNP_CUDA_CALL(cuLaunchKernelEx, &config, function, parameters, nullptr);
}

}  // namespace gnp::inline GNP_ABI::detail

#endif
