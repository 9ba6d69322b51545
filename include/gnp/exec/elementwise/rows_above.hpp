// SPDX-License-Identifier: MIT
// Formulas of columns and rows, such as the overlaps of all pairs of boxes: a thread takes a vector of each of
// several consecutive rows, and loads what these rows share only once.
#pragma once

#include <gnp/exec/elementwise/plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The bytes for each element of a row that all rows read alike; 0 if something differs along both axes, so
/// that reading it takes longer than all that is shared.
GNP_INLINE int bytes_all_rows_share(const job& j, const kernel_plan& plan) {
  int bytes = 0;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (o.table || (o.strides[0] != 0 && o.strides[1] != 0)) return 0;
    if (o.strides[1] != 0) bytes += o.block == nullptr ? static_cast<int>(sizeof(std::int64_t)) : o.itemsize;
  }
  return bytes;
}

/// Gives a thread several rows if what they share is at least twice as much as what they store, and if a row
/// has vectors for all threads of a warp, so that these store whole cache lines. `plan` is that of a kernel
/// with one result, which is stored everywhere.
GNP_INLINE void take_rows_above(const job& j, kernel_plan& plan) {
  constexpr int rows = 4;
  constexpr index_t many_vectors = 1 << 20;
  constexpr index_t warp = 32;
  if (j.rank != 2 || plan.shape != kernel_shape::elementwise || plan.copied || plan.through_rows ||
      plan.loops.any() || plan.vector == 3 || j.code->condition != nullptr)
    return;
  const index_t vectors = j.shape[1] / plan.vector;
  if (j.shape[0] < 2 * rows || vectors < warp || j.shape[0] * vectors < many_vectors ||
      bytes_all_rows_share(j, plan) < 2 * j.operands[0].itemsize)
    return;
  plan.items = rows;
  plan.rows_each = rows;
  mark_moves(j, plan);
}

}}}  // namespace gnp::GNP_ABI::detail
