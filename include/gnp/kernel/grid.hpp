// SPDX-License-Identifier: MIT
// grid: how many threads a kernel is started with.
#pragma once

#include <gnp/core/shape.hpp>
#include <gnp/kernel/dimensions.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

class grid;
grid blocks(const shape_t& grid_size, const shape_t& block_size);

/// grid(n) has at least n threads, in blocks of a size that suits the kernel; grid(n, 256) in blocks of 256;
/// grid({width, height}, {16, 16}) covers two dimensions, x first. The kernel has to skip the surplus threads
/// of the last blocks: if (grid_index() < n) ...
class grid {
 public:
  explicit grid(const shape_t& threads) : grid(threads, default_block(threads)) {
    block_is_chosen_ = threads.rank() == 1;
  }
  explicit grid(std::initializer_list<detail::any_integer> threads) : grid(shape_t(threads)) {}
  grid(const shape_t& threads, const shape_t& block) : sizes_(sizes(threads, "grid", 0)) {
    set_block(block);
    if (threads.rank() != block.rank()) {
      throw shape_error(std::string("grid: threads ") + to_string(threads) + " and blocks of " +
                        to_string(block) + " must have the same number of dimensions");
    }
  }

  /// Bytes for GNP_DYNAMIC_SHARED, in each block.
  grid& shared_memory(std::size_t bytes) {
    shared_bytes_ = bytes;
    return *this;
  }
  /// This many adjacent blocks along x form a cluster (from compute capability 9.0 on). The CPU ignores it.
  grid& cluster(int blocks_in_it) {
    if (blocks_in_it < 1)
      throw shape_error(std::string("grid: a cluster of ") + std::to_string(blocks_in_it) + " blocks");
    cluster_ = static_cast<unsigned>(blocks_in_it);
    return *this;
  }
  /// Detects mistakes: indices of an array_view that are out of bounds (also on a GPU, where the next call that
  /// waits throws the error), and on the CPU also threads that write to the same place in shared memory without
  /// a barrier in between.
  grid& checked(bool wanted = true) {
    checked_ = wanted;
    return *this;
  }

  /// Blocks along x, y and z.
  std::array<index_t, 3> block_counts() const {
    if (blocks_are_given_) return sizes_;
    const auto blocks_for = [](index_t threads, index_t block) {
      return threads / block + (threads % block != 0 ? 1 : 0);
    };
    return {blocks_for(sizes_[0], block_.x), blocks_for(sizes_[1], block_.y), blocks_for(sizes_[2], block_.z)};
  }
  bool is_empty() const {
    const std::array<index_t, 3> counts = block_counts();
    return counts[0] == 0 || counts[1] == 0 || counts[2] == 0;
  }
  /// Throws if this is more than a GPU can launch. The limits are the same on every device.
  GNP_DECLARED void require_launchable(const char* kernel) const;
  const detail::dimensions& block() const { return block_; }
  std::size_t shared_bytes() const { return shared_bytes_; }
  unsigned cluster_size() const { return cluster_; }
  bool is_checked() const { return checked_; }
  /// Has the number of blocks been given, rather than the number of threads?
  bool blocks_are_given() const { return blocks_are_given_; }
  /// May the size of the blocks be changed?
  bool block_is_chosen() const { return block_is_chosen_; }
  grid in_blocks_of(unsigned threads) const {
    grid other = *this;
    other.block_.x = threads;
    return other;
  }

 private:
  using sizes_t = std::array<index_t, 3>;

  static shape_t default_block(const shape_t& threads) {
    return threads.rank() == 2 ? shape_t{32, 8} : threads.rank() == 3 ? shape_t{32, 4, 2} : shape_t{256};
  }
  GNP_DECLARED static sizes_t sizes(const shape_t& given, const char* function, index_t least);
  GNP_DECLARED void set_block(const shape_t& block);

  friend grid blocks(const shape_t& grid_size, const shape_t& block_size);

  sizes_t sizes_;  // of the grid: in blocks if their number is given, otherwise in threads
  detail::dimensions block_;
  std::size_t shared_bytes_ = 0;
  unsigned cluster_ = 1;
  bool checked_ = false;
  bool block_is_chosen_ = false;
  bool blocks_are_given_ = false;
};

/// Exactly these numbers of blocks and threads, like CUDA's <<<grid, block>>>.
GNP_DECLARED grid blocks(const shape_t& grid_size, const shape_t& block_size);

namespace detail {

template <class... Arguments>
inline constexpr bool is_one_grid = false;
template <class Argument>
inline constexpr bool is_one_grid<Argument> = std::is_convertible_v<const Argument&, const grid&>;

/// The error message if a kernel is first called with something other than a grid.
template <class... Arguments>
constexpr void refuse_call_without_grid() {
  static_assert(
      is_one_grid<Arguments...>,
      "gnp: a kernel is called with a grid and then with its arguments: kernel(gnp::grid(n))(x, y, n)");
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/kernel/grid_sizes.hpp>
#endif
