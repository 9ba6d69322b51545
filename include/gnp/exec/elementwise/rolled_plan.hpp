// SPDX-License-Identifier: MIT
// The plan of a GPU kernel that rolls its operands.
#pragma once

#include <gnp/exec/elementwise/plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Plans a job of few elements, some of whose operands are rolled. Threads take single elements, whatever the
/// order of the axes, or several if there are enough for all threads.
GNP_INLINE kernel_plan make_rolled_plan(job& j) {
  constexpr index_t many = 1 << 19;
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.items = j.count >= many ? 4 : 1;
  plan.rolls = true;
  plan.wide = j.count > 0x7fff0000;
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    const index_t stride = o.strides[j.rank - 1];
    plan.wide = plan.wide || reaches_far(j, o);
    plan.access[slot] = o.shifts != nullptr              ? lane_access::rolled
                        : slot > 0 && o.block == nullptr ? lane_access::counted
                        : stride == 1                    ? lane_access::run
                        : stride == 0                    ? lane_access::repeated
                                                         : lane_access::strided;
    plan.moves[slot] = 0;
    for (int d = 0; d < j.rank && o.shifts != nullptr; ++d) {
      if (o.shifts[d] != 0) plan.moves[slot] |= static_cast<std::uint16_t>(1u << d);
    }
  }
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail
