// SPDX-License-Identifier: MIT
// Runs that do not begin where vectors of memory do: shifted views of an array, and rows of odd lengths. A
// thread of a reduction reads the two vectors of memory that its elements lie across, and takes them from
// there.
#pragma once

#include <algorithm>
#include <gnp/exec/elementwise/plan_vectors.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many elements of an operand lie between the beginning of such a load and a row's first element? -1 if
/// that differs from row to row.
GNP_INLINE int elements_ahead(const job& j, const job_operand& o, int vector) {
  const auto bytes = static_cast<std::uintptr_t>(bytes_at_once(o, vector));
  const auto size = static_cast<std::uintptr_t>(o.itemsize);
  for (int d = 0; d + 1 < j.rank; ++d) {
    if (o.strides[d] * o.itemsize % static_cast<index_t>(bytes) != 0) return -1;
  }
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(o.data) % bytes;
  return before % size == 0 ? static_cast<int>(before / size) : -1;
}

/// Where vectors of runs begin in memory.
GNP_INLINE const char* first_load(const job_operand& o, int ahead) { return o.data - ahead * o.itemsize; }

/// Reads runs as unaligned ones if a thread can take more elements at once that way, as many as all runs allow.
/// `last_may_leave` says whether the last of these vectors may reach past the end of the memory.
template <class Fits>
void plan_unaligned_runs(const job& j, kernel_plan& plan, bool last_may_leave, const Fits& fits) {
  const auto lie_alike = [&](int vector) {
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      if (plan.access[slot] != lane_access::run) continue;
      const job_operand& o = j.operands[slot];
      const int ahead = elements_ahead(j, o, vector);
      if (ahead < 0 || (ahead > 0 && is_stored(plan, slot))) return false;
      if (ahead == 0) continue;
      const reached_memory reached = memory_of_vectors(j, o, bytes_at_once(o, vector));
      if (reached.before || (reached.after && !last_may_leave)) return false;
    }
    return true;
  };
  int vector = longest_vector_of_loads(j, plan);
  while (vector > plan.vector && !(fits(vector) && lie_alike(vector))) vector /= 2;
  if (vector <= plan.vector) return;
  plan.vector = static_cast<std::uint8_t>(vector);
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    unaligned_slot& u = plan.unaligned_slots[slot];
    if (plan.access[slot] != lane_access::run) continue;
    u.ahead = static_cast<std::uint8_t>(elements_ahead(j, o, vector));
    u.source = static_cast<std::uint8_t>(slot);
    for (std::size_t other = 1; other < slot; ++other) {
      const job_operand& before = j.operands[other];
      const bool runs = plan.access[other] == lane_access::run || plan.access[other] == lane_access::unaligned;
      if (!runs || before.block != o.block || before.itemsize != o.itemsize ||
          first_load(before, plan.unaligned_slots[other].ahead) != first_load(o, u.ahead) ||
          !std::equal(o.strides, o.strides + j.rank, before.strides)) {
        continue;
      }
      u.source = static_cast<std::uint8_t>(other);
      break;
    }
    u.source_ahead = plan.unaligned_slots[u.source].ahead;
    if (u.ahead == 0) continue;
    plan.access[slot] = lane_access::unaligned;
    plan.unaligned = true;
  }
}

/// Could the last vectors of unaligned runs reach past the end of the memory?
GNP_INLINE bool unaligned_runs_leave(const job& j, const kernel_plan& plan) {
  for (std::size_t slot = 1; slot < plan.slots && plan.unaligned; ++slot) {
    if (plan.access[slot] != lane_access::unaligned) continue;
    const job_operand& o = j.operands[slot];
    if (memory_of_vectors(j, o, bytes_at_once(o, plan.vector)).after) return true;
  }
  return false;
}

}}}  // namespace gnp::GNP_ABI::detail
