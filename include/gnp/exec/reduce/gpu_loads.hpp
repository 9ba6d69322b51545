// SPDX-License-Identifier: MIT
// What a thread of a reduction loads: the slots of the inputs, and how each is accessed.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/elementwise/plan_access.hpp>
#include <gnp/exec/elementwise/unaligned_runs.hpp>
#include <gnp/exec/reduce/gpu_tiles.hpp>
#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/reduce_source.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The sources of the elements of a reduction, or of several reductions in one kernel.
GNP_INLINE std::vector<const node_source*> sources_of_values(const reduction_code& code) {
  if (code.parts == nullptr) return {code.values->source};
  std::vector<const node_source*> sources;
  for (int k = 0; k < code.part_count; ++k) sources.push_back(code.parts[k]->values->source);
  return sources;
}

/// Does a slot move along the axes that are kept, and not along those that are reduced, like the means in
/// sum(square(x - m), 0)? What is computed from such slots alone is then computed once for a thread.
GNP_INLINE bool some_stay(const reduction& r, const kernel_plan& plan) {
  const job& j = r.values;
  const bool by_rows = r.along == reduced_along::rows;
  const int first_kept = by_rows ? 0 : j.rank - r.kept;
  const auto moves = [](const job_operand& o, int from, int to) {
    return std::any_of(o.strides + from, o.strides + to, [](index_t stride) { return stride != 0; });
  };
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = j.operands[slot];
    if (o.block == nullptr || o.table || !moves(o, first_kept, first_kept + r.kept)) continue;
    if (!(by_rows ? moves(o, r.kept, j.rank) : moves(o, 0, first_kept))) return true;
  }
  return false;
}

/// Several reductions may contain the same parts, such as the rows that they choose from a table, or a function
/// of the elements. These are loaded and computed once if the numbers in them are noted as equal. Finding them
/// takes a few microseconds.
GNP_INLINE void note_common_parts(const reduction& r, kernel_plan& plan) {
  constexpr index_t enough_elements = 1 << 18;
  const job& j = r.values;
  if (r.code->parts == nullptr || j.code->constants < 2) return;
  if (j.count < enough_elements && !reads_tables(j, plan)) return;
  const std::vector<const node_source*> sources = sources_of_values(*r.code);
  note_equal_numbers(j, find_alike_parts(sources.data(), r.code->part_count), plan, r.loops.slot_of_number);
}

/// Plans for rows that are no whole number of vectors long, and for runs that are not aligned, as in
/// sum(abs(diff(x))). If a result is made of several rows, the elements left at the end of each are taken
/// one by one after all whole vectors. Rows have to be long enough for that. Formulas that are stored beside
/// the reduction are stored in whole vectors.
template <class Allowed>
void plan_unaligned_rows(const reduction& r, kernel_plan& plan, const Allowed& allowed) {
  constexpr index_t long_row = 32;  // vectors
  const job& j = r.values;
  const index_t inner = j.shape[j.rank - 1];
  const bool by_rows = r.along == reduced_along::rows;
  const bool alone = (by_rows ? j.rank - r.kept : r.kept) == 1;
  const auto fits = [&](int vector) {
    const bool whole = inner % vector == 0;
    const bool has_rest = alone || (by_rows && inner >= long_row * vector);
    return allowed(vector) && inner >= vector && (whole || (has_rest && plan.stored == 0));
  };
  plan_unaligned_runs(j, plan, by_rows && j.rank == 1, fits);
  plan.ragged = !alone && inner % plan.vector != 0;
  check_pairs(j, plan, 1);
}

/// Plans the elements that only some of several reductions have.
GNP_INLINE void plan_overhangs(const reduction& r, kernel_plan& plan) {
  job whole = r.values;
  for (std::size_t d = 0; d < plan.rank; ++d) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(r.code->part_count); ++k) {
      const std::uint64_t extent = r.overhangs->extent[k][d];
      if (extent > r.overhangs->common[d]) plan.overhangs |= static_cast<std::uint8_t>(1u << k);
      whole.shape[d] = (std::max)(whole.shape[d], static_cast<index_t>(extent));
    }
  }
  for (std::size_t slot = 1; slot < plan.slots; ++slot)
    plan.wide = plan.wide || reaches_far(whole, whole.operands[slot]);
}

/// Plans the inputs' slots, how each is accessed, and how many elements a thread loads at once.
GNP_INLINE kernel_plan plan_loads(reduction& r) {
  job& j = r.values;
  kernel_plan plan;
  const job_operand positions = j.operands[j.operand_count()];
  merge_equal_inputs(j, plan);
  if (r.code->indexed) {
    plan.slot_of[plan.inputs] = plan.slots;
    j.operands[plan.slots++] = positions;
  }
  const bool by_rows = r.along == reduced_along::rows;
  plan.shape = by_rows ? kernel_shape::reduce_rows : kernel_shape::reduce_columns;
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.kept = static_cast<std::uint8_t>(r.kept);
  plan.steps = r.steps;
  plan.stored = static_cast<std::uint8_t>(r.code->stored_parts);
  if (r.loops.lengths == 0) note_equal_numbers(j, plan);
  note_equal_numbers(j, r.loops, plan);
  note_divisors(j, plan, r.loops.slot_of_number);
  note_common_parts(r, plan);
  if (r.code->parts == nullptr && (r.reads_little || r.loops.slot_of_number != nullptr))
    note_ones(j, plan, r.loops.slot_of_number);
  if (is_by_tiles(r)) {
    plan_tiles(j, plan);
    return plan;
  }
  plan_loops(j, r.loops, plan);
  if (r.reads_little) {
    plan.reads_little = true;
    mark_moves(j, plan);
  } else if (r.loops.lengths == 0 && !j.rolls && some_stay(r, plan)) {
    plan.some_stay = true;
    mark_moves(j, plan);
  }

  // Along columns, the states of a block, one for each element of its threads, share its fastest memory.
  // Variances of formulas of several arrays also need registers, so that less is left for states.
  const int most_bytes = (r.code->around_mean != nullptr && plan.slots > 2 ? 16 : 32) * 1024;
  // If a thread made two adjacent stores, each instruction would write only half of every 32-byte sector.
  int widest_store = 1;
  for (int k = 0; k < plan.stored; ++k)
    widest_store = (std::max)(widest_store, j.operands[slot_of_stored(plan, k)].itemsize);
  const auto allowed = [&r, by_rows, most_bytes, widest_store](int v) {
    return v * widest_store <= 16 && (by_rows || threads_per_block * v * r.code->state_size <= most_bytes);
  };
  plan_access(j, plan, 1, (by_rows ? j.rank - r.kept : r.kept) == 1, allowed);
  const bool by_vectors = r.loops.lengths == 0 && !j.rolls;
  if (by_vectors && !reads_tables(j, plan)) plan_unaligned_rows(r, plan, allowed);
  if (by_vectors && reads_tables(j, plan)) {
    plan_gathered_runs(j, sources_of_values(*r.code), plan, 1, allowed);
  }
  if (j.rolls) plan_rolled_slots(j, plan);
  if (r.overhangs != nullptr) plan_overhangs(r, plan);
  // Results along a short axis, such as coordinates, belong to one thread, because what loops compute is the
  // same for all of them.
  const index_t inner = j.shape[j.rank - 1];
  if (plan.loops.any() && !by_rows && r.kept > 1 && inner >= 2 && inner <= 4 &&
      allowed(static_cast<int>(inner))) {
    plan.vector = static_cast<std::uint8_t>(inner);
    for (int slot = 1; slot < plan.slots; ++slot) {
      lane_access& access = plan.access[static_cast<std::size_t>(slot)];
      if (access == lane_access::run) access = lane_access::neighbours;
      if (access == lane_access::every_other) access = lane_access::strided;
    }
  }
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
