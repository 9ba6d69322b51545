// SPDX-License-Identifier: MIT
// Which statements are a row program, and how one runs on a GPU: all of its steps in one kernel.
#pragma once

#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/statement/row_space.hpp>
#include <gnp/exec/statement/statement_facts.hpp>
#include <gnp/exec/text/row_program_source.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A row program ready to run.
struct row_job {
  row_program program;
  job elements;  // all of them; where there is one result for each row, the destination does not move along it
  std::vector<job_operand> operands;
  kernel_plan plan;
  row_arguments arguments;
};

/// Registers of a thread for the elements of its row, in bytes.
inline constexpr std::uint64_t row_register_bytes = 256;

/// How many threads share a row and how many vectors each takes; false where a row is more than a block can
/// hold.
GNP_INLINE bool plan_row_groups(row_job& r, int multiprocessors) {
  kernel_plan& plan = r.plan;
  // An element's bytes: of each input that a row has for itself, and what is computed of them.
  std::size_t bytes = (std::max)(std::size_t{4}, itemsize(r.program.text->result));
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const job_operand& o = r.operands[slot];
    const bool same = slot < 64 && (plan.same_rows >> slot & 1) != 0;
    if (o.block == nullptr || plan.access[slot] == lane_access::repeated || same) continue;
    bytes += static_cast<std::size_t>((std::max)(4, o.itemsize));
  }
  const std::uint64_t rows = r.arguments.rows;
  const std::uint64_t length = r.arguments.length;
  const std::uint64_t most = std::clamp<std::uint64_t>(row_register_bytes / (plan.vector * bytes), 1, 16);
  std::uint64_t group = power_of_two(divided_up(length, most));
  // Threads side by side read whole cache lines; a short row of single elements is a thread's.
  if (plan.vector > 1 || length > 12)
    group = (std::max)(group, (std::min)(power_of_two(length), std::uint64_t{8}));
  // Few rows are shared by more threads, so that the GPU is full.
  const auto wanted = static_cast<std::uint64_t>(multiprocessors) * 1024;
  while (rows * group < wanted && group < 1024 && group < length) group *= 2;
  const std::uint64_t items = divided_up(length, group);
  // No more warps than the row needs.
  if (group > 32) group = divided_up(divided_up(length, items), 32) * 32;
  if (group > 1024) return false;
  plan.group = static_cast<std::uint16_t>(group);
  plan.items = static_cast<std::uint8_t>(items);
  plan.threads = static_cast<std::uint16_t>(group * (std::max)(threads_per_block / group, std::uint64_t{1}));
  plan.whole_rows = length == group * plan.items;
  return true;
}

/// The operands of a row program, over the elements of its rows; false where the destination overlaps what
/// others still read.
GNP_INLINE bool lay_out(row_job& r, const statement& s, const row_space& rows, const leaf_view& destination) {
  const statement_step& last = s.steps.back();
  const bool per_row = last.reducer != nullptr || !(last.shape == *rows.shape);
  r.plan.per_row = per_row;
  r.operands.resize(s.leaves.size() + 2);
  job& j = r.elements;
  j.code = r.program.text;
  j.operands = r.operands.data();
  j.constants = bytes_of(s.numbers);
  j.where = destination.block->device;
  j.rank = rows.rank();
  j.count = element_count(*rows.shape, "reduce");
  std::copy(rows.shape->begin(), rows.shape->end(), j.shape);
  const auto place = [&](job_operand& o, const leaf_view& leaf, bool one_a_row) {
    if (one_a_row) {
      set_memory(o, leaf);
      set_row_strides(o, leaf, last.result, rows);
    } else {
      set_operand(o, leaf, *rows.shape);
    }
  };
  place(r.operands[0], destination, per_row);
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    place(r.operands[i + 1], s.leaves[i], per_row && s.read_by_last[i]);
  }
  job_operand& positions = r.operands.back();
  positions.itemsize = sizeof(std::int64_t);
  index_t step = 1;
  for (int d = j.rank - 1; d >= 0; --d) {
    positions.strides[d] = rows.axes->chosen[d] ? step : 0;
    if (rows.axes->chosen[d]) step *= j.shape[d];
  }
  return !destination_overlaps_input(j);
}

