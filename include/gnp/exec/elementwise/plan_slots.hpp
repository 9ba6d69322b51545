// SPDX-License-Identifier: MIT
// The slots of a GPU kernel: inputs with the same elements share one. Each slot has an address, strides, and in
// the loops of a thread also the slot whose places include its own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <gnp/exec/elementwise/kernel_plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Do offsets to an operand's elements need 64 bits? A table may be read anywhere within its reach.
GNP_INLINE bool reaches_far(const job& j, const job_operand& o) {
  const element_span span = o.table ? o.reach : span_of(j.rank, j.shape, o.strides);
  return span.last - span.first > 0x7fff0000;
}

/// Are these the same elements? Tables have strides of 0, so for them the elements that may be read are
/// compared.
GNP_INLINE bool same_elements(const job& j, const job_operand& a, const job_operand& b) {
  if (a.table != b.table || (a.table && (a.reach.first != b.reach.first || a.reach.last != b.reach.last)))
    return false;
  if ((a.shifts == nullptr) != (b.shifts == nullptr) ||
      (a.shifts != nullptr && !std::equal(a.shifts, a.shifts + j.rank, b.shifts)))
    return false;
  return a.data == b.data && (a.block == nullptr) == (b.block == nullptr) && a.in_loop == b.in_loop &&
         std::equal(a.strides, a.strides + j.rank, b.strides);
}

/// Gives inputs with the same memory and layout a common slot, and moves the slots' operands to the front.
GNP_INLINE void merge_equal_inputs(job& j, kernel_plan& plan) {
  plan.slots = 1;
  plan.inputs = static_cast<std::uint8_t>(j.code->inputs);
  std::array<dtype, most_operands> types;
  for (int i = 0; i < j.code->inputs; ++i) {
    const job_operand& o = j.operands[i + 1];
    const dtype type = j.code->input_types[i];
    std::uint8_t slot = 1;
    for (; slot < plan.slots; ++slot) {
      if (types[slot] == type && same_elements(j, j.operands[slot], o)) break;
    }
    plan.slot_of[static_cast<std::size_t>(i)] = slot;
    if (slot < plan.slots) continue;
    types[slot] = type;
    if (slot != i + 1) j.operands[slot] = o;
    ++plan.slots;
  }
}

/// What is known of the loops that read a job's inputs.
struct loop_facts : thread_loops {
  // For each input: how many consecutive elements of it a loop takes, if the loop is in no other loop;
  // otherwise 0.
  std::array<std::uint8_t, most_operands> taken_in_line{};
  const std::uint8_t* slot_of_number = nullptr;  // in the launch, where loops have numbers, too
};

/// Are all elements of one operand among those of another, with the same steps from the same first element?
GNP_INLINE bool is_within(const job& j, const job_operand& o, const job_operand& wide) {
  if (o.block == nullptr || o.block != wide.block || o.data != wide.data || o.itemsize != wide.itemsize)
    return false;
  for (int d = 0; d < j.rank; ++d) {
    if (o.strides[d] != 0 && o.strides[d] != wide.strides[d]) return false;
  }
  return true;
}

/// Notes along which axes each slot moves.
GNP_INLINE void mark_moves(const job& j, kernel_plan& plan) {
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    plan.moves[slot] = 0;
    for (int d = 0; d < j.rank; ++d) {
      if (j.operands[slot].strides[d] != 0) plan.moves[slot] |= static_cast<std::uint16_t>(1u << d);
    }
  }
}

/// Notes for the loops of a thread along which axes each slot moves, and which slot's places include its own:
/// then the text has one address for both, and the compiler makes one load.
GNP_INLINE void plan_loops(const job& j, const loop_facts& loops, kernel_plan& plan) {
  plan.loops = loops;
  if (!loops.any()) return;
  mark_moves(j, plan);
  for (std::size_t slot = 0; slot < plan.slots; ++slot) {
    std::size_t widest = slot;
    for (std::size_t other = 1; other < plan.slots && slot > 0; ++other) {
      const bool more = std::popcount(plan.moves[other]) > std::popcount(plan.moves[widest]);
      const bool first = plan.moves[other] == plan.moves[widest] && other < widest;
      if ((more || first) && is_within(j, j.operands[slot], j.operands[other])) widest = other;
    }
    plan.in_loops[slot] = {.within = static_cast<std::uint8_t>(widest), .in_line = 0};
  }
}

}}}  // namespace gnp::GNP_ABI::detail
