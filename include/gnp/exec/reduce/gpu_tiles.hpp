// SPDX-License-Identifier: MIT
// Reductions to one element of arrays that lie across each other, as in max(abs(x - x.transpose())): which of
// them read square tiles, as elementwise kernels do, and their plan.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/exec/elementwise/arrays_across.hpp>
#include <gnp/exec/reduce/reduction_job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Is a job, all of whose axes are reduced, read by tiles? All that lies across the innermost axis has to lie
/// along the same other one, and to have room in a block's shared memory.
GNP_INLINE bool is_read_by_tiles(const job& j) {
  constexpr index_t least = 16;
  constexpr int bytes_of_states = 2048;  // of a block's warps, at the end
  if (j.rank < 2 || j.rolls || j.shape[j.rank - 1] < least) return false;
  const job_operand* const end = j.operands + j.operand_count();
  int widest = 1;
  int along = -1;  // which axis those across lie along
  for (const job_operand* o = j.operands + 1; o != end; ++o) {
    if (o->table || o->in_loop) return false;
    widest = (std::max)(widest, o->itemsize);
    if (along < 0 && lies_across(j, *o))
      along = static_cast<int>(std::find(o->strides, o->strides + j.rank, index_t{1}) - o->strides);
  }
  if (along < 0 || along >= j.rank || j.shape[along] < least) return false;
  int bytes = 0;
  for (const job_operand* o = j.operands + 1; o != end; ++o) {
    if (o->strides[j.rank - 1] == 1 || o->strides[j.rank - 1] == 0 || o->block == nullptr) continue;
    if (o->strides[along] != 1) return false;
    const auto is_same = [o, &j](const job_operand& other) {
      return other.data == o->data && other.itemsize == o->itemsize &&
             std::equal(o->strides, o->strides + j.rank, other.strides);
    };
    if (std::any_of(static_cast<const job_operand*>(j.operands + 1), o, is_same)) continue;
    bytes += bytes_of_tile(tile_edge(widest), o->itemsize);
  }
  return bytes <= most_bytes_of_tiles - bytes_of_states;
}

GNP_INLINE bool is_by_tiles(const reduction& r) {
  return r.outputs == 1 && r.kept == 0 && r.along == reduced_along::rows && r.code->stored_parts == 0 &&
         r.loops.lengths == 0 && is_read_by_tiles(r.values);
}

/// Plans how the slots are accessed, and the vectors of a thread.
GNP_INLINE void plan_tiles(job& j, kernel_plan& plan) {
  plan.shape = kernel_shape::reduce_tiles;
  choose_tile_axis(j, plan);
  const element_sizes sizes = choose_access(j, plan);
  const int most = (std::min)(16 / sizes.narrowest, 32 / sizes.widest);
  const int edge = plan_tile_edge(j, plan);
  int vector = longest_that_fits(j, plan, sizes.widest, most);
  while (vector * threads_per_block > edge * edge) vector /= 2;  // (a wide number makes tiles smaller)
  plan.vector = static_cast<std::uint8_t>(vector);
  plan.items = static_cast<std::uint8_t>(edge * edge / (threads_per_block * plan.vector));
  plan.group = threads_per_block;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
