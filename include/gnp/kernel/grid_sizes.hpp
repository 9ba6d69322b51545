// SPDX-License-Identifier: MIT
// The sizes that a grid and its blocks may have.
#pragma once

#include <gnp/kernel/grid.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

GNP_INLINE void grid::require_launchable(const char* kernel) const {
  const std::array<index_t, 3> counts = block_counts();
  if (counts[0] <= 2147483647 && counts[1] <= 65535 && counts[2] <= 65535) return;
  throw shape_error(std::string(kernel) +
                    ": a grid has up to 2147483647 blocks along x and 65535 along y and z, got " +
                    to_string(shape_t{counts[0], counts[1], counts[2]}));
}

GNP_INLINE grid::sizes_t grid::sizes(const shape_t& given, const char* function, index_t least) {
  if (given.rank() < 1 || given.rank() > 3)
    throw shape_error(std::string(function) + ": a kernel has 1 to 3 dimensions, got " + to_string(given));
  sizes_t found = {1, 1, 1};
  for (int d = 0; d < given.rank(); ++d) {
    if (given[d] < least) {
      throw shape_error(std::string(function) + ": sizes start at " + std::to_string(least) + ", got " +
                        to_string(given));
    }
    found[static_cast<std::size_t>(d)] = given[d];
  }
  return found;
}

GNP_INLINE void grid::set_block(const shape_t& block) {
  const sizes_t size = sizes(block, "grid", 1);
  if (size[0] > 1024 || size[1] > 1024 || size[2] > 64 || size[0] * size[1] * size[2] > 1024) {
    throw shape_error(std::string("grid: a block has up to 1024 threads, and 64 along z, got ") +
                      to_string(block));
  }
  block_ = {static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1]), static_cast<unsigned>(size[2])};
}

GNP_INLINE grid blocks(const shape_t& grid_size, const shape_t& block_size) {
  grid result(shape_t{1}, shape_t{1});
  result.set_block(block_size);
  result.blocks_are_given_ = true;
  result.sizes_ = grid::sizes(grid_size, "blocks", 0);
  return result;
}

}}  // namespace gnp::GNP_ABI
