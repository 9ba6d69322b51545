// SPDX-License-Identifier: MIT
// How the elements of a row program's rows are divided where these lie across memory, as columns do: how many
// adjacent columns a block takes, or a cluster of blocks, and how many threads share a column.
#pragma once

#include <array>
#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/statement/row_groups.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Can the registers of one thread hold this many adjacent columns? (With more bytes, the text would take long
/// to compile.)
GNP_INLINE bool columns_fit_a_thread(const job& elements, const kernel_plan& plan, std::uint64_t length,
                                     std::uint64_t columns) {
  return length <= 64 && length * columns * bytes_of_element(elements, plan) <= 512;
}

/// The bytes of the narrowest elements that are read or written in vectors.
GNP_INLINE std::uint64_t narrowest_in_vectors(const job& elements, const kernel_plan& plan) {
  std::uint64_t narrowest = 16;
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    if (plan.access[slot] == lane_access::run)
      narrowest = (std::min)(narrowest, static_cast<std::uint64_t>(elements.operands[slot].itemsize));
  }
  return narrowest;
}

/// May a thread have so many adjacent columns, none of which it has by itself? It combines its elements of each
/// of them before it exchanges the results. If it has few in each column, that is more work than the elements;
/// loads of less than 16 bytes cost less. (On an H200, standardized columns of 1500 halves take 0.66 of the
/// time with two columns for each thread, of 1500 doubles 0.8 with one.)
GNP_INLINE bool suits_adjacent_columns(const job& elements, const kernel_plan& plan, std::uint64_t columns) {
  const std::uint64_t narrowest = narrowest_in_vectors(elements, plan);
  if (narrowest <= 2) return columns * narrowest <= 4;
  const auto arrays = std::count(plan.access.begin() + 1, plan.access.begin() + plan.slots, lane_access::run);
  return narrowest == 4 || columns == 1 || arrays > 1;
}

/// A way to share adjacent columns out among blocks.
struct column_tile {
  std::uint64_t bytes = 0;         // that the columns have in each of their rows
  std::uint64_t most_threads = 0;  // for so many threads at most; 0 if the tile is not to be taken
};

/// What plans of columns need to know about a statement's reductions.
struct column_reductions {
  std::size_t count = 0;
  std::uint64_t state_bytes = 0;  // of the largest state
};

/// The tiles to try, widest first. The second-level cache finds a wide piece of a row in fewer requests. But
/// the wider the columns of several blocks are, the more partial results do these exchange in each reduction.
/// And of elements of one or two bytes, a thread combines few before it has to exchange: for these, more and
/// smaller blocks are better. Measured on an H200 with softmax, logsumexp, centred and standardized columns of
/// 65 to 32768 elements of three types.
GNP_INLINE std::array<column_tile, 4> column_tiles(std::uint64_t narrowest_element, std::size_t reductions,
                                                   bool per_row, row_hardware hardware) {
  constexpr std::uint64_t block = most_of_cluster_block;
  if (hardware.most_in_cluster == 1) return {{{32, 1024}}};
  const std::uint64_t all = block * (per_row ? 8 : hardware.most_in_cluster);
  const bool one = reductions == 1;
  if (narrowest_element <= 2) return {{{128, block / 2}, {64, one ? all : block / 2}, {32, all}}};
  return {{{256, one ? 4 * block : 0}, {128, one ? all : per_row ? block : 8 * block}, {64, all}, {32, all}}};
}

/// The threads of a tile of columns.
struct tile_threads {
  std::uint64_t across;  // adjacent vectors
  std::uint64_t tiles;
  std::uint64_t needed;     // for a tile
  std::uint64_t one_block;  // at most

  std::uint64_t cluster() const { return divided_up(needed, one_block); }
  std::uint64_t blocks() const { return tiles * cluster(); }
};

/// How many threads share a tile of vectors of columns. `items` is how many vectors a thread can hold.
GNP_INLINE tile_threads threads_of_tile(std::uint64_t across, const row_arguments& sizes, std::uint64_t items,
                                        row_hardware hardware) {
  constexpr std::uint64_t fewest = 8;  // for a column
  tile_threads t;
  t.across = (std::min)({across, power_of_two(sizes.rows), std::uint64_t{32}});
  t.tiles = divided_up(sizes.rows, t.across);
  t.one_block = hardware.most_in_cluster > 1 ? most_of_cluster_block : 1024;
  // If each thread has as many vectors, the text needs no conditions.
  const std::uint64_t for_column = (std::max)(divided_up(sizes.length, items), fewest);
  const std::uint64_t power = power_of_two(for_column);
  t.needed = t.across * (sizes.length % power == 0 ? power : for_column);
  return t;
}

/// Do wide tiles have about as many blocks as the GPU can run, or as many as narrow tiles have?
GNP_INLINE bool has_enough_blocks(const tile_threads& wide, const tile_threads& narrow, row_hardware hardware) {
  const auto multiprocessors = static_cast<std::uint64_t>(hardware.multiprocessors);
  const auto at_most = [](const tile_threads& t) {
    return t.tiles * (std::max)(t.cluster(), most_blocks_of_row);
  };
  return wide.blocks() >= (std::min)(3 * multiprocessors, narrow.blocks()) &&
         at_most(wide) >= (std::min)(2 * multiprocessors, at_most(narrow));
}

/// Plans clusters that have these threads for each tile, or more if there are few tiles. False if their states
/// need too much memory.
GNP_INLINE bool set_tile(kernel_plan& plan, const tile_threads& t, std::uint64_t most_threads,
                         std::uint64_t length, row_hardware hardware, std::uint64_t state_bytes) {
  std::uint64_t all = t.needed;
  if (t.tiles * all < static_cast<std::uint64_t>(hardware.multiprocessors) * 1024) {
    const std::uint64_t most = (std::min)(most_threads, most_blocks_of_row * t.one_block) / t.across;
    all = t.across * enough_threads(power_of_two(all / t.across), t.tiles * t.across, length, most, hardware);
  }
  const std::uint64_t cluster = divided_up(all, t.one_block);
  const std::uint64_t threads = divided_up(all, 32 * cluster) * 32;
  const std::uint64_t states = (threads / 32 + 2 * cluster + 1) * t.across * plan.vector;
  return states * state_bytes <= shared_bytes_of_block &&
         set_groups(plan, length, threads * cluster / t.across, threads, cluster, hardware);
}

/// Plans how many threads share a column, and how many adjacent vectors of columns a block has; false if a
/// column is longer than they can hold, or if it is not worthwhile. Short columns have one thread for each
/// vector.
GNP_INLINE bool plan_column_groups(const job& elements, kernel_plan& plan, const row_arguments& sizes,
                                   row_hardware hardware, column_reductions reductions) {
  const std::uint64_t length = sizes.length;
  if (columns_fit_a_thread(elements, plan, length, plan.vector))
    return set_groups(plan, length, 1, 128, 1, hardware);
  if (length <= static_cast<std::uint64_t>(longest_loop)) return false;
  const std::uint64_t narrowest = narrowest_in_vectors(elements, plan);
  const auto threads_for = [&](std::uint64_t bytes) {
    return threads_of_tile(divided_up(bytes, plan.vector * narrowest), sizes, most_items(elements, plan),
                           hardware);
  };
  const tile_threads narrow = threads_for(32);
  for (const column_tile& tile : column_tiles(narrowest, reductions.count, plan.rows.per_row, hardware)) {
    if (tile.most_threads == 0) continue;
    const tile_threads t = threads_for(tile.bytes);
    if (t.needed > tile.most_threads) continue;
    const bool is_wide = tile.bytes > 32;
    if (is_wide && !has_enough_blocks(t, narrow, hardware)) continue;
    // Two small blocks leave a multiprocessor with few threads, and no room for a third.
    const bool has_small_blocks = t.cluster() > 1 && 20 * t.needed < 17 * t.cluster() * t.one_block;
    if (is_wide && has_small_blocks && reductions.count > 1) continue;
    if (set_tile(plan, t, tile.most_threads, length, hardware, reductions.state_bytes)) return true;
  }
  return false;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
