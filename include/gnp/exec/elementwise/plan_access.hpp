// SPDX-License-Identifier: MIT
// How kernels other than elementwise ones access their operands: a thread takes vectors along the innermost
// axis.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <gnp/exec/elementwise/gathered_runs.hpp>
#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/elementwise/rolled_plan.hpp>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Elements at stride 2 that are not aligned for vectors are read one by one.
GNP_INLINE void check_pairs(const job& j, kernel_plan& plan, int first) {
  for (int slot = first; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (access == lane_access::every_other && !pairs_are_aligned(j, j.operands[slot], plan.vector)) {
      access = lane_access::strided;
    }
  }
}

/// Plans how each slot from `first` on is accessed, and how many elements a thread takes at once: whole vectors
/// along the innermost axis. The last vector may be incomplete if that axis is the only one of its kind
/// (`alone`).
template <class Allowed>
void plan_access(const job& j, kernel_plan& plan, int first, bool alone, const Allowed& allowed) {
  const int inner = j.rank - 1;
  int widest = 1;
  int narrowest = 16;
  plan.access[0] = lane_access::strided;
  plan.wide = j.count > 0x7fff0000;
  for (int slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    plan.wide = plan.wide || reaches_far(j, o);
    if (slot < first) continue;
    const index_t stride = o.strides[inner];
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (o.in_loop) {
      access = lane_access::pointers;
      continue;
    }
    access = o.shifts != nullptr        ? lane_access::rolled
             : o.block == nullptr       ? lane_access::counted
             : stride == 1              ? lane_access::run
             : stride == 0              ? lane_access::repeated
             : stride == 2 && slot != 0 ? lane_access::every_other
                                        : lane_access::strided;
    if (access == lane_access::repeated || access == lane_access::counted) continue;
    widest = (std::max)(widest, o.itemsize);
    narrowest = (std::min)(narrowest, o.itemsize);
  }
  const auto fits = [&](int v) {
    if (!allowed(v) || j.shape[inner] < v || (!alone && j.shape[inner] % v != 0)) return false;
    for (int slot = first; slot < plan.slots; ++slot) {
      if (plan.access[static_cast<std::size_t>(slot)] == lane_access::run &&
          !runs_are_aligned(j, j.operands[slot], inner, v))
        return false;
      if (plan.access[static_cast<std::size_t>(slot)] == lane_access::rolled &&
          !rolls_in_vectors(j, j.operands[slot], v))
        return false;
    }
    return true;
  };
  int vector = (std::min)(16 / narrowest, 32 / widest);
  // If a thread made two adjacent stores, each instruction would write only half of every 32-byte sector.
  if (plan.shape == kernel_shape::row_program && first == 0)
    vector = (std::min)(vector, 16 / j.operands[0].itemsize);
  while (vector > 1 && !fits(vector)) vector /= 2;
  plan.vector = static_cast<std::uint8_t>(vector);
  check_pairs(j, plan, first);
}

/// Tables are loaded in vectors as well if a thread's elements of them are contiguous. The vector length then
/// suits both tables and other inputs, unless the other inputs alone allow longer vectors.
template <class Allowed>
void plan_gathered_runs(const job& j, std::span<const node_source* const> sources, kernel_plan& plan, int first,
                        const Allowed& allowed) {
  const int inner = j.rank - 1;
  const auto fits = [&](int v) {
    if (!allowed(v) || j.shape[inner] % v != 0) return false;
    for (int slot = first; slot < plan.slots; ++slot) {
      if (plan.access[static_cast<std::size_t>(slot)] == lane_access::run &&
          !runs_are_aligned(j, j.operands[slot], inner, v))
        return false;
    }
    return find_gathered_runs(j, plan, sources, v) != 0;
  };
  int vector = longest_vector_of_loads(j, plan);
  while (vector > plan.vector && !fits(vector)) vector /= 2;
  plan.vector = static_cast<std::uint8_t>((std::max)(vector, int{plan.vector}));
  check_pairs(j, plan, first);
  mark_gathered_runs(j, sources, plan);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
