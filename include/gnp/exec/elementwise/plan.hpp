// SPDX-License-Identifier: MIT
// Which GPU kernel a collapsed job gets: the shape, the vector width, and how each operand is accessed.
#pragma once

#include <gnp/exec/elementwise/plan_records.hpp>
#include <gnp/exec/elementwise/plan_vectors.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Picks an axis along which operands are contiguous although they are strided along the innermost axis, and
/// makes it the second to last. False if no axis is worth a tile.
GNP_INLINE bool choose_tile_axis(job& j, const kernel_plan& plan) {
  constexpr index_t worthwhile = 16;
  const int inner = j.rank - 1;
  if (j.rank < 2 || j.shape[inner] < worthwhile) return false;
  for (int slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (o.block == nullptr || o.in_loop || o.strides[inner] == 0 || o.strides[inner] == 1) continue;
    for (int d = 0; d < inner; ++d) {
      if (o.strides[d] != 1 || j.shape[d] < worthwhile) continue;
      for (int e = d; e + 1 < inner; ++e) {
        std::swap(j.shape[e], j.shape[e + 1]);
        for (int i = 0; i < plan.slots; ++i) std::swap(j.operands[i].strides[e], j.operands[i].strides[e + 1]);
      }
      return true;
    }
  }
  return false;
}

/// Are all elements the same along the first axis, and is there enough work for the whole GPU without it? Then
/// each element is computed once and stored at every place along that axis. If each copy read its inputs again,
/// they would come from memory, because more lies between two copies than the caches hold.
GNP_INLINE bool copies_along_first_axis(const job& j, const kernel_plan& plan) {
  constexpr index_t enough_threads = 1 << 18;
  if (j.rank < 2 || plan.shape != kernel_shape::elementwise || plan.loops.any()) return false;
  if (j.count / j.shape[0] / plan.vector < enough_threads) return false;
  bool any_moves = false;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (j.operands[slot].strides[0] != 0) return false;
    any_moves =
        any_moves || (plan.access[slot] != lane_access::repeated && plan.access[slot] != lane_access::counted);
  }
  return any_moves;
}

/// Do the loops of adjacent threads read elements that are far apart and that other rows read again, as for all
/// distances between points? Or do they slide over an array, so that each element is read in every loop around
/// it? These elements come from the cache, and the number of cache lines matters: if a thread has single
/// elements of a result, a warp needs at most a quarter of the lines at a time that it would need with vectors.
GNP_INLINE bool loops_read_again(const job& j, const kernel_plan& plan) {
  const int inner = j.rank - 1;
  for (std::size_t i = 0; i < plan.inputs; ++i) {
    const bool slides = i < 64 && (plan.loops.one_by_one >> i & 1) != 0;
    if (slides && j.operands[plan.slot_of[i]].strides[inner] == 1) return true;
  }
  for (int slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (!o.in_loop || o.strides[inner] == 0 || o.strides[inner] == 1) continue;
    for (int d = 0; d < inner; ++d) {
      if (o.strides[d] == 0 && j.shape[d] > 1) return true;
    }
  }
  return false;
}

/// Gives a thread several elements if its loops compute one element at a time, because a block of threads with
/// one element each takes longer to start than to run. With two axes, these elements are in consecutive rows,
/// so that what the loops read for all of them is loaded once.
GNP_INLINE void share_loops_of_rows(const job& j, kernel_plan& plan) {
  constexpr index_t many = 1 << 20;
  if (plan.vector != 1 || plan.copied || j.count < many) return;
  std::uint64_t longest = 0;
  for (std::uint64_t lengths = plan.loops.lengths; lengths != 0; lengths >>= 8)
    longest = (std::max)(longest, lengths & 255);
  plan.items = longest <= 16 ? 4 : 2;
  if (j.rank == 2 && j.shape[0] >= 2 * plan.items) plan.rows_each = plan.items;
}

/// Does one of several results have gaps between its elements, like one component of the vectors in an array?
/// Then adjacent threads that store single elements write more of each line than they would with vectors.
GNP_INLINE bool results_have_gaps(const kernel_plan& plan, int results) {
  for (int k = 0; k < results && results > 1; ++k) {
    const std::size_t slot = slot_of_result(plan, k);
    if (plan.access[slot] == lane_access::strided || plan.access[slot] == lane_access::every_other) return true;
  }
  return false;
}

