// SPDX-License-Identifier: MIT
// The preparation of a launch: its device, what it reads and writes, and its shape.
#pragma once

#include <gnp/kernel/loaded_kernel.hpp>
#include <optional>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE device device_of(const kernel_array* arrays, std::size_t count, const char* kernel) {
  std::optional<device> found;
  for (std::size_t i = 0; i < count; ++i) {
    if (arrays[i].leaf.block == nullptr) continue;
    const device where = arrays[i].leaf.block->device;
    if (found) require_same_device(kernel, *found, where);
    found = where;
  }
  return found.value_or(default_device());
}

#if GNP_HAS_CUDA

GNP_INLINE void use(const submission& work, const kernel_array* arrays, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (arrays[i].leaf.block == nullptr) continue;
    if (arrays[i].written) {
      work.writes(*arrays[i].leaf.block);
    } else {
      work.reads(*arrays[i].leaf.block);
    }
  }
}

[[gnu::cold]] GNP_INLINE unsigned loaded_kernel::prepare(const gpu& device, CUfunction function) {
  int of_block = 0;
  int own = 0;
  GNP_CUDA_CALL(cuDeviceGetAttribute, &of_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                device.handle);
  GNP_CUDA_CALL(cuFuncGetAttribute, &own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  GNP_CUDA_CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, of_block - own);
  int blocks = 0;
  int threads = 0;
  GNP_CUDA_CALL(cuOccupancyMaxPotentialBlockSize, &blocks, &threads, function, nullptr, 0, 0);
  return static_cast<unsigned>(threads);
}

GNP_INLINE launch_shape shape_of(const grid& wanted, unsigned block, const gpu& device, const char* kernel) {
  const grid g = wanted.block_is_chosen() ? wanted.in_blocks_of(block) : wanted;
  g.require_launchable(kernel);
  const std::array<index_t, 3> counts = g.block_counts();
  if (g.cluster_size() > 1 && device.arch < 90) {
    throw device_error(std::string(kernel) + ": clusters of blocks need compute capability 9.0, " +
                       device.name + " has " + std::to_string(device.arch / 10) + "." +
                       std::to_string(device.arch % 10));
  }
  launch_shape shape;
  shape.blocks = static_cast<std::uint64_t>(counts[0]);
  shape.more_blocks = {static_cast<unsigned>(counts[1]), static_cast<unsigned>(counts[2])};
  shape.threads = g.block().x;
  shape.more_threads = {g.block().y, g.block().z};
  shape.shared_bytes = g.shared_bytes();
  shape.cluster = g.cluster_size();
  return shape;
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