/// The statement as one kernel; nothing where it is no row program, or its rows are too long.
GNP_INLINE std::optional<row_job> plan_rows(const statement& s, const program& text,
                                            const leaf_view& destination, int multiprocessors) {
  row_space rows;
  if (!s.one_text || s.reductions.size() > 15 || s.steps.size() > static_cast<std::size_t>(most_row_steps) ||
      !fits_in_a_kernel(s.leaves.size(), s.numbers.size(), s.steps.back().shape.rank()) ||
      !(*destination.shape == s.steps.back().result) || !find_rows(s, rows) || !rows_are_apart(s, rows))
    return std::nullopt;
  std::optional<row_job> made(std::in_place);
  row_job& r = *made;
  r.program = {&text, text.kernels, false};
  for (const statement_step& step : s.steps) {
    r.program.indexed = r.program.indexed || (step.reducer != nullptr && step.reducer->indexed);
  }
  if (!lay_out(r, s, rows, destination)) return std::nullopt;

  job& j = r.elements;
  kernel_plan& plan = r.plan;
  int kept = 0;
  const int operands = j.operand_count() + (r.program.indexed ? 1 : 0);
  if (collapse(j, operands, rows.axes->chosen, kept) != reduced_along::rows) return std::nullopt;
  const job_operand positions = r.operands.back();
  merge_equal_inputs(j, plan);
  if (r.program.indexed) {
    plan.slot_of[plan.inputs] = plan.slots;
    r.operands[plan.slots++] = positions;
  }
  plan.shape = kernel_shape::row_program;
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.kept = static_cast<std::uint8_t>(kept);
  for (int slot = 1; slot < plan.slots; ++slot) {
    const bool same = kept > 0 && std::all_of(j.operands[slot].strides, j.operands[slot].strides + kept,
                                              [](index_t stride) { return stride == 0; });
    if (same && j.operands[slot].block != nullptr && slot < 64) plan.same_rows |= std::uint64_t{1} << slot;
  }
  for (std::size_t i = 0; i < s.reductions.size(); ++i) {
    plan.steps |= static_cast<std::uint64_t>(s.reductions[i]) << (4 * i);
  }
  plan_access(j, plan, plan.per_row ? 1 : 0, false, [](int) { return true; });

  row_arguments& a = r.arguments;
  for (int d = 0; d < kept; ++d) a.rows *= static_cast<std::uint64_t>(j.shape[d]);
  a.length = static_cast<std::uint64_t>(j.count) / a.rows / plan.vector;
  for (std::size_t k = 0; k < s.steps.size(); ++k) a.parameter[k] = s.steps[k].options.parameter;
  if (!plan_row_groups(r, multiprocessors)) return std::nullopt;
  return made;
}

/// Runs the statement in one kernel, where it is a row program.
GNP_INLINE bool run_rows_on_gpu(const statement& s, const program& text, const leaf_view& destination) {
  const device where = destination.block->device;
  const std::optional<row_job> found =
      plan_rows(s, text, destination, activate(where.ordinal()).multiprocessors);
  if (!found) return false;
  const watched_work watched(where, [&] { return facts_of(s, text, destination); });
  const submission work(where);
  const row_job& r = *found;
  const gpu_kernel& kernel = kernel_of(r.program, r.plan, work.device());
  use_slots(work, r.elements, r.plan);
  argument_block layout;
  add_layout(layout, r.elements, r.plan, 0);
  row_arguments arguments = r.arguments;
  void* parameters[] = {layout.data(), &arguments};
  const std::uint64_t blocks = divided_up(arguments.rows, r.plan.threads / r.plan.group);
  work.launch(kernel.function, {.blocks = blocks, .threads = r.plan.threads, .early = true}, parameters);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