/// Chooses how each slot is reached, and whether that takes 64-bit indices.
GNP_INLINE element_sizes choose_access(const job& j, kernel_plan& plan) {
  const bool tiled = plan.has_tiles();
  const int inner = j.rank - 1;
  const int edge = plan_tile_edge(j, plan);
  int shared_memory = 0;
  element_sizes sizes;
  for (int slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    const index_t stride = o.strides[inner];
    const int tile_bytes = bytes_of_tile(edge, o.itemsize);
    plan.wide = plan.wide || reaches_far(j, o);
    if (slot > 0 && (o.block == nullptr || o.in_loop)) {
      access = o.in_loop ? lane_access::pointers : lane_access::counted;
      continue;
    }
    if (tiled && slot > 0 && stride != 1 && stride != 0 && o.strides[inner - 1] == 1 &&
        shared_memory + tile_bytes <= most_bytes_of_tiles) {
      access = lane_access::transposed;
      shared_memory += tile_bytes;
    } else {
      access = stride == 1                         ? lane_access::run
               : stride == 0                       ? lane_access::repeated
               : stride == 2 && slot > 0 && !tiled ? lane_access::every_other
                                                   : lane_access::strided;
    }
    if (access != lane_access::repeated) {
      sizes.widest = (std::max)(sizes.widest, o.itemsize);
      sizes.narrowest = (std::min)(sizes.narrowest, o.itemsize);
    }
  }
  plan.wide = plan.wide || j.count > 0x7fff0000;
  return sizes;
}

/// Is every slot a run, the same element, or positions, and the destination a run?
GNP_INLINE bool nothing_is_strided(const kernel_plan& plan) {
  const auto straight = [](lane_access access) {
    return access == lane_access::run || access == lane_access::repeated || access == lane_access::counted;
  };
  return plan.access[0] == lane_access::run &&
         std::all_of(plan.access.begin(), plan.access.begin() + plan.slots, straight);
}

/// With too few bytes per thread, memory is not kept busy, and blocks cannot start as fast as they end. Then
/// each thread takes two vectors, or several elements. The same if the vectors of rows have few bytes, or if
/// only the destination has vectors, as in repeat(), provided that there are still enough threads. (On an H200,
/// 2^26 floats are set to a number in 0.059 ms instead of 0.080, and so is the product of a column and a row.)
GNP_INLINE void choose_items(const job& j, kernel_plan& plan) {
  constexpr index_t many_vectors = 1 << 20;
  int bytes = 0;
  for (int slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    // (What many rows share comes from the cache.)
    const bool is_shared =
        std::any_of(o.strides, o.strides + j.rank, [](index_t stride) { return stride == 0; });
    const lane_access access = plan.access[static_cast<std::size_t>(slot)];
    if ((access == lane_access::run || access == lane_access::written) && !is_shared)
      bytes += o.itemsize * plan.vector;
  }
  if (j.rank == 1 && bytes < 32) plan.items = 2;
  const bool of_three = plan.vector == 3;  // a thread has a whole row of three
  const bool takes_several = plan.shape == kernel_shape::elementwise ||
                             (plan.shape == kernel_shape::shifted && plan.shifted.across == 0);
  if (!of_three && j.rank > 1 && (bytes < 32 || plan.through_rows) && takes_several && !plan.copied &&
      !plan.loops.any() && j.count / plan.vector >= many_vectors) {
    plan.items = bytes < 16 || plan.through_rows ? 4 : 2;
  }
}

/// Plans a collapsed job, and reorders its operands and axes to match the plan. `through_rows`: can this
/// kernel's vectors run through the ends of rows? If there are several results, those after the first are the
/// last inputs.
GNP_INLINE kernel_plan make_plan(job& j, const loop_facts& loops = {}, bool through_rows = true,
                                 int results = 1) {
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  plan.rank = static_cast<std::uint8_t>(j.rank);
  const bool everywhere = j.code->condition == nullptr;
  const bool runs_inside = j.rank > 0 && j.operands[0].strides[j.rank - 1] == 1;
  if (everywhere && runs_inside && choose_tile_axis(j, plan)) plan.shape = kernel_shape::tile;
  plan_loops(j, loops, plan);
  const element_sizes sizes = choose_access(j, plan);
  if (everywhere && j.rank == 1 && nothing_is_strided(plan)) plan.shape = kernel_shape::flat;
  // If results are only stored where a condition holds, elements are taken one by one, so that a warp stores to
  // parts of one line, not of four.
  const bool read_again = loops_read_again(j, plan);
  const bool one_by_one =
      !everywhere || read_again || results_have_gaps(plan, results) || reads_wide_records(j, plan, results);
  choose_vector(j, plan, one_by_one ? 1 : longest_vector(j, sizes), sizes.widest, through_rows, results);
  plan.copied = everywhere && copies_along_first_axis(j, plan);
  if (everywhere) {
    choose_items(j, plan);
  } else {
    plan.items = 8;
  }
  if (read_again && everywhere && j.rank > 1 && plan.shape == kernel_shape::elementwise)
    share_loops_of_rows(j, plan);
  take_unaligned_pairs_apart(j, plan);
  if (everywhere) mark_records(j, plan, results);
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail
