// SPDX-License-Identifier: MIT
// Whole rows taken by a gather, as in t(i) of a matrix t: a thread's elements of such a row are consecutive in
// the table. Then the index is checked once for all of them, and they are loaded together, like the elements of
// an array that is not indexed.
#pragma once

#include <bit>
#include <cstring>
#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/expr/scalar/index.hpp>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Are `vector` elements of the table that follow each other along the job's innermost axis also consecutive in
/// memory, and aligned like a vector, whatever the indices are? (In the kernel their places are not negative,
/// and no axis of a table that 32 bits can address is longer than 32 bits can count, unless it is broadcast.)
GNP_INLINE bool gathers_runs_of(const job& j, const kernel_plan& plan, const node_source& gather, int input,
                                int number, int vector) {
  const int inner = j.rank - 1;
  const auto operand = [&](int i) -> const job_operand& {
    return j.operands[plan.slot_of[static_cast<std::size_t>(i)]];
  };
  // (All sizes here are powers of two.)
  const auto multiple = [](std::uint64_t n, int of) { return (n & static_cast<std::uint64_t>(of - 1)) == 0; };
  if (input >= 64 || !multiple(static_cast<std::uint64_t>(j.shape[inner]), vector)) return false;
  const job_operand& table = operand(input);
  const job_operand& offsets = operand(input + 1);
  if (offsets.strides[inner] != 1 || table.reach.first < 0) return false;
  for (int k = 2; k < gather.inputs; ++k) {
    if (operand(input + k).strides[inner] != 0) return false;
  }
  const int width = (std::min)(16, table.itemsize * vector);
  const auto aligned = [&](index_t elements) {
    return multiple(static_cast<std::uint64_t>(elements * table.itemsize), width);
  };
  // (The "data" of offsets is the first offset itself.)
  const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(offsets.data));
  if (!multiple(reinterpret_cast<std::uintptr_t>(table.data), width) || !aligned(first)) return false;
  for (int d = 0; d < inner; ++d) {
    if (!aligned(offsets.strides[d])) return false;
  }
  for (int k = 0; k < gather.indices; ++k) {
    scalar::index_facts facts;
    std::memcpy(&facts, j.constants + static_cast<std::size_t>(number + 2 + 2 * k) * constant_slot,
                sizeof facts);
    if (!aligned(facts.stride) || (!plan.wide && facts.size > 0x7fffffff)) return false;
  }
  return true;
}

/// The tables from which a thread can load `vector` elements together in a kernel of these expressions, as bits
/// of kernel_plan::gathered_runs. The inputs and numbers of all expressions are counted consecutively.
GNP_INLINE std::uint64_t find_gathered_runs(const job& j, const kernel_plan& plan,
                                            std::span<const node_source* const> sources, int vector) {
  std::uint64_t runs = 0;
  int input = 0;
  int number = 0;
  for (const node_source* source : sources) {
    for_each_gather(*source, input, number, [&](const node_source& gather, int first_input, int first_number) {
      if (gathers_runs_of(j, plan, gather, first_input, first_number, vector))
        runs |= std::uint64_t{1} << first_input;
    });
    input += source->inputs;
    number += source->numbers;
  }
  return runs;
}

GNP_INLINE bool reads_tables(const job& j, const kernel_plan& plan) {
  return std::any_of(j.operands + 1, j.operands + plan.slots, [](const job_operand& o) { return o.table; });
}

/// Notes gathered runs in a plan whose vectors are known.
GNP_INLINE void mark_gathered_runs(const job& j, std::span<const node_source* const> sources,
                                   kernel_plan& plan) {
  if (plan.vector == 1 || !reads_tables(j, plan)) return;
  plan.gathered_runs = find_gathered_runs(j, plan, sources, plan.vector);
  if (plan.gathered_runs != 0) mark_moves(j, plan);
}
/// The same for an elementwise job. (The other kernel shapes cannot use such loads: in the flat kernel, the
/// indices change along the only axis, and tiles and shifted rows are for other layouts.)
GNP_INLINE void mark_gathered_runs(const job& j, kernel_plan& plan) {
  if (plan.shape == kernel_shape::elementwise && std::has_single_bit(plan.vector))
    mark_gathered_runs(j, {&j.code->source, 1}, plan);
}

}}}  // namespace gnp::GNP_ABI::detail
