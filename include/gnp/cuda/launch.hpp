// SPDX-License-Identifier: MIT
// Starting a kernel.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <array>
#include <gnp/cuda/context.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The number of blocks and of threads in a block, and when the blocks may start.
struct launch_shape {
  std::uint64_t blocks = 1;
  unsigned threads = 256;
  std::size_t shared_bytes = 0;
  // Blocks along y and z; `blocks` are along x.
  std::array<unsigned, 2> more_blocks = {1, 1};
  std::array<unsigned, 2> more_threads = {1, 1};
  unsigned cluster = 1;  // how many blocks along x form a cluster, from compute capability 9.0 on
  /// For a kernel whose text begins with wait_for_results() (exec/text/prelude.hpp), from compute
  /// capability 9.0 on: its blocks are placed on the GPU as soon as the last blocks of the preceding kernel
  /// have been placed, and then wait. That saves a fifth of a launch's time on the host, and most of the gap
  /// between two kernels. Not for blocks that should be spread evenly, because early blocks go wherever there
  /// is room first.
  bool early = false;
};

/// The most blocks that one launch can have.
inline constexpr std::uint64_t most_blocks = 0x7fffffff;

GNP_INLINE void launch_kernel(const gpu& device, const stream_state* stream, CUfunction function,
                              const launch_shape& shape, void** parameters) {
  if (shape.blocks > most_blocks)
    throw error("a kernel of " + std::to_string(shape.blocks) + " blocks is more than one launch can cover");
  if (shape.shared_bytes > (std::numeric_limits<unsigned>::max)())
    throw error("a block has no " + std::to_string(shape.shared_bytes) + " bytes of shared memory");
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig config = {};
  config.gridDimX = static_cast<unsigned>(shape.blocks);
  config.gridDimY = shape.more_blocks[0];
  config.gridDimZ = shape.more_blocks[1];
  config.blockDimX = shape.threads;
  config.blockDimY = shape.more_threads[0];
  config.blockDimZ = shape.more_threads[1];
  config.sharedMemBytes = static_cast<unsigned>(shape.shared_bytes);
  config.hStream = stream->handle;
  config.attrs = attributes;
  if (shape.early && device.arch >= 90) {
    CUlaunchAttribute& early = attributes[config.numAttrs++];
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
  }
  if (shape.cluster > 8)  // more than every GPU with clusters can run
    GNP_CUDA_CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  if (shape.cluster > 1) {
    CUlaunchAttribute& cluster = attributes[config.numAttrs++];
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = shape.cluster;
    cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
  }
  GNP_CUDA_CALL(cuLaunchKernelEx, &config, function, parameters, nullptr);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
