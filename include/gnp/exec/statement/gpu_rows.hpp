// SPDX-License-Identifier: MIT
// Which statements are row programs, and how a row program runs on a GPU: all of its steps in one kernel.
#pragma once

#include <gnp/core/whole_numbers.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/statement/column_groups.hpp>
#include <gnp/exec/statement/row_space.hpp>
#include <gnp/exec/statement/statement_facts.hpp>
#include <gnp/exec/text/row_program_source.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A row program ready to run.
struct row_job {
  row_program program;
  job elements;  // over all elements; if there is one result for each row, the destination has stride 0 along
                 // the row
  std::vector<job_operand> operands;
  kernel_plan plan;
  row_arguments arguments;
  // Of a row program with one result for each row: where the first row's is. If rows are walked backwards, it
  // is the last one in memory.
  std::ptrdiff_t first_result = 0;
  first_parts parts;
};

/// Lays out the operands of a row program over the elements of its rows; false if the destination overlaps
/// memory that other threads may still read.
GNP_INLINE bool lay_out(row_job& r, const statement& s, const row_space& rows, const leaf_view& destination) {
  const statement_step& last = s.steps.back();
  const bool per_row = last.reducer != nullptr || !(last.shape == *rows.shape);
  r.plan.rows.per_row = per_row;
  r.operands.resize(s.leaves.size() + 2 + (also_stores_reductions(r.plan) ? 1 : 0));
  job& j = r.elements;
  j.code = r.program.text;
  j.operands = r.operands.data();
  j.constants = bytes_of(s.numbers);
  j.where = destination.block->device;
  j.rank = rows.rank();
  j.count = element_count(*rows.shape, "reduce");
  std::copy(rows.shape->begin(), rows.shape->end(), j.shape);
  const auto shape_of = [&](bool one_a_row) { return one_a_row ? &last.result : nullptr; };
  place_in_rows(r.operands[0], destination, rows, shape_of(per_row));
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    place_in_rows(r.operands[i + 1], s.leaves[i], rows, shape_of(per_row && s.read_by_last[i]));
  }
  const auto count_along = [&](job_operand& o, bool reduced) {
    o.itemsize = sizeof(std::int64_t);
    index_t step = 1;
    for (int d = j.rank - 1; d >= 0; --d) {
      o.strides[d] = rows.axes->chosen[d] == reduced ? step : 0;
      if (rows.axes->chosen[d] == reduced) step *= j.shape[d];
    }
  };
  count_along(r.operands.back(), true);  // positions
  if (also_stores_reductions(r.plan)) count_along(r.operands[s.leaves.size() + 1], false);
  return !destination_overlaps_input(j);
}

/// Does a reduction read the result of another one?
GNP_INLINE bool reductions_need_each_other(const statement& s) {
  const auto needs_another = [](const statement_step& step) {
    return step.reducer != nullptr && std::any_of(step.inputs.begin(), step.inputs.end(),
                                                  [](const step_input& input) { return input.step >= 0; });
  };
  return std::any_of(s.steps.begin(), s.steps.end(), needs_another);
}

/// Notes which slots are the same for all rows, and which for all elements of a row.
GNP_INLINE void mark_what_is_same(const job& j, kernel_plan& plan) {
  const int kept_from = plan.rows.by_columns ? j.rank - plan.kept : 0;
  const int kept_to = kept_from + plan.kept;
  for (int slot = 1; slot < plan.slots && slot < 64; ++slot) {
    const job_operand& o = j.operands[slot];
    bool same_rows = plan.kept > 0 && o.block != nullptr;
    bool same_elements = o.block != nullptr;
    for (int d = 0; d < j.rank; ++d) {
      const bool kept = d >= kept_from && d < kept_to;
      if (o.strides[d] != 0) (kept ? same_rows : same_elements) = false;
    }
    if (same_rows) plan.rows.same_rows |= std::uint64_t{1} << slot;
    if (same_elements) plan.rows.same_elements |= std::uint64_t{1} << slot;
  }
}

/// The rows that the blocks of a cluster take.
GNP_INLINE std::uint64_t rows_of_cluster(const kernel_plan& plan) {
  return std::uint64_t{plan.rows.cluster} * plan.threads / plan.group * plan.rows_each;
}

/// Threads past the last row read the first row and discard their results. But they check the indices that they
/// read, and if the statement works in place, results may already be there instead of indices.
GNP_INLINE bool last_threads_may_read_results(const row_job& r) {
  const job& j = r.elements;
  if (r.arguments.rows % rows_of_cluster(r.plan) == 0 || !reads_tables(j, r.plan)) return false;
  return std::any_of(j.operands + 1, j.operands + r.plan.slots,
                     [&j](const job_operand& o) { return o.block == j.operands[0].block; });
}

