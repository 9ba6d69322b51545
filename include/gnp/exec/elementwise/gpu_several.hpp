// SPDX-License-Identifier: MIT
// Several expressions over the same elements on a GPU, in one kernel.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/elementwise/rolled_plan.hpp>
#include <gnp/exec/elementwise/run_job.hpp>
#include <gnp/exec/elementwise/run_rolled.hpp>
#include <gnp/exec/layout/shared_elements.hpp>
#include <gnp/exec/text/several_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Do the vectors of all results begin at the same elements? (Results of bytes are faster separately, because a
/// shifted kernel then computes four of them at a time.)
GNP_INLINE bool results_lie_alike(const job& j, int results, const kernel_plan& plan) {
  const job_operand& first = j.operands[0];
  const auto place = [&plan](const job_operand& o) {
    return reinterpret_cast<std::uintptr_t>(o.data) % static_cast<std::uintptr_t>(plan.vector * o.itemsize);
  };
  bool alike = first.itemsize > 1;
  for (int k = 1; k < results; ++k) {
    const job_operand& o = j.operands[slot_of_result(plan, k)];
    alike = alike && o.itemsize == first.itemsize && place(o) == place(first) &&
            std::equal(o.strides, o.strides + j.rank, first.strides);
  }
  return alike;
}

/// Plans a kernel that takes vectors along rows. False if it is better to compute each result separately: if
/// inputs are read through tiles, or if rows are not aligned and the vectors of the results do not all begin at
/// the same elements.
GNP_INLINE bool plan_several(job& j, const several_code& code, kernel_plan& plan) {
  const int results = code.results;
  plan = make_plan(j, {}, false, results);
  if (plan.shape == kernel_shape::shifted) return results_lie_alike(j, results, plan);
  if (plan.shape != kernel_shape::flat && plan.shape != kernel_shape::elementwise) return false;
  if (plan.vector == 3 || plan.copied) return false;
  plan.shape = kernel_shape::elementwise;
  int widest = j.operands[0].itemsize;
  for (int k = 1; k < results; ++k) widest = (std::max)(widest, j.operands[slot_of_result(plan, k)].itemsize);
  while (plan.vector > 1 && plan.vector * widest > 16) plan.vector /= 2;
  for (int slot = 0; slot < plan.slots; ++slot) {
    lane_access& access = plan.access[static_cast<std::size_t>(slot)];
    if (access == lane_access::every_other && !pairs_are_aligned(j, j.operands[slot], plan.vector))
      access = lane_access::strided;
  }
  mark_gathered_runs(j, {code.sources, static_cast<std::size_t>(code.results)}, plan);
  return true;
}

/// Is no result in memory that is read or that holds another result, unless both have the same elements in the
/// same places? The job's last inputs are the results after the first one.
GNP_INLINE bool results_are_apart(const job& j, int results) {
  const int read = j.code->inputs - (results - 1);
  const auto result = [&](int k) -> const job_operand& { return j.operands[k == 0 ? 0 : read + k]; };
  for (int k = 0; k < results; ++k) {
    for (int i = 1; i <= read; ++i) {
      if (writing_changes(j, result(k), j.operands[i])) return false;
    }
    for (int other = 0; other < k; ++other) {
      if (share_elements(j, result(other), result(k))) return false;
    }
  }
  return true;
}

/// Writes all results; false if they have to be computed one by one. The job's last inputs are the results
/// after the first one.
GNP_INLINE bool run_several_on_gpu(job& j, several_code code) {
  kernel_plan plan;
  collapse(j);
  first_parts parts;
  const expression_sources sources(code.sources, static_cast<std::size_t>(code.results));
  if (parts.take_from(j, sources, *code.kernels, {0, j.rank}, true)) {
    code = {j.code, parts.sources().data(), code.results, j.code->kernels};
    collapse(j);
  }
  if (j.rolls) {
    plan = make_rolled_plan(j);
  } else if (!plan_several(j, code, plan)) {
    return false;
  }
  const watched_work watched(j.where, [&j] { return facts_of(j); });
  parts.run_each(run_on_gpu);
  {
    const submission work(j.where);
    note_equal_numbers(j, code.kernels->alike(code.sources, code.results), plan);
    const gpu_kernel kernel = kernel_of(code, plan, work.device());
    use_slots(work, j, plan);
    for (int k = 1; k < code.results; ++k) work.writes(*j.operands[slot_of_result(plan, k)].block);
    launch_job(work, j, plan, kernel.function);
  }
  check_sent_indices(j.where);
  return true;
}

/// The inputs of all formulas, followed by the results after the first one.
template <class View>
std::vector<View> with_results(const several_code& code, const View* inputs, const View* others) {
  const int other_results = code.results - 1;
  std::vector<View> all(inputs, inputs + code.all->inputs - other_results);
  all.insert(all.end(), others, others + other_results);
  return all;
}

GNP_INLINE bool write_several(const several_code& code, const leaf_view* results, const leaf_view* leaves,
                              const unsigned char* constants) {
  const expression_code& all = *code.all;
  if (!fits_in_a_kernel(static_cast<std::size_t>(all.inputs) + 1, static_cast<std::size_t>(all.constants),
                        results[0].shape->rank()))
    return false;
  const std::vector<leaf_view> inputs = with_results(code, leaves, results + 1);
  std::vector<job_operand> operands(inputs.size() + 2);
  job j;
  j.code = &all;
  j.operands = operands.data();
  j.constants = constants;
  lay_out(j, results[0], inputs.data());
  return results_are_apart(j, code.results) && run_several_on_gpu(j, code);
}

/// May rolled formulas be written by one kernel, or by one for each box? They may not if a result shares memory
/// with another one or with what is read. And bytes, or results of other sizes, are faster separately.
GNP_INLINE bool suit_boxes(const several_code& code, const leaf_view* results, const leaf_view* leaves) {
  const int read = code.all->inputs - (code.results - 1);
  for (int k = 0; k < code.results; ++k) {
    const leaf_view& result = results[k];
    if (result.itemsize == 1 || result.itemsize != results[0].itemsize) return false;
    const auto overlaps = [&result](const leaf_view& leaf) { return extents_overlap(leaf, result); };
    if (std::any_of(leaves, leaves + read, overlaps) || std::any_of(results, results + k, overlaps))
      return false;
  }
  return true;
}

GNP_INLINE bool write_several_rolled(const several_code& code, const leaf_view* results,
                                     const leaf_view* leaves, const shape_t* shifts,
                                     const unsigned char* constants) {
  if (!suit_boxes(code, results, leaves)) return false;
  const std::vector<leaf_view> inputs = with_results(code, leaves, results + 1);
  const std::vector<shape_t> no_shifts(static_cast<std::size_t>(code.results));
  const std::vector<shape_t> all_shifts = with_results(code, shifts, no_shifts.data());
  std::vector<job_operand> operands(inputs.size() + 2);
  const rolled_job r{code.all, nullptr, inputs.data(), all_shifts.data(), constants, operands.data()};

  const shape_t& shape = *results[0].shape;
  const auto begins = box_beginnings(shape, shifts, code.all->inputs - (code.results - 1));
  const index_t boxes = count_boxes(begins);
  if (is_one_kernel(r, shape, begins, results[0].block->device))
    return run_several_on_gpu(job_of_rolled(r, results[0]).whole(), code);
  if (boxes > most_boxes) return false;
  std::vector<operand_of_boxes> to;
  for (int k = 0; k < code.results; ++k) to.emplace_back(results[k], shape, shape_t{});
  std::vector<leaf_view> parts(to.size());
  inputs_of_boxes from(r, shape);
  return for_each_box(shape, begins, [&](const shape_t& begin, const shape_t& box) {
    for (std::size_t k = 0; k < to.size(); ++k) parts[k] = to[k].at(begin, box);
    return write_several(code, parts.data(), from.at(begin, box), constants);
  });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
