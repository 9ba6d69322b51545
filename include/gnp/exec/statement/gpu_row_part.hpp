// SPDX-License-Identifier: MIT
// A part of a statement that is a row program, although the whole statement is not: a cross entropy is the mean
// of what a row program computes for each row. Its kernel stores what the rest of the statement needs of each
// row.
#pragma once

#include <gnp/exec/statement/gpu_rows.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/memory/bad_index.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A reduction of a statement, with the reductions inside it, as a separate statement.
struct row_part {
  statement steps;
  std::vector<std::size_t> numbers;  // of these steps in the whole statement; the reduction is the last
  std::uint8_t stored = 0;           // a bit for each other step that is read outside
};

/// Is a step's result needed outside a part: by other steps, or as a result of the statement?
GNP_INLINE bool is_read_outside(const statement& s, std::size_t step, const std::vector<int>& number_in_part) {
  if (s.steps[step].is_result) return true;
  for (std::size_t i = step + 1; i < s.steps.size(); ++i) {
    if (i < number_in_part.size() && number_in_part[i] >= 0) continue;
    for (const step_input& input : s.steps[i].inputs) {
      if (input.step == static_cast<int>(step)) return true;
    }
  }
  return false;
}

GNP_INLINE row_part part_of(const statement& s, std::size_t step) {
  const statement_step& last = s.steps[step];
  row_part part;
  std::vector<int> number_in_part(step + 1, -1);
  for (const int within : last.reductions_within.of(s.reductions))
    number_in_part[static_cast<std::size_t>(within)] = 0;
  for (std::size_t i = 0; i <= step; ++i) {
    if (number_in_part[i] < 0) continue;
    number_in_part[i] = static_cast<int>(part.numbers.size());
    part.numbers.push_back(i);
    statement_step& copy = part.steps.steps.emplace_back(s.steps[i]);
    for (step_input& input : copy.inputs) {
      if (input.step >= 0) input.step = number_in_part[static_cast<std::size_t>(input.step)];
    }
  }
  for (const int within : last.reductions_within.of(s.reductions))
    part.steps.reductions.push_back(number_in_part[static_cast<std::size_t>(within)]);
  const auto from_here = [&](statement_loop& at) {
    const int parent = at.parent - static_cast<int>(last.loops_within.begin);
    at.parent = parent < 0 ? -1 : parent;
    at.numbers_before -= last.numbers_within.begin;
  };
  part.steps.loops = last.loops_within.of(s.loops);
  for (statement_loop& loop : part.steps.loops) {
    loop.step = number_in_part[static_cast<std::size_t>(loop.step)];
    from_here(loop);
  }
  part.steps.leaves = last.leaves_within.of(s.leaves);
  part.steps.loop_of_leaf = last.leaves_within.of(s.loop_of_leaf);
  for (statement_loop& leaf : part.steps.loop_of_leaf) from_here(leaf);
  part.steps.read_by_last.resize(part.steps.leaves.size());
  part.steps.numbers = last.numbers_within.of(s.numbers);
  part.steps.one_text = s.one_text;
  for (std::size_t k = 0; k + 1 < part.numbers.size() && k < 8; ++k) {
    if (is_read_outside(s, part.numbers[k], number_in_part)) part.stored |= static_cast<std::uint8_t>(1U << k);
  }
  return part;
}

/// The longest such part that begins with step `first`, and of which nothing has been computed yet.
GNP_INLINE std::optional<row_part> row_part_from(const statement& s, std::size_t first,
                                                 const step_results& results) {
  for (std::size_t last = s.steps.size(); --last > first;) {
    const statement_step& step = s.steps[last];
    if (!s.one_text || step.reducer == nullptr || results.has(last) ||
        !step.reductions_within.has(s.reductions, static_cast<int>(first)))
      continue;
    row_part part = part_of(s, last);
    row_space rows;
    if (part.numbers.front() == first && find_rows(part.steps, rows) && rows_are_apart(part.steps, rows) &&
        std::none_of(part.numbers.begin(), part.numbers.end(), [&](std::size_t i) { return results.has(i); }))
      return part;
  }
  return std::nullopt;
}

/// The kernel of such a part; nothing if its rows are too long.
GNP_INLINE std::optional<row_job> plan_part(const row_part& part, const leaf_view& destination,
                                            row_hardware hardware) {
  std::optional<row_job> planned = plan_rows(part.steps, *part.steps.steps.back().text, destination, hardware);
  if (planned) planned->plan.rows.stored_steps = part.stored;
  return planned;
}

/// Computes the results of step `first` and of the steps that need it in one kernel, if they are a row program.
GNP_INLINE bool run_row_part_on_gpu(const statement& s, std::size_t first, step_results& results,
                                    device where) {
  const std::optional<row_part> part = row_part_from(s, first, results);
  if (!part) return false;
  const statement_step& last = part->steps.steps.back();
  const leaf_view destination = results.make(part->numbers.back(), s.steps[part->numbers.back()], where);
  const std::optional<row_job> planned =
      plan_part(*part, destination, row_hardware_of(activate(where.ordinal())));
  if (!planned) {
    results.drop(part->numbers.back());
    return false;
  }
  leaf_view others[8] = {};
  for (std::size_t k = 0; k + 1 < part->numbers.size(); ++k) {
    const std::size_t number = part->numbers[k];
    if ((part->stored >> k & 1) != 0) {
      others[k] = results.make(number, s.steps[number], where);
    } else {
      results.assume(number, s.steps[number]);
    }
  }
  const watched_work watched(where, [&] { return facts_of(part->steps, *last.text, destination); });
  launch_rows(*planned, others);
  check_sent_indices(where);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