/// Are all reductions of a statement along the same rows, and does everything fit in one kernel?
GNP_INLINE bool could_be_row_program(const statement& s, const leaf_view& destination, bool also_stores,
                                     row_space& rows) {
  return s.one_text && s.reductions.size() <= most_row_reductions &&
         s.steps.size() <= static_cast<std::size_t>(most_row_steps) &&
         fits_in_a_kernel(s.leaves.size() + (also_stores ? 1 : 0), s.numbers.size(),
                          s.steps.back().shape.rank()) &&
         *destination.shape == s.steps.back().result && find_rows(s, rows) && rows_are_apart(s, rows);
}

/// Collapses a row program's axes, and counts its rows and their elements.
GNP_INLINE void collapse(row_job& r, const bool* reduced) {
  job& j = r.elements;
  kernel_plan& plan = r.plan;
  int kept = 0;
  const int operands = j.operand_count() + (also_stores_reductions(plan) ? 1 : 0) + (r.program.indexed ? 1 : 0);
  plan.rows.by_columns = collapse(j, operands, reduced, kept) == reduced_along::columns;
  plan.rank = static_cast<std::uint8_t>(j.rank);
  plan.kept = static_cast<std::uint8_t>(kept);
  const int first_kept = plan.rows.by_columns ? j.rank - kept : 0;
  for (int d = first_kept; d < first_kept + kept; ++d)
    r.arguments.rows *= static_cast<std::uint64_t>(j.shape[d]);
  r.arguments.length = static_cast<std::uint64_t>(j.count) / r.arguments.rows;
}

/// Gives slots to a row program's inputs, to the numbers of its rows and to positions.
GNP_INLINE void plan_slots(row_job& r, std::size_t leaves) {
  kernel_plan& plan = r.plan;
  const job_operand positions = r.operands.back();
  const job_operand places = r.operands[leaves + 1];
  merge_equal_inputs(r.elements, plan);
  note_equal_numbers(r.elements, plan);
  note_divisors(r.elements, plan);
  if (also_stores_reductions(plan)) r.operands[plan.slots++] = places;
  if (r.program.indexed) {
    plan.slot_of[plan.inputs] = plan.slots;
    r.operands[plan.slots++] = positions;
  }
}

/// Decides how many elements a thread reads and writes at a time.
GNP_INLINE void plan_vectors(row_job& r) {
  job& j = r.elements;
  kernel_plan& plan = r.plan;
  const std::uint64_t length = r.arguments.length;
  const int first = plan.rows.per_row ? 1 : 0;
  // A thread takes several adjacent short columns if they need no more than half of its registers.
  plan_access(j, plan, first, false, [&](int v) {
    const auto columns = static_cast<std::uint64_t>(v);
    if (!plan.rows.by_columns) return true;
    if (!columns_fit_a_thread(j, plan, length, 1)) return suits_adjacent_columns(j, plan, columns);
    return columns_fit_a_thread(j, plan, length, 2 * columns);
  });
  // A thread loads its elements of a table's row together. (If it made two adjacent stores, each instruction
  // would write only half of every 32-byte sector.)
  if (!plan.rows.by_columns && reads_tables(j, plan)) {
    const int widest_store = first == 0 ? 16 / j.operands[0].itemsize : 16;
    plan_gathered_runs(j, {&j.code->source, 1}, plan, first, [&](int v) { return v <= widest_store; });
  }
  (plan.rows.by_columns ? r.arguments.rows : r.arguments.length) /= plan.vector;
}

/// Divides the rows among threads. False if they are too long.
GNP_INLINE bool divide_rows(row_job& r, const statement& s, row_hardware hardware) {
  column_reductions reductions;
  for (std::size_t k = 0; k < s.steps.size(); ++k) {
    r.arguments.parameter[k] = s.steps[k].options.parameter;
    if (s.steps[k].reducer == nullptr) continue;
    const auto bytes = static_cast<std::uint64_t>(whole_words(s.steps[k].reducer->state_size));
    ++reductions.count;
    reductions.state_bytes = (std::max)(reductions.state_bytes, bytes);
  }
  if (r.plan.rows.by_columns) return plan_column_groups(r.elements, r.plan, r.arguments, hardware, reductions);
  const bool fits = plan_row_groups(r.elements, r.plan, r.arguments, hardware);
  if (r.plan.rows.ends_apart)
    r.arguments.length = static_cast<std::uint64_t>(r.elements.shape[r.elements.rank - 1]);
  return fits;
}

/// The longest columns for which reductions that do not need each other's results, and elements computed from
/// them, are faster in this kernel than in two passes. (On an H200, (x - mean(x, 0)) / std(x, 0) of 8192 x 8192
/// floats takes 0.183 ms in this kernel and 0.206 in two passes, of 32768 x 2048 0.235 and 0.208.)
GNP_INLINE std::uint64_t longest_column(dtype result, std::size_t reductions, row_hardware hardware) {
  const std::size_t size = itemsize(result);
  if (hardware.most_in_cluster < 16) return size <= 4 ? 8192 : 1024;
  if (reductions == 1) return size >= 4 ? 16384 : 8192;
  return size == 4 ? 8192 : 4096;
}

/// The statement as one kernel; nothing if it is not a row program or its rows are too long. `stored_steps` has
/// a bit for each reduction whose results are also to be stored, row after row.
GNP_INLINE std::optional<row_job> plan_rows(const statement& s, const expression_code& text,
                                            const leaf_view& destination, row_hardware hardware,
                                            std::uint8_t stored_steps = 0) {
  row_space rows;
  if (!could_be_row_program(s, destination, stored_steps != 0, rows)) return std::nullopt;
  std::optional<row_job> made(std::in_place);
  row_job& r = *made;
  kernel_plan& plan = r.plan;
  r.program = {&text, text.kernels, false};
  plan.rows.stored_steps = stored_steps;
  for (const statement_step& step : s.steps) {
    r.program.indexed = r.program.indexed || (step.reducer != nullptr && step.reducer->indexed);
  }
  if (!lay_out(r, s, rows, destination)) return std::nullopt;
  plan.shape = kernel_shape::row_program;
  const char* const results = r.operands[0].data;
  collapse(r, rows.axes->chosen);
  if (plan.rows.per_row) r.first_result = (r.operands[0].data - results) / r.operands[0].itemsize;
  // Reductions of columns that do not need each other's results need one pass over memory even if steps run
  // separately. This kernel only saves the second pass, for elements that their results are broadcast to.
  const bool saves_a_pass =
      !plan.rows.per_row && r.arguments.length <= longest_column(text.result, s.reductions.size(), hardware);
  if (plan.rows.by_columns && !saves_a_pass && !reductions_need_each_other(s)) return std::nullopt;
  // What moves along none of a row's axes is computed once for each row anyway.
  const int rank = r.elements.rank;
  const axis_range of_a_row{plan.rows.by_columns ? 0 : plan.kept,
                            plan.rows.by_columns ? rank - plan.kept : rank};
  if (text.kernels != nullptr &&
      r.parts.take_from(r.elements, {&text.source, 1}, *text.kernels, of_a_row, false))
    r.program = {r.elements.code, r.elements.code->kernels, r.program.indexed};
  plan_slots(r, s.leaves.size());
  mark_what_is_same(r.elements, plan);
  for (std::size_t i = 0; i < s.reductions.size(); ++i) {
    plan.rows.step_at[i / 16] |= static_cast<std::uint64_t>(s.reductions[i]) << (4 * (i % 16));
  }
  plan_vectors(r);
  // Results of long columns of 16-bit elements are found faster in two or three passes. (On an H200, counts and
  // logsumexps of 8192 columns with as many halves take 0.099 and 0.077 ms in passes, 0.129 and 0.082 in one.)
  if (plan.rows.by_columns && plan.rows.per_row && narrowest_in_vectors(r.elements, plan) == 2 &&
      r.arguments.length > 4096)
    return std::nullopt;
  if (!divide_rows(r, s, hardware) || last_threads_may_read_results(r)) return std::nullopt;
  return made;
}

/// Launches the kernel of a planned row program. `others` says where to store the results of the steps that the
/// plan stores in addition to the kernel's own result, row after row.
GNP_INLINE void launch_rows(const row_job& r, const leaf_view* others = nullptr) {
  r.parts.run_each(run_on_gpu);
  const submission work(r.elements.where);
  const gpu_kernel kernel = kernel_of(r.program, r.plan, work.device());
  use_slots(work, r.elements, r.plan);
  argument_block layout;
  add_layout(layout, r.elements, r.plan, 0);
  row_arguments arguments = r.arguments;
  row_results results;
  for (std::size_t k = 0; k < 8; ++k) {
    if ((r.plan.rows.stored_steps >> k & 1) == 0) continue;
    work.writes(*others[k].block);
    results.of_step[k] = address_of(others[k].data + r.first_result * others[k].itemsize);
  }
  void* parameters[] = {layout.data(), &arguments, &results};
  const std::uint64_t blocks = divided_up(arguments.rows, rows_of_cluster(r.plan)) * r.plan.rows.cluster;
  work.launch(kernel.function,
              {.blocks = blocks, .threads = r.plan.threads, .cluster = r.plan.rows.cluster, .early = true},
              parameters, [&](movable_launch& launch) {
                describe_layout(launch, layout, r.elements, r.plan);
                launch.add(&arguments, sizeof arguments);
                launch.add(&results, sizeof results);
                for (std::size_t k = 0; k < 8; ++k) {
                  if ((r.plan.rows.stored_steps >> k & 1) != 0) launch.has_address(k, others[k].block);
                }
              });
}

/// Runs the statement in one kernel, if it is a row program.
GNP_INLINE bool run_rows_on_gpu(const statement& s, const expression_code& text, const leaf_view& destination) {
  const device where = destination.block->device;
  const std::optional<row_job> found =
      plan_rows(s, text, destination, row_hardware_of(activate(where.ordinal())));
  if (!found) return false;
  const watched_work watched(where, [&] { return facts_of(s, text, destination); });
  launch_rows(*found);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
