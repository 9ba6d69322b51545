// SPDX-License-Identifier: MIT
// The plan of a GPU kernel that rolls its operands.
#pragma once

#include <algorithm>
#include <gnp/exec/elementwise/plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Can a rolled slot be read in vectors of this length? The innermost axis then is a whole number of vectors
/// long, so that none of them goes on at its other end.
GNP_INLINE bool rolls_in_vectors(const job& j, const job_operand& o, int vector) {
  const int inner = j.rank - 1;
  const index_t stride = o.strides[inner];
  return vector == 1 || (j.shape[inner] % vector == 0 &&
                         (stride == 0 || (stride == 1 && runs_are_aligned(j, o, inner, vector))));
}

/// The number of one of a kernel's shifts along an axis, from 1 on; 0 if nothing is rolled. A new one is noted.
GNP_INLINE std::uint8_t number_of_shift(job& j, kernel_plan& plan, index_t places, int axis) {
  if (places == 0 || places == j.shape[axis]) return 0;
  index_t* const end = j.kernel_shifts + plan.shifts;
  const auto at = static_cast<std::uint8_t>(std::find(j.kernel_shifts, end, places) - j.kernel_shifts);
  if (at == plan.shifts) j.kernel_shifts[plan.shifts++] = places;
  return static_cast<std::uint8_t>(at + 1);
}

/// Plans how rolled slots are read. The others, and the length of vectors, are planned already.
GNP_INLINE void plan_rolled_slots(job& j, kernel_plan& plan) {
  const int inner = j.rank - 1;
  const index_t vector = plan.vector;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (plan.access[slot] != lane_access::rolled) continue;
    const job_operand& o = j.operands[slot];
    rolled_slot& r = plan.rolled_slots[slot];
    r = {};
    const auto roll_by = [&](index_t places, int d) {
      r.shifts |= std::uint64_t{number_of_shift(j, plan, places, d)} << 6 * d;
    };
    for (int d = 0; d < inner; ++d) roll_by(o.shifts[d], d);
    r.inner = o.strides[inner] == 0 ? lane_access::repeated
              : vector > 1          ? lane_access::run
                                    : lane_access::strided;
    if (r.inner != lane_access::repeated) {
      const index_t vectors = (o.shifts[inner] + vector - 1) / vector;
      r.ahead = static_cast<std::uint8_t>(vectors * vector - o.shifts[inner]);
      roll_by(vectors * vector, inner);
      if (r.ahead > 0) r.next_shift = number_of_shift(j, plan, (vectors - 1) * vector, inner);
    }
    const auto is_source = [&](std::size_t other) {
      return plan.access[other] != lane_access::counted && j.operands[other].data == o.data &&
             j.operands[other].itemsize == o.itemsize &&
             std::equal(o.strides, o.strides + j.rank, j.operands[other].strides);
    };
    r.source = 1;
    while (!is_source(r.source)) ++r.source;
  }
  if (plan.shifts == 0) j.kernel_shifts[plan.shifts++] = 0;  // every vector begins in the first one of its row
}

/// Do blocks take patches of rows above each other? They do in large arrays whose rows are combined with other
/// rows, if most threads of a patch have a vector. (A step of heat on 8192 x 8192 floats takes an H200
/// 0.150 ms with blocks along rows, which bring each row three times from the second-level cache.)
GNP_INLINE bool takes_patches(const job& j, const kernel_plan& plan) {
  constexpr index_t many_vectors = 1 << 19;
  if (j.rank < 2 || plan.items > 1 || j.operands[0].itemsize < 4 || j.count / plan.vector < many_vectors)
    return false;
  const int inner = j.rank - 1;
  const index_t length = j.shape[inner] / plan.vector;
  const index_t patch = (length + 31) / 32 * 32;
  if (8 * length < 7 * patch || j.count / j.shape[inner] < 8) return false;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (plan.access[slot] != lane_access::rolled) continue;
    for (std::size_t other = 1; other < plan.slots; ++other) {
      const job_operand& beside = j.operands[other];
      if (beside.data != o.data || plan.access[other] == lane_access::counted) continue;
      for (int d = 0; d < inner; ++d) {
        if (o.shifts[d] != (beside.shifts == nullptr ? 0 : beside.shifts[d])) return true;
      }
    }
  }
  return false;
}

/// Plans an elementwise job, some of whose operands are rolled, as one kernel.
GNP_INLINE kernel_plan make_rolled_plan(job& j) {
  kernel_plan plan;
  merge_equal_inputs(j, plan);
  plan.rank = static_cast<std::uint8_t>(j.rank);
  const element_sizes sizes = choose_access(j, plan);
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (j.operands[slot].shifts != nullptr) plan.access[slot] = lane_access::rolled;
  }
  const auto fits = [&](int v) {
    if (j.shape[j.rank - 1] % v != 0) return false;
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      if (plan.access[slot] == lane_access::rolled && !rolls_in_vectors(j, j.operands[slot], v)) return false;
    }
    return plan.access[0] == lane_access::run;
  };
  int vector = longest_that_fits(j, plan, sizes.widest, longest_vector(j, sizes));
  while (vector > 1 && !fits(vector)) vector /= 2;
  plan.vector = static_cast<std::uint8_t>(vector);
  take_unaligned_pairs_apart(j, plan);
  constexpr index_t many = 1 << 19;
  plan.items = vector == 1 && j.count >= many ? 4 : 1;
  plan.in_patches = takes_patches(j, plan);
  plan_rolled_slots(j, plan);
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail
